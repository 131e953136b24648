//! The `pavise` command.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pavise::contract::What;
use pavise::settings::Given;
use pavise::{contract, demo, journal, keys, person, server, token, workers};

/// This allocator returns the memory of password hashing to the system; the system's own would keep it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The membership platform: legal and identity-protection plans, sold and run.
///
/// `pavise serve --demo-data` starts everything on an embedded database. The same binary runs any part of the
/// platform: `pavise serve --only orders,catalog --peer billing=http://…`.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve gRPC, gRPC-web, REST and the web apps on one port
    Serve(Box<Given>),
    /// Bring the database's tables up to date, and stop
    Migrate(Box<Given>),
    /// Read and check journals
    #[command(subcommand)]
    Journal(journal::Command),
    /// See what workers could not handle, and let them try again
    #[command(subcommand)]
    Workers(workers::Command),
    /// Change the key that wraps the keys of sealed data
    #[command(subcommand)]
    Keys(keys::Command),
    /// Give what the platform has of one person, or erase it
    #[command(subcommand)]
    Person(person::Command),
    /// Issue tokens for scripts and tests
    #[command(subcommand)]
    Token(token::Command),
    /// Print what the contract says
    #[command(subcommand)]
    Contract(What),
    /// Walk through what the platform does, against a running server
    #[command(subcommand)]
    Demo(demo::Command),
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pavise: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    if let Command::Contract(what) = command {
        let pool = pavise::domains::pool(true)?;
        let contract = pavise_contract::Contract::read(&pool)?;
        pavise::print_out(&contract::render(&pool, &contract, &what)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            Command::Serve(given) => server::serve(given.decide()?).await,
            Command::Migrate(given) => server::migrate(&given.decide()?).await,
            Command::Journal(command) => journal::run(command).await,
            Command::Workers(command) => workers::run(command).await,
            Command::Keys(command) => keys::run(command).await,
            Command::Person(command) => person::run(command).await,
            Command::Token(command) => token::run(command),
            Command::Demo(command) => demo::run(command).await,
            Command::Contract(_) => Ok(ExitCode::SUCCESS),
        }
    })
}
