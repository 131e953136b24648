//! Callers that repeat their call as soon as it is answered.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use pavise_kernel::common::v1::{Date, ReadJournalRequest};
use serde::Serialize;
use tokio::task::JoinSet;

use crate::Reading;
use crate::content::sample;
use crate::contract::v1::document_service_client::DocumentServiceClient;
use crate::contract::v1::{GetDocumentRequest, GetDocumentsByIdsRequest, ListDocumentsRequest};
use crate::kit::Kit;

/// The number of places of the journal from which documents are read.
const SAMPLE: i64 = 4_000;
/// The documents of a batch, and the places between two of them in the sample: so none is read twice.
const BATCH: usize = 50;
const APART: usize = 79;

/// The speed of a measurement.
#[derive(Debug, Serialize)]
pub(crate) struct Speed {
    /// Answers a second.
    pub(crate) per_second: f64,
    /// The median of the times, in microseconds.
    pub(crate) p50_us: f64,
    /// The 99th percentile, in microseconds.
    pub(crate) p99_us: f64,
}

impl Speed {
    /// The speed from the times that callers measured within `span`.
    pub(crate) fn of(mut times: Vec<Duration>, span: Duration) -> anyhow::Result<Self> {
        times.sort_unstable();
        let at = |part: usize| times.get(times.len() * part / 100).map(|time| time.as_secs_f64() * 1e6);
        let count = u32::try_from(times.len())?;
        Ok(Self {
            per_second: f64::from(count) / span.as_secs_f64(),
            p50_us: at(50).context("nothing was answered")?,
            p99_us: at(99).context("nothing was answered")?,
        })
    }
}

/// Runs `callers` tasks that each call `once` until the time is over.
pub(crate) async fn repeat<F, Fut>(callers: usize, span: Duration, make: impl Fn(usize) -> F) -> anyhow::Result<Speed>
where
    F: FnMut() -> Fut + Send + 'static,
    Fut: Future<Output = anyhow::Result<()>> + Send,
{
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for caller in 0..callers {
        let mut once = make(caller);
        tasks.spawn(async move {
            let mut times = Vec::new();
            while began.elapsed() < span {
                let before = Instant::now();
                once().await?;
                times.push(before.elapsed());
            }
            anyhow::Ok(times)
        });
    }
    let mut all = Vec::new();
    while let Some(times) = tasks.join_next().await {
        all.extend(times??);
    }
    Speed::of(all, began.elapsed())
}

/// Makes documents.
pub(crate) async fn write(kits: &[Kit], callers: usize, span: Duration) -> anyhow::Result<Speed> {
    let before = clock(kits).await?;
    let speed = repeat(callers, span, |caller| {
        let channel = kits.get(caller % kits.len().max(1)).map(Kit::channel);
        let content = sample();
        move || {
            let (channel, content) = (channel.clone(), content.clone());
            async move {
                let mut client = DocumentServiceClient::new(channel.context("no process")?);
                client.create_document(content).await?;
                Ok(())
            }
        }
    })
    .await?;
    let written = clock(kits).await? - before;
    anyhow::ensure!(written > 0, "nothing was written to the journal");
    Ok(speed)
}

/// The journal's highest clock.
async fn clock(kits: &[Kit]) -> anyhow::Result<i64> {
    let kit = kits.first().context("no process")?;
    Ok(kit.kernel.store().head("documents").await?.clock)
}

/// Reads documents, pages or the journal.
pub(crate) async fn read(kits: &[Kit], what: Reading, callers: usize, span: Duration) -> anyhow::Result<Speed> {
    let kit = kits.first().context("no process")?;
    let mut client = DocumentServiceClient::new(kit.channel());
    let head = clock(kits).await?;
    anyhow::ensure!(head > 0, "there are no documents: fill the database first");
    let middle = head / 2;
    let mut ids = Vec::new();
    if matches!(what, Reading::Get | Reading::Batch) {
        // Reads documents of the whole table: with few, only cached pages would be measured.
        for part in 0..SAMPLE {
            let request = ReadJournalRequest {
                clock: head.saturating_mul(part) / SAMPLE,
                limit: 1,
                ..ReadJournalRequest::default()
            };
            ids.extend(
                client.read_journal(request).await?.into_inner().entries.into_iter().map(|entry| entry.entity_id),
            );
        }
    }
    repeat(callers, span, |caller| {
        let (channel, ids) = (kit.channel(), ids.clone());
        let mut turn = caller;
        move || {
            turn += 1;
            let id = |place: usize| ids.get(place % ids.len().max(1)).cloned().unwrap_or_default();
            let (channel, id, batch) = match what {
                Reading::Batch => {
                    (channel.clone(), String::new(), (0..BATCH).map(|number| id(turn + number * APART)).collect())
                }
                _ => (channel.clone(), id(turn), Vec::new()),
            };
            async move {
                let mut client = DocumentServiceClient::new(channel);
                match what {
                    Reading::Get => drop(client.get_document(GetDocumentRequest { document_id: id }).await?),
                    Reading::List => {
                        drop(
                            client
                                .list_documents(ListDocumentsRequest {
                                    page_size: 50,
                                    ..ListDocumentsRequest::default()
                                })
                                .await?,
                        );
                    }
                    Reading::Range => {
                        let due_from = Some(Date { year: 2026, month: 6, day: 15 });
                        let request =
                            ListDocumentsRequest { page_size: 50, due_from, ..ListDocumentsRequest::default() };
                        let page = client.list_documents(request).await?.into_inner();
                        anyhow::ensure!(page.documents.len() == 50, "the range has no whole page");
                    }
                    Reading::Batch => {
                        let found = client.get_documents_by_ids(GetDocumentsByIdsRequest { ids: batch }).await?;
                        anyhow::ensure!(found.into_inner().documents.len() == BATCH, "a batch is not whole");
                    }
                    Reading::Journal => {
                        let request = ReadJournalRequest { clock: middle, limit: 50, ..ReadJournalRequest::default() };
                        drop(client.read_journal(request).await?);
                    }
                }
                Ok(())
            }
        }
    })
    .await
}
