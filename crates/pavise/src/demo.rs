//! The demonstration: data to look at, and a story that a running server is led through.

mod busy;
mod sale;
mod sign_ins;

use std::process::ExitCode;

use clap::{Args, Subcommand};

pub use pavise_identity::demo::{DemoSignIn, sign_ins};
pub use sale::{Story, tell};
pub use sign_ins::{print, secret};

use crate::app::App;
use crate::domains::{DOMAINS, NAMES};
use crate::print_out;
use crate::settings::Settings;
use crate::wire::Surface;

/// Loads the demonstration's data that are missing, and answers the sign-ins.
///
/// # Errors
/// When the database or a part of the platform does not answer; the next start goes on from there.
pub async fn load(app: &App, settings: &Settings) -> anyhow::Result<Vec<DemoSignIn>> {
    if let Some(elsewhere) = NAMES.iter().find(|domain| !settings.only.iter().any(|name| name == *domain)) {
        eprintln!(
            "The demonstration's data is not loaded: {elsewhere} does not run here. Load it with one process that runs all domains."
        );
        return Ok(Vec::new());
    }
    pavise_demo::load(&app.kernel, &DOMAINS, &sign_ins::secret(settings)?, settings.demo_members).await
}

/// The demonstration to run.
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
    /// Sell for so many seconds over REST, and print only how many sales a second there were and how long one took
    #[arg(long, value_name = "SECONDS")]
    busy: Option<u32>,
    /// With --busy: so many buyers at once
    #[arg(long, default_value_t = 8, requires = "busy")]
    buyers: u32,
}

/// Runs the command.
///
/// # Errors
/// When the server does not answer as it should.
pub async fn run(command: Command) -> anyhow::Result<ExitCode> {
    let Command::Sale(sale) = command;
    if let Some(seconds) = sale.busy {
        let sold = busy::sell(&sale.server, sale.buyers, std::time::Duration::from_secs(seconds.into())).await?;
        print_out(&format!("{}\n", if sale.json { serde_json::to_string(&sold)? } else { sold.to_string() }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let surfaces = sale.over.map_or_else(|| Surface::ALL.to_vec(), |one| vec![one]);
    for surface in surfaces {
        if !sale.json {
            print_out(&format!("\nA sale over {surface:?}\n"))?;
        }
        let mut printed = Ok(true);
        let story = tell(&sale.server, surface, |step| {
            if printed.is_ok() {
                printed = print_out(&step_line(&sale, surface, step));
            }
        })
        .await?;
        printed?;
        if !sale.json {
            print_out(&format!("  order {} · {} · {} ms\n", story.order_id, story.paid, story.millis))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn step_line(sale: &Sale, surface: Surface, step: &sale::Step) -> String {
    if sale.json {
        let surface = format!("{surface:?}");
        let json =
            serde_json::json!({"surface": surface, "step": step.what, "status": step.status, "clock": step.clock});
        format!("{json}\n")
    } else {
        format!("  {:44} {:20} clock {}\n", step.what, step.status, step.clock)
    }
}
