//! `pavise keys`: the keys of sealed personal data.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use pavise_kernel::sealed::{Keys, MasterKeys};
use pavise_kernel::time::{Ids, SystemClock, to_timestamp};

use crate::{engine, print_out};

/// The command on keys.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Wrap the keys of sealed data with the new key secret, while servers run that know both
    Rotate {
        /// Which key database, and the two secrets
        #[command(flatten)]
        of: Of,
    },
    /// List the erased: each name of a destroyed key, and when it was destroyed
    Erased {
        /// Which key database, and the two secrets
        #[command(flatten)]
        of: Of,
    },
}

/// A key database and its secrets.
#[derive(Debug, Clone, Args)]
pub struct Of {
    /// The key database: sqlite://FILE or postgres://USER@HOST/NAME [default: beside the database]
    #[arg(long, env = "PAVISE_KEY_DATABASE", hide_env_values = true)]
    key_database: Option<String>,
    /// The database: sqlite://FILE or postgres://USER@HOST/NAME
    #[arg(long, env = "PAVISE_DATABASE", hide_env_values = true, default_value = "sqlite://data/pavise.db")]
    database: String,
    /// The secret that is to wrap the keys
    #[arg(long, env = "PAVISE_KEY_SECRET", value_name = "SECRET", hide_env_values = true)]
    key_secret: String,
    /// The secret that has wrapped them
    #[arg(long, env = "PAVISE_KEY_SECRET_ALSO", value_name = "SECRET", hide_env_values = true)]
    key_secret_also: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When the key database does not answer, or neither secret has wrapped a key.
pub async fn run(command: Command) -> anyhow::Result<ExitCode> {
    let (Command::Rotate { of } | Command::Erased { of }) = &command;
    let of = of.clone();
    let url = of.key_database.unwrap_or_else(|| engine::keys_beside(&of.database));
    let masters = MasterKeys::new(&of.key_secret, of.key_secret_also.as_deref());
    let keys = Keys::new(engine::keys(&url)?, masters, Ids::random(), Arc::new(SystemClock));
    if matches!(command, Command::Erased { .. }) {
        let erased = keys.list_destroyed().await;
        keys.close_store().await;
        let erased = erased.map_err(|error| anyhow::anyhow!("{error}"))?;
        let lines: String = erased.iter().map(|(name, at)| format!("{name}\t{}\n", to_timestamp(*at))).collect();
        print_out(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    let done = keys.rewrap_keys(|done| tracing::debug!(done, "keys are wrapped anew")).await;
    keys.close_store().await;
    let done = done.map_err(|error| anyhow::anyhow!("{}", error.cause().unwrap_or(error.message())))?;
    print_out(&format!("{done} keys are wrapped anew\n"))?;
    Ok(ExitCode::SUCCESS)
}
