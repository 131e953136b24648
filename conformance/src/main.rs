//! The service behind the transcoders that the suite compares, and our own facade before it.

mod describe;
mod facade;
mod grpc;
mod protos;
#[cfg(feature = "random")]
mod random;
mod script;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use serde_json::json;
use tokio::net::TcpListener;

use crate::script::Desk;

/// Helpers of the transcoders' conformance suite, besides its cases
#[derive(Debug, Parser)]
#[command(name = "pavise-conformance", version, max_term_width = 100)]
enum Command {
    /// Serve until the process is ended: the service by gRPC, its desk (what it is to answer, what it was asked), and our
    /// facade before it. Each is on a port of its own, which the one line that is printed says.
    Serve {
        /// Where the service listens, for a transcoder that has to know before.
        #[arg(long, default_value = "127.0.0.1:0")]
        service: String,
    },
    /// Write the descriptors of the suite's service, for other transcoders.
    Descriptors {
        /// The file that is written.
        file: PathBuf,
    },
    /// Print the suite's messages, enumerations and calls as JSON, for the comparison of values.
    Describe,
    /// Print random messages, one a line: `json` as canonical JSON and `wire` in hexadecimal.
    #[cfg(feature = "random")]
    Random {
        /// How many.
        #[arg(long, default_value_t = 10_000)]
        count: u64,
        /// The same seed makes the same messages.
        #[arg(long)]
        seed: u64,
    },
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Serve { service } => serve(&service).await,
        Command::Descriptors { file } => Ok(std::fs::write(file, protos::SUITE)?),
        Command::Describe => print(&describe::suite()?.to_string()),
        #[cfg(feature = "random")]
        Command::Random { count, seed } => {
            let mut out = std::io::stdout().lock();
            random::messages(count, seed, |line| Ok(writeln!(out, "{line}")?))
        }
    }
}

async fn serve(service: &str) -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::WARN)
        .init();
    let desk = Arc::new(Desk::new(protos::suite()?));
    let mut listeners = Vec::new();
    for address in [service, "127.0.0.1:0", "127.0.0.1:0"] {
        listeners.push(TcpListener::bind(address).await?);
    }
    let addresses = listeners.iter().map(TcpListener::local_addr).collect::<Result<Vec<_>, _>>()?;
    let [service, control, pavise] = addresses.as_slice() else { anyhow::bail!("three listeners were bound") };
    let facade = facade::router(&format!("http://{service}"))?;
    let routers = [grpc::router(Arc::clone(&desk)), script::router(desk), facade];
    print(&json!({"service": service, "desk": control, "pavise": pavise}).to_string())?;
    let mut serving = tokio::task::JoinSet::new();
    for (listener, router) in listeners.into_iter().zip(routers) {
        serving.spawn(async move { axum::serve(listener, router).await });
    }
    while let Some(ended) = serving.join_next().await {
        ended??;
    }
    Ok(())
}

fn print(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
