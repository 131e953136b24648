//! The programs of `benches/run`: the measured service made of our parts, the same written by hand, and loops around
//! engines.

mod content;
mod documents;
mod engines;
mod files;
mod kit;
mod loops;
mod papers;
mod peers;
mod questionnaires;
mod requests;
mod scans;
mod sealed;

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

/// As the server has.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The contract of the measured service as Rust.
#[allow(
    missing_docs,
    unused_imports,
    unreachable_pub,
    dead_code,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "generated: which of these apply depends on what the contract declares"
)]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

/// Parts of the benchmarks; `benches/run` puts them together.
#[derive(Debug, Parser)]
#[command(name = "pavise-benches")]
struct Arguments {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    /// Serves the measured service made of our parts; prints its token, then serves until it is ended.
    Serve {
        /// The address.
        #[arg(long)]
        listen: String,
        /// sqlite://FILE or postgres://…
        #[arg(long)]
        database: String,
    },
    /// Serves the same written by hand: axum with serde (and sqlx) for REST, a bare tonic echo for gRPC.
    Plain {
        /// The address of REST.
        #[arg(long)]
        http: String,
        /// The address of gRPC.
        #[arg(long)]
        grpc: String,
        /// postgres://…
        #[arg(long)]
        database: String,
    },
    /// Serves a folder as tower-http does, until it is ended.
    Folder {
        /// The address.
        #[arg(long)]
        listen: String,
        /// The folder.
        #[arg(long)]
        folder: PathBuf,
    },
    /// Sends a made-up file over gRPC and prints its record.
    Send {
        /// The server: http://…
        #[arg(long)]
        to: String,
        /// Its token.
        #[arg(long)]
        token: String,
        /// The size in bytes.
        #[arg(long)]
        size: u64,
    },
    /// Takes such a file over gRPC, compares it, and prints its size.
    Take {
        /// The server: http://…
        #[arg(long)]
        to: String,
        /// Its token.
        #[arg(long)]
        token: String,
        /// The id of its record.
        #[arg(long)]
        id: String,
    },
    /// Removes files that no record names, and prints what it found. No server may run.
    Sweep {
        /// sqlite://FILE
        #[arg(long)]
        database: String,
    },
    /// Writes documents for a while and prints how many a second.
    Write {
        /// sqlite://FILE or postgres://…
        #[arg(long)]
        database: String,
        /// The writer to measure.
        #[arg(long)]
        how: Writer,
        /// Callers at once.
        #[arg(long)]
        callers: usize,
        /// Processes that share the database; callers are spread over them.
        #[arg(long, default_value_t = 1)]
        processes: usize,
        /// Two fields are sealed.
        #[arg(long)]
        sealed: bool,
        /// How long, in seconds.
        #[arg(long)]
        seconds: f64,
    },
    /// Reads documents by key, or pages of them, and prints how many a second.
    Read {
        /// sqlite://FILE or postgres://…
        #[arg(long)]
        database: String,
        /// The read to measure.
        #[arg(long, default_value = "get")]
        what: Reading,
        /// Two fields are sealed, as `write --sealed` has stored them.
        #[arg(long)]
        sealed: bool,
        /// Callers at once.
        #[arg(long)]
        callers: usize,
        /// How long, in seconds.
        #[arg(long)]
        seconds: f64,
    },
    /// Changes the key that wraps the keys of people while callers write and read sealed documents.
    Rotate {
        /// sqlite://FILE or postgres://…
        #[arg(long)]
        database: String,
        /// How many keys there are.
        #[arg(long, default_value_t = 100_000)]
        keys: usize,
        /// Callers at once.
        #[arg(long, default_value_t = 16)]
        callers: usize,
    },
    /// Fills a database up to so many documents and journal entries.
    Fill {
        /// sqlite://FILE or postgres://…
        #[arg(long)]
        database: String,
        /// How many there shall be.
        #[arg(long)]
        count: i64,
    },
    /// Makes the index of documents by day, or drops it. No other measurement has it.
    Index {
        /// sqlite://FILE or postgres://…
        #[arg(long)]
        database: String,
        /// Drops it.
        #[arg(long)]
        drop: bool,
    },
    /// Sends the requests of a file over REST, and prints how fast they were answered.
    Ask {
        /// The server: http://…
        #[arg(long)]
        to: String,
        /// A request a line, as JSON: method, path, headers, body. In a path and a body `{n}` is the number of the request.
        #[arg(long)]
        requests: PathBuf,
        /// The number of the first request.
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// How many requests; the lines take turns.
        #[arg(long)]
        count: u64,
        /// Callers at once.
        #[arg(long)]
        callers: usize,
    },
    /// Evaluates a questionnaire of one page for a while and prints how long an evaluation takes.
    Evaluate {
        /// How many items the page has.
        #[arg(long)]
        items: usize,
        /// How long, in seconds.
        #[arg(long)]
        seconds: f64,
    },
    /// Writes an invoice as PDF for a while and prints how long one takes.
    Paper {
        /// How many items the invoice has.
        #[arg(long)]
        items: usize,
        /// How long, in seconds.
        #[arg(long)]
        seconds: f64,
    },
    /// Writes the descriptors for Envoy, and the messages that load generators send, into a folder.
    Payloads {
        /// The folder.
        #[arg(long)]
        out: PathBuf,
    },
}

