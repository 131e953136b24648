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
    (mesh_secret.len() >= 16).then_some(()).context("a secret needs at least 16 characters")?;
    let permissions = BTreeMap::from([(APPLICATION.to_owned(), permission)]);
    let caller = Caller { identity: name, realm: Realm::Machine, permissions, ..Caller::default() };
    let lifetime = Duration::from_secs(minutes.saturating_mul(60));
    let token = issue_token(&caller, lifetime, &TokenKey::mesh(mesh_secret.as_bytes()), SystemClock.now());
    crate::print_out(&format!("{token}\n"))?;
    Ok(ExitCode::SUCCESS)
}
