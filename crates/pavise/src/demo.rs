//! The demonstration: data to look at, and a story that a running server is led through.

mod busy;
mod sale;
mod sign_ins;
mod year;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

pub use pavise_identity::demo::{DemoSignIn, sign_ins};
pub use sale::{Story, tell};
pub use sign_ins::{print, secret};
pub use year::{Books, Host, Month, Plan, Progress, Sums, Year, live};

use crate::app::App;
use crate::domains::{DOMAINS, NAMES};
use crate::print_out;
use crate::settings::Settings;
use crate::token;
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
    /// Live through months of bills on a test clock, and print each month's renewals, declines, recoveries, ends and revenue.
    /// At the end the invoices are compared with what the test vendor moved. Exits 1 if they differ, or if work was left
    Year(YearOf),
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

/// A year of bills.
#[derive(Debug, Args)]
pub struct YearOf {
    /// A running server with --test-clock and --test-vendor [default: one is started on an empty database, and goes with it]
    #[arg(long, value_name = "URL", requires = "mesh_secret")]
    server: Option<String>,
    /// The mesh secret of that server
    #[arg(long, env = "PAVISE_MESH_SECRET", value_name = "SECRET", hide_env_values = true)]
    mesh_secret: Option<String>,
    /// How many members join: every twentieth has the same habits
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    members: u32,
    /// How many months go by
    #[arg(long, value_name = "N", default_value_t = 13, value_parser = clap::value_parser!(u32).range(1..=26))]
    months: u32,
    /// Print each month, and then the books, as a JSON line
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// When the server does not answer as it should.
pub async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Sale(sale) => run_sale(sale).await,
        Command::Year(year) => run_year(year).await,
    }
}

async fn run_sale(sale: Sale) -> anyhow::Result<ExitCode> {
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

/// The time for which the token of a run is valid.
const VALID: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

async fn run_year(given: YearOf) -> anyhow::Result<ExitCode> {
    let own = if given.server.is_none() { Some(Host::start().await?) } else { None };
    let (server, secret) = match &own {
        Some(host) => (host.base(), host.secret()),
        None => (given.server.as_deref().unwrap_or_default(), given.mesh_secret.as_deref().unwrap_or_default()),
    };
    let token = token::of_machine(secret, "demo-year", VALID, &["*".to_owned()])?;
    let bar = ProgressBar::new(given.members.into());
    bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")?);
    bar.set_message("members");
    if !given.json {
        let [from, until, renewals, declines, recoveries, ends] =
            ["from", "until", "renewals", "declines", "recoveries", "ends"];
        print_out(&format!("{from:10}  {until:10} {renewals:>9} {declines:>9} {recoveries:>11} {ends:>5}  revenue\n"))?;
    }
    let tell = |progress: Progress<'_>| -> anyhow::Result<()> {
        match progress {
            Progress::Enrolled(members) => bar.set_position(members.into()),
            Progress::Days(over, all) => {
                bar.set_message("days");
                bar.set_length(all.unsigned_abs());
                bar.set_position(over.unsigned_abs());
            }
            Progress::Month(month) => {
                let line = if given.json { format!("{}\n", serde_json::to_string(month)?) } else { month_line(month) };
                bar.suspend(|| print_out(&line))?;
            }
        }
        Ok(())
    };
    let plan = Plan { members: given.members, months: given.months };
    let lived = tokio::select! {
        lived = live(server, &token, plan, tell) => lived,
        stopped = tokio::signal::ctrl_c() => match stopped {
            Ok(()) => Err(anyhow::anyhow!("stopped")),
            Err(error) => Err(error.into()),
        },
    };
    bar.finish_and_clear();
    let year = lived?;
    print_out(&if given.json { books_json(&year)? } else { books_lines(&year) })?;
    let is_sound = year.books.list_problems().is_empty();
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn month_line(month: &Month) -> String {
    let Month { from, until, renewals, declines, recoveries, ends, revenue, .. } = month;
    let revenue: Vec<String> =
        revenue.iter().map(|(currency, amount)| format!("{} {currency}", year::write_amount(*amount))).collect();
    let revenue = revenue.join(", ");
    format!("{from}  {until} {renewals:>9} {declines:>9} {recoveries:>11} {ends:>5}  {revenue}\n")
}

fn books_json(year: &Year) -> anyhow::Result<String> {
    let problems = year.books.list_problems();
    let json = serde_json::json!({"books": year.books, "met_midnight": year.met_midnight, "problems": problems});
    Ok(format!("{}\n", serde_json::to_string(&json)?))
}

fn books_lines(year: &Year) -> String {
    let mut lines = String::from("\n");
    for (currency, Sums { invoices, vendor }) in &year.books.sums {
        let [invoices, vendor] = [invoices, vendor].map(|amount| year::write_amount(*amount));
        lines.push_str(&format!("{currency}: paid less refunded {invoices}, moved by the vendor {vendor}\n"));
    }
    let problems = year.books.list_problems();
    if problems.is_empty() {
        lines.push_str("The books are equal, and no work was left.\n");
    }
    for problem in problems {
        lines.push_str(&format!("NOT AS IT SHOULD BE: {problem}\n"));
    }
    if year.met_midnight {
        lines.push_str("The machine's midnight went by meanwhile: the figures of another run may differ.\n");
    }
    lines
}
