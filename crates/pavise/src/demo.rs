//! The demonstration: data to look at, and a story that a running server is led through.

mod load;
mod sale;

use std::process::ExitCode;

use clap::{Args, Subcommand};

pub use load::{SignIn, load, sign_ins};
pub use sale::{Story, tell};

use crate::wire::Surface;

/// What to demonstrate.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Sell a plan: price, sign up, decline, pay, provision – and print each step with its status and journal clock.
    /// Exits 1 if anything is not as it should be
    Sale(Sale),
}

/// A sale against a running server.
#[derive(Debug, Args)]
pub struct Sale {
    /// The server; its demonstration data must be loaded
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Only over this surface; all of them otherwise
    #[arg(long, value_enum)]
    over: Option<Surface>,
    /// Print each step as a JSON line
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// When the server does not answer as it should.
pub async fn run(command: Command) -> anyhow::Result<ExitCode> {
    let Command::Sale(sale) = command;
    let surfaces = sale.over.map_or_else(|| Surface::ALL.to_vec(), |one| vec![one]);
    for surface in surfaces {
        if !sale.json {
            println!("\nA sale over {surface:?}");
        }
        let story = tell(&sale.server, surface, |step| {
            if sale.json {
                println!("{}", serde_json::json!({"surface": format!("{surface:?}"), "step": step.what, "status": step.status, "clock": step.clock}));
            } else {
                println!("  {:44} {:20} clock {}", step.what, step.status, step.clock);
            }
        })
        .await?;
        if !sale.json {
            println!("  order {} · {} · {} ms", story.order_id, story.paid, story.millis);
        }
    }
    Ok(ExitCode::SUCCESS)
}
