//! `pavise person`: gives what the platform has of one person, and erases it.

mod erase;
mod print;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use pavise_contract::options::v1::call::Behavior;
use pavise_contract::{Contract, Service};
use serde_json::{Value, json};

pub use erase::{Counts, Erasure, erase, preview};

use crate::wire::{Client, Failure, Surface};
use crate::{domains, print_out, token};

/// How long a server that does not answer is asked again.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two tries.
const PAUSE: Duration = Duration::from_secs(1);

/// The command on a person's data.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print all personal data of an identity
    ///
    /// Asks every domain for the values of the fields that the contract marks as personal: those of the identity's own
    /// entities, and those on other people's that are about it. A value that only earlier journal entries have is there,
    /// too. Secrets, such as the digests of passwords and codes, are left out.
    #[command(
        after_help = "Examples:\n  pavise person export 01890000-0000-7000-8000-000000000001\n  pavise person export 01890000-0000-7000-8000-000000000001 --json --out person.json"
    )]
    Export {
        /// The identity, and the server to ask
        #[command(flatten)]
        of: Of,
        /// Write the values to this file, which must not exist yet
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Erase all personal data of an identity for good
    ///
    /// Counts what would be erased. With --yes it erases, in every domain: fields, lookups, earlier journal entries, kept
    /// answers of idempotency keys, causes of failed entries. Amounts, statuses, times, versions and clocks stay. Then it
    /// destroys the person's key, so that sealed values are unreadable in backups, too, and looks once more at what was
    /// written meanwhile. After an interruption, run it again: what is erased stays erased. A file on legal hold stays, and so
    /// does the key: run it again when the hold is over. A profile of the person becomes REDACTED within ten minutes
    /// after the key is destroyed, with a receipt.
    ///
    /// The databases keep earlier bytes in freed pages until they are vacuumed: VACUUM on SQLite, VACUUM (FULL, ANALYZE) on
    /// PostgreSQL. An older backup that is restored is erased again before it serves.
    #[command(
        after_help = "Examples:\n  pavise person redact 01890000-0000-7000-8000-000000000001\n  pavise person redact 01890000-0000-7000-8000-000000000001 --yes --json"
    )]
    Redact {
        /// The identity, and the server to ask
        #[command(flatten)]
        of: Of,
        /// Erase, and do not only count
        #[arg(long)]
        yes: bool,
    },
}

/// A person, and the platform that has their data.
#[derive(Debug, Args)]
pub struct Of {
    /// The id of the identity
    identity: String,
    /// A server of the platform: each one passes calls of other domains on
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    server: String,
    /// The mesh secret of the platform
    #[arg(long, env = "PAVISE_MESH_SECRET", value_name = "SECRET", hide_env_values = true)]
    mesh_secret: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// When the server does not answer for a minute, or refuses.
pub async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Export { of, out } => {
            let values = print::watched(&of.identity, "reads", async |progress| {
                export(&of.client()?, &of.identity, progress).await
            });
            let text = print::values(&of.identity, &values.await?, of.json);
            match out {
                None => _ = print_out(&text)?,
                Some(path) => {
                    let mut file = std::fs::File::create_new(&path).with_context(|| path.display().to_string())?;
                    std::io::Write::write_all(&mut file, text.as_bytes())?;
                }
            }
        }
        Command::Redact { of, yes } => {
            let erasure = print::watched(&of.identity, if yes { "erases" } else { "counts" }, async |progress| {
                let client = of.client()?;
                if yes {
                    erase(&client, &of.identity, progress).await
                } else {
                    preview(&client, &of.identity, progress).await
                }
            });
            print_out(&print::erasure(&of.identity, &erasure.await?, of.json))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Of {
    fn client(&self) -> anyhow::Result<Asker> {
        let pool = domains::pool(false)?;
        let token = token::of_machine(&self.mesh_secret, "person", Duration::from_secs(24 * 3600), &["*".to_owned()])?;
        let client = Client::new(&self.server, Surface::Grpc, &pool)?.with_token(&token);
        Ok(Asker { client, services: people(&Contract::read(&pool)?), patience: PATIENCE })
    }
}

/// The names of the services that have a person's data.
fn people(contract: &Contract) -> Vec<String> {
    let has =
        |service: &&Service| service.methods.iter().any(|method| matches!(method.behavior, Behavior::RedactPerson(_)));
    contract.services.iter().filter(has).map(|service| service.name.clone()).collect()
}

/// Asks every domain for a person's data.
#[derive(Debug)]
pub struct Asker {
    client: Client,
    services: Vec<String>,
    patience: Duration,
}

impl Asker {
    /// Asks with this client, which has a token of realm Machine, and is patient for so long.
    ///
    /// # Errors
    /// When the contract cannot be read, which the build rules out.
    pub fn new(client: Client, patience: Duration) -> anyhow::Result<Self> {
        let pool = domains::pool(false)?;
        Ok(Self { client, services: people(&Contract::read(&pool)?), patience })
    }

    /// Makes a call that may be repeated. A server that does not answer is asked again for a while.
    async fn ask(&self, name: &str, request: Value) -> anyhow::Result<Value> {
        let began = tokio::time::Instant::now();
        loop {
            let failure = match self.client.call(name, request.clone()).await {
                Ok(answer) => return Ok(answer.json),
                Err(failure) => failure,
            };
            let is_passing = match &failure {
                Failure::Refused(refusal) => ["UNAVAILABLE", "DEADLINE_EXCEEDED", "ABORTED"].contains(&&*refusal.code),
                Failure::Broken(_) => true,
            };
            if !is_passing || began.elapsed() + PAUSE > self.patience {
                return Err(anyhow::Error::new(failure).context(name.to_owned()));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Makes a call of each domain again and again until it is at its end, and gives each answer to `take`.
    async fn ask_all(
        &self,
        rpc: &str,
        request: &Value,
        progress: &dyn Fn(&str),
        take: &mut dyn FnMut(&Value),
    ) -> anyhow::Result<()> {
        for service in &self.services {
            let mut token = String::new();
            loop {
                progress(&format!("{service} {token}"));
                let mut request = request.clone();
                if let Some(fields) = request.as_object_mut() {
                    fields.insert("pageToken".to_owned(), json!(token));
                }
                let answer = self.ask(&format!("{service}.{rpc}"), request).await?;
                take(&answer);
                match answer.get("nextPageToken").and_then(Value::as_str).filter(|next| !next.is_empty()) {
                    Some(next) if next == token => anyhow::bail!("{service}.{rpc} does not go on"),
                    Some(next) => token = next.to_owned(),
                    None => break,
                }
            }
        }
        Ok(())
    }
}

/// All values that the platform has of a person, as the calls answer them. `progress` gets where it stands.
///
/// # Errors
/// When a domain does not answer, or refuses.
pub async fn export(asker: &Asker, identity: &str, progress: &dyn Fn(&str)) -> anyhow::Result<Vec<Value>> {
    let mut values = Vec::new();
    let request = json!({"identityId": identity});
    asker
        .ask_all("ExportPerson", &request, progress, &mut |answer| {
            values.extend(answer.get("values").and_then(Value::as_array).into_iter().flatten().cloned());
        })
        .await?;
    Ok(values)
}
