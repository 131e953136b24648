//! Reading, waiting for and watching a service's journal.

use std::time::Duration;

use futures::Stream;
use pavise_contract::common::v1::{
    GetMaxClockRequest, JournalClock, JournalEntry, JournalPage, ReadJournalRequest, WatchJournalRequest,
};
use pavise_contract::table::Method;
use prost_types::Any;
use tonic::{Request, Response, Status};

use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::serve::log;
use crate::store::{Entry, Head};
use crate::time::timestamp;

/// Entries a page when the caller does not say.
const PAGE: u32 = 100;
/// How often the database is asked while nothing wakes a waiter: NOTIFY is only a hint.
const POLL: Duration = Duration::from_millis(500);

impl Kernel {
    /// Answers a journal call.
    ///
    /// # Errors
    /// The answer of a refused or failed call.
    pub async fn serve_journal(
        &self,
        method: &'static Method,
        request: Request<ReadJournalRequest>,
    ) -> Result<Response<JournalPage>, Status> {
        self.serve(method, request, |call, request| async move { call.kernel().journal_page(method.service, &request).await })
            .await
    }

    /// Answers a maxClock call.
    ///
    /// # Errors
    /// The answer of a refused or failed call.
    pub async fn serve_max_clock(
        &self,
        method: &'static Method,
        request: Request<GetMaxClockRequest>,
    ) -> Result<Response<JournalClock>, Status> {
        self.serve(method, request, |call, _| async move {
            let head = call.kernel().store().head(method.service).await?;
            Ok(JournalClock { max_clock: head.clock, epoch: head.epoch })
        })
        .await
    }

    /// Answers a watch call: every entry after the clock, for as long as the caller stays.
    ///
    /// # Errors
    /// The answer of a refused call.
    pub async fn serve_watch(
        &self,
        method: &'static Method,
        request: Request<WatchJournalRequest>,
    ) -> Result<Response<impl Stream<Item = Result<JournalEntry, Status>> + Send + use<>>, Status> {
        let mut trace_id = String::new();
        let entered = self.enter(method, &request, &mut trace_id).await;
        let request = request.into_inner();
        let checked = entered.and_then(|_| Ok(prost_protovalidate::Validate::validate(&request)?));
        checked.map_err(|error| error.into_status(method.service, &trace_id))?;
        let kernel = self.clone();
        let stream = async_stream::try_stream! {
            let mut clock = request.clock;
            let mut epoch = request.epoch;
            while !kernel.stopping().is_cancelled() {
                let ask = ReadJournalRequest { clock, limit: 500, wait: 25, epoch: epoch.clone(), ..ReadJournalRequest::default() };
                let page = kernel.journal_page(method.service, &ask).await.map_err(|error| {
                    log(method, &error, &trace_id);
                    error.into_status(method.service, &trace_id)
                })?;
                clock = page.clock;
                epoch = page.epoch;
                for entry in page.entries {
                    yield entry;
                }
            }
        };
        Ok(Response::new(stream))
    }

    /// A page of a journal, after waiting for its first entry as long as the request says.
    ///
    /// # Errors
    /// `JOURNAL_EPOCH_CHANGED`, or when the database does not answer.
    pub async fn journal_page(&self, journal: &'static str, request: &ReadJournalRequest) -> Result<JournalPage> {
        let limit = u32::try_from(request.limit).ok().filter(|limit| *limit > 0).unwrap_or(PAGE);
        let until = tokio::time::Instant::now() + Duration::from_secs(u64::try_from(request.wait).unwrap_or(0));
        let mut committed = self.committer().committed(journal);
        loop {
            committed.mark_unchanged();
            let (entries, head) = self.store().journal(journal, &request.entity_id, request.clock, limit).await?;
            if !request.epoch.is_empty() && request.epoch != head.epoch {
                let shared = self.store().shared_until(journal, &request.epoch).await?;
                return Err(epoch_changed(&head, shared));
            }
            if !entries.is_empty() || tokio::time::Instant::now() >= until {
                return self.as_page(entries, head, request.clock);
            }
            let wait = until.min(tokio::time::Instant::now() + POLL);
            tokio::select! {
                _ = tokio::time::timeout_at(wait, committed.changed()) => {}
                () = self.stopping().cancelled() => return self.as_page(entries, head, request.clock),
            }
        }
    }

    fn as_page(&self, entries: Vec<Entry>, head: Head, after: i64) -> Result<JournalPage> {
        let clock = entries.last().map_or(after, |entry| entry.clock);
        let entries = entries.into_iter().map(|entry| self.as_message(entry)).collect::<Result<_>>()?;
        Ok(JournalPage { entries, clock, max_clock: head.clock, epoch: head.epoch })
    }

    /// An entry as callers see it: without what must not leave the service.
    pub(crate) fn as_message(&self, entry: Entry) -> Result<JournalEntry> {
        let known = self.tables().iter().find(|known| known.table.name == entry.table);
        let known = known.ok_or_else(|| Error::internal(format!("the journal names an unknown table {}", entry.table)))?;
        let mut value = self.documents().wire(known.table.message, &entry.doc)?;
        if let Some(redact) = known.redact {
            value = redact(&value);
        }
        Ok(JournalEntry {
            clock: entry.clock,
            action: entry.action,
            entity_id: entry.entity_id,
            owner_id: entry.owner_id,
            version: entry.version,
            at: Some(timestamp(entry.at)),
            actor: entry.actor,
            subject: entry.subject,
            request_id: entry.request_id,
            removed: entry.removed,
            entity: Some(Any { type_url: format!("type.googleapis.com/{}", known.table.message), value }),
        })
    }
}

/// The reader's epoch has ended: what he read above `shared` is gone.
fn epoch_changed(head: &Head, shared: i64) -> Error {
    let message =
        format!("the journal was restored from a backup: entries above clock {shared} are other ones now; read on from there");
    let error = Error::new(Common::JournalEpochChanged, message);
    error.with("epoch", head.epoch.clone()).with("clock", shared.to_string())
}
