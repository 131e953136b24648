//! Sealed fields: the change of the key that wraps the keys of people, while calls flow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use indicatif::ProgressBar;
use pavise_kernel::sealed::MasterKeys;
use serde::Serialize;
use tokio::task::JoinSet;

use crate::content::sample;
use crate::contract::v1::GetDocumentRequest;
use crate::contract::v1::document_service_client::DocumentServiceClient;
use crate::kit::{Kit, data_keys};

/// Keys that are made at once.
const STEP: usize = 1_000;
const OLD: &str = "the master key of the benchmarks";
const NEW: &str = "the master key that comes after it";

/// The master keys of a measurement of sealed fields.
pub(crate) fn masters() -> MasterKeys {
    MasterKeys::new(OLD, None)
}

/// The result of a rotation.
#[derive(Debug, Serialize)]
pub(crate) struct Rotation {
    keys: u64,
    seconds: f64,
    keys_per_second: f64,
    calls: u64,
    refused: u64,
}

/// Makes so many keys with one master key, and wraps them with another one while callers write and read sealed documents.
pub(crate) async fn rotate(database: &str, count: usize, callers: usize) -> anyhow::Result<Rotation> {
    let old = data_keys(database, masters())?;
    let bar = ProgressBar::new(u64::try_from(count)?);
    for from in (0..count).step_by(STEP) {
        let names: Vec<String> = (from..count.min(from + STEP)).map(|number| format!("p/person-{number}")).collect();
        old.make_keys(&names).await.map_err(|error| anyhow::anyhow!("{error}"))?;
        bar.set_position(u64::try_from(from + names.len())?);
    }
    let both = MasterKeys::new(NEW, Some(OLD));
    let kit = Arc::new(Kit::on(database, Some(both.clone())).await?);
    let (is_over, calls, refused) =
        (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let mut tasks = JoinSet::new();
    for caller in 0..callers {
        let bar = bar.clone();
        let (kit, is_over, calls, refused) = (kit.clone(), is_over.clone(), calls.clone(), refused.clone());
        tasks.spawn(async move {
            let mut number = caller;
            while !is_over.load(Ordering::Relaxed) {
                // Each call is about another person, so that it needs a key that the process has not opened.
                number = (number + callers) % count.max(1);
                let answered = write_and_read(&kit, number).await;
                calls.fetch_add(2, Ordering::Relaxed);
                if let Err(error) = answered {
                    bar.println(format!("a call was refused: {error}"));
                    refused.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    }
    let began = Instant::now();
    let changed = data_keys(database, both)?.rewrap_keys(|_| {}).await.map_err(|error| anyhow::anyhow!("{error}"))?;
    let seconds = began.elapsed().as_secs_f64();
    is_over.store(true, Ordering::Relaxed);
    bar.finish();
    while tasks.join_next().await.is_some() {}
    anyhow::ensure!(changed >= u64::try_from(count)?, "only {changed} keys were wrapped anew");
    let keys_per_second = f64::from(u32::try_from(changed)?) / seconds;
    let (calls, refused) = (calls.load(Ordering::Relaxed), refused.load(Ordering::Relaxed));
    Ok(Rotation { keys: changed, seconds, keys_per_second, calls, refused })
}

/// Writes a document of a person, and reads it.
async fn write_and_read(kit: &Kit, number: usize) -> anyhow::Result<()> {
    let mut client = DocumentServiceClient::new(kit.channel());
    let mut content = sample();
    content.holder.as_mut().context("a holder")?.email = format!("person-{number}");
    let made = client.create_document(content).await?.into_inner();
    let read = client.get_document(GetDocumentRequest { document_id: made.id }).await?.into_inner();
    anyhow::ensure!(read.holder == made.holder, "the read document has another holder");
    Ok(())
}
