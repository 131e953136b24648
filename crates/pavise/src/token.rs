//! `pavise token`: tokens for scripts and tests, signed with the platform's mesh secret.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Subcommand;
use pavise_kernel::Caller;
use pavise_kernel::caller::{APPLICATION, Realm};
use pavise_kernel::time::{Clock as _, SystemClock};
use pavise_kernel::token::{TokenKey, issue_token};

/// The token command to run.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print a token of realm Machine with all permissions, for a script that calls the server
    Issue {
        /// The mesh secret of the server
        #[arg(long, env = "PAVISE_MESH_SECRET", hide_env_values = true)]
        mesh_secret: String,
        /// The name under which the script appears in journals
        #[arg(long, default_value = "script")]
        name: String,
        /// Minutes that it is valid
        #[arg(long, default_value_t = 60)]
        minutes: u64,
        /// Permissions, comma-separated; `*` is all
        #[arg(long, value_delimiter = ',', default_value = "*")]
        permission: Vec<String>,
    },
}

/// Runs the command.
///
/// # Errors
/// When the secret is too short.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    let Command::Issue { mesh_secret, name, minutes, permission } = command;
    let lifetime = Duration::from_secs(minutes.saturating_mul(60));
    let token = of_machine(&mesh_secret, &name, lifetime, &permission)?;
    crate::print_out(&format!("{token}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// A token of realm Machine, which the servers with that mesh secret accept.
///
/// # Errors
/// When the secret is too short.
pub fn of_machine(mesh_secret: &str, name: &str, lifetime: Duration, permissions: &[String]) -> anyhow::Result<String> {
    (mesh_secret.len() >= 16).then_some(()).context("a secret needs at least 16 characters")?;
    let permissions = BTreeMap::from([(APPLICATION.to_owned(), permissions.to_vec())]);
    let caller = Caller { identity: name.to_owned(), realm: Realm::Machine, permissions, ..Caller::default() };
    Ok(issue_token(&caller, lifetime, &TokenKey::mesh(mesh_secret.as_bytes()), SystemClock.now()))
}