/// The writer to measure.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Writer {
    /// Our service, called in process with a token.
    Kit,
    /// A counter row and a transaction for each request, in one statement where the engine allows it.
    Row,
}

/// The read to measure.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Reading {
    /// One document by its id.
    Get,
    /// A page of 50 documents.
    List,
    /// A page of 50 journal entries from the middle of the journal.
    Journal,
    /// A page of 50 documents from the middle of the days, in their order.
    Range,
    /// 50 documents by their ids.
    Batch,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match Arguments::parse().part {
        Part::Serve { listen, database } => kit::serve(&listen, &database).await,
        Part::Plain { http, grpc, database } => peers::serve(&http, &grpc, &database).await,
        Part::Folder { listen, folder } => files::serve_folder(&listen, &folder).await,
        Part::Send { to, token, size } => print(&files::send(&to, &token, size).await?),
        Part::Take { to, token, id } => print(&files::take(&to, &token, &id).await?),
        Part::Sweep { database } => print(&files::sweep(&database).await?),
        Part::Write { database, how: Writer::Kit, callers, processes, sealed, seconds } => {
            let kits = kit::several(&database, processes, sealed.then(sealed::masters).as_ref()).await?;
            print(&loops::write(&kits, callers, Duration::from_secs_f64(seconds)).await?)
        }
        Part::Write { database, how: Writer::Row, callers, seconds, .. } => {
            print(&engines::write(&database, callers, Duration::from_secs_f64(seconds)).await?)
        }
        Part::Read { database, what, sealed, callers, seconds } => {
            let kits = kit::several(&database, 1, sealed.then(sealed::masters).as_ref()).await?;
            print(&loops::read(&kits, what, callers, Duration::from_secs_f64(seconds)).await?)
        }
        Part::Rotate { database, keys, callers } => print(&sealed::rotate(&database, keys, callers).await?),
        Part::Fill { database, count } => engines::fill(&database, count).await,
        Part::Index { database, drop } => engines::index(&database, drop).await,
        Part::Ask { to, requests, from, count, callers } => {
            print(&requests::send(&to, &requests, from, count, callers).await?)
        }
        Part::Evaluate { items, seconds } => print(&questionnaires::evaluate(items, Duration::from_secs_f64(seconds))?),
        Part::Paper { items, seconds } => print(&papers::write(items, Duration::from_secs_f64(seconds))?),
        Part::Payloads { out } => content::payloads(&out),
    }
}

/// One line of JSON.
fn print(found: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, found)?;
    writeln!(out)?;
    Ok(())
}
