//! Reads, waits for and watches a service's journal.

use std::time::Duration;

use futures::Stream;
use pavise_contract::common::v1::{
    GetMaxClockRequest, JournalClock, JournalEntry, JournalPage, ReadJournalRequest, WatchJournalRequest,
};
use pavise_contract::table::{Method, Realm};
use prost::Message as _;
use prost_types::Any;
use tokio::task::JoinError;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request, Response, Status};

use crate::call::in_flight::wait_outside;
use crate::call::open_streams::Kind;
use crate::call::security_notes::Seen;
use crate::call::stream::{AHEAD, ahead};
use crate::call::token::TokenFlaw;
use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::port::store::{Entry, JournalHead};
use crate::time::{self, Micros, to_timestamp};

/// Entries in a page when the caller gives no number.
const PAGE: u32 = 100;
/// Bytes of all entries in a page. It is half of the default message limit of gRPC clients.
const LARGEST_PAGE: usize = 2 << 20;
/// Seconds after which a watch checks again that its caller may still read.
const WATCH_WAIT: i32 = 2;

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
        self.serve(method, request, |call, request| async move {
            let (kernel, realm) = (call.kernel(), call.caller().realm);
            if request.wait <= 0 {
                return kernel.journal_page_for(method.service, &request, realm, Duration::ZERO).await;
            }
            let _waiting = kernel.open().count_open(Kind::Stream, call.caller(), call.address())?;
            wait_outside(kernel.journal_page_for(method.service, &request, realm, wait_of(&request))).await?
        })
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

    /// Answers a watch call: every entry after the clock, until the caller leaves.
    ///
    /// # Errors
    /// The answer of a refused call.
    pub async fn serve_watch(
        &self,
        method: &'static Method,
        request: Request<WatchJournalRequest>,
    ) -> Result<Response<impl Stream<Item = Result<JournalEntry, Status>> + Send + use<>>, Status> {
        let mut seen = Seen::default();
        let metadata = request.metadata().clone();
        let entered = self.admit_call(method, &request, &mut seen).await;
        let request = request.into_inner();
        let checked = entered.and_then(|call| {
            prost_protovalidate::Validate::validate(&request)?;
            let opened = self.open().count_open(Kind::Stream, call.caller(), call.address())?;
            Ok((call, opened))
        });
        let (call, opened) = checked.map_err(|error| self.refuse(method, error, &seen))?;
        self.note_answered(&call);
        let kernel = self.clone();
        let expiry = call.caller().expires_at;
        let stream = async_stream::try_stream! {
            let _opened = opened;
            let mut clock = request.clock;
            let mut epoch = request.epoch;
            while !kernel.stop_token().is_cancelled() {
                let ask = ReadJournalRequest { clock, limit: 500, wait: WATCH_WAIT, epoch: epoch.clone(), ..ReadJournalRequest::default() };
                let next = async {
                    // Access is checked for each page, because a token expires and a session ends.
                    let caller = kernel.authenticate_caller(&metadata).await?;
                    kernel.journal_page_for(method.service, &ask, caller.realm, wait_of(&ask)).await
                };
                let page = tokio::select! {
                    page = next => page,
                    () = kernel.until(expiry) => kernel.authenticate_caller(&metadata).await.and(Err(TokenFlaw::Expired.into())),
                };
                let page = page.map_err(|error| kernel.refuse(method, error, &seen))?;
                clock = page.clock;
                epoch = page.epoch;
                for entry in page.entries {
                    yield entry;
                }
            }
        };
        let broken = |panic: JoinError| Err(Error::internal(panic).into_status(method.service, ""));
        Ok(Response::new(ahead(stream, AHEAD, broken)))
    }

    /// Waits until that time, or for ever without one.
    pub(crate) async fn until(&self, time: Option<Micros>) {
        let Some(time) = time else { return std::future::pending().await };
        let left = u64::try_from(time.saturating_sub(self.machine_clock().now())).unwrap_or(0);
        self.machine_clock().sleep(Duration::from_micros(left)).await;
    }

    /// A page of a service's journal: from this process if the service runs here, else from its peer. A process has many
    /// readers: each waits a little less than it says, so that they do not all ask the database at once.
    ///
    /// # Errors
    /// As [`Kernel::journal_page`], or when the peer does not answer.
    pub async fn feed_page(
        &self,
        domain: &str,
        service: &'static str,
        path: &'static str,
        ask: ReadJournalRequest,
    ) -> Result<JournalPage> {
        if self.methods().iter().any(|method| method.service == service) {
            let wait = time::shorten(wait_of(&ask), self.ids().bits());
            return self.journal_page_for(service, &ask, Realm::Machine, wait).await;
        }
        let channel = self.peer_channel(domain);
        let mut client = tonic::client::Grpc::new(channel);
        client.ready().await.map_err(|error| Error::unavailable(domain, error))?;
        let codec = tonic_prost::ProstCodec::<ReadJournalRequest, JournalPage>::default();
        let answer = client.unary(Request::new(ask), PathAndQuery::from_static(path), codec).await;
        answer.map(Response::into_inner).map_err(|status| match status.code() {
            Code::Unavailable => Error::unavailable(domain, status.message()),
            _ => Error::from(status),
        })
    }

    /// A page of a journal. It waits for the first entry as long as the request allows.
    ///
    /// # Errors
    /// `JOURNAL_EPOCH_CHANGED`, or when the database does not answer.
    pub async fn journal_page(&self, journal: &'static str, request: &ReadJournalRequest) -> Result<JournalPage> {
        self.journal_page_for(journal, request, Realm::Machine, wait_of(request)).await
    }

    /// A page of a journal for callers of a realm: its entities have no field for others.
    async fn journal_page_for(
        &self,
        journal: &'static str,
        request: &ReadJournalRequest,
        realm: Realm,
        wait: Duration,
    ) -> Result<JournalPage> {
        let limit = u32::try_from(request.limit).ok().filter(|limit| *limit > 0).unwrap_or(PAGE);
        let until = tokio::time::Instant::now() + wait;
        let mut committed = self.committer().visible_clock(journal);
        let mut follower = None;
        loop {
            committed.mark_unchanged();
            let (entries, head) = self.store().journal(journal, &request.entity_id, request.clock, limit).await?;
            if !request.epoch.is_empty() && request.epoch != head.epoch {
                let shared = self.store().shared_until(journal, &request.epoch).await?;
                return Err(epoch_changed(&head, shared));
            }
            if !entries.is_empty() || tokio::time::Instant::now() >= until {
                return Ok(self.as_page((journal, realm), entries, head, request.clock));
            }
            let follower = follower.get_or_insert_with(|| self.heads().follow(self.store(), journal, false));
            tokio::select! {
                _ = tokio::time::timeout_at(until, committed.changed()) => {}
                () = follower.moves_beyond(&head) => {}
                () = self.stop_token().cancelled() => return Ok(self.as_page((journal, realm), entries, head, request.clock)),
            }
        }
    }

    fn as_page(
        &self,
        (journal, realm): (&str, Realm),
        entries: Vec<Entry>,
        head: JournalHead,
        after: i64,
    ) -> JournalPage {
        let entries = fitting(entries.into_iter().map(|entry| self.as_message(journal, realm, entry)));
        let clock = entries.last().map_or(after, |entry| entry.clock);
        JournalPage { entries, clock, max_clock: head.clock, epoch: head.epoch }
    }

    /// An entry for callers of a realm, without secrets. An entry with an unreadable document has no entity, so that readers can
    /// go on.
    fn as_message(&self, journal: &str, realm: Realm, entry: Entry) -> JournalEntry {
        let entity = self.entity_of(&entry, realm).inspect_err(|error| {
            tracing::error!(journal, clock = entry.clock, cause = %error, "the document of an entry cannot be read");
        });
        JournalEntry {
            clock: entry.clock,
            action: entry.action,
            entity_id: entry.entity_id,
            owner_id: entry.owner_id,
            version: entry.version,
            at: Some(to_timestamp(entry.at)),
            actor: entry.actor,
            subject: entry.subject,
            request_id: entry.request_id,
            removed: entry.removed,
            entity: entity.ok(),
        }
    }

    fn entity_of(&self, entry: &Entry, realm: Realm) -> Result<Any> {
        let known = self.tables().iter().find(|known| known.table.name == entry.table);
        let known =
            known.ok_or_else(|| Error::internal(format!("the journal names an unknown table {}", entry.table)))?;
        let mut value = self.documents().wire(known.table.message, &entry.doc)?;
        if let Some(redact) = known.redact {
            value = redact(&value, realm);
        }
        Ok(Any { type_url: format!("type.googleapis.com/{}", known.table.message), value })
    }
}

/// How long the reader waits for the first entry.
fn wait_of(request: &ReadJournalRequest) -> Duration {
    Duration::from_secs(u64::try_from(request.wait).unwrap_or(0))
}

/// As many entries as one message should hold. The first one always fits, however large it is.
fn fitting(entries: impl Iterator<Item = JournalEntry>) -> Vec<JournalEntry> {
    let mut size = 0_usize;
    entries
        .enumerate()
        .take_while(|(at, entry)| {
            size = size.saturating_add(entry.encoded_len());
            *at == 0 || size <= LARGEST_PAGE
        })
        .map(|(_, entry)| entry)
        .collect()
}

/// The reader's epoch has ended: the entries that it read above `shared` are gone.
pub(crate) fn epoch_changed(head: &JournalHead, shared: i64) -> Error {
    let message = format!(
        "the journal was restored from a backup: entries above clock {shared} are other ones now; read on from there"
    );
    let error = Error::new(Common::JournalEpochChanged, message);
    error.with("epoch", head.epoch.clone()).with("clock", shared.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_one_message_and_never_empty_for_what_is_large() {
        let entry = |size: usize| {
            let entity = Any { value: vec![0; size], ..Any::default() };
            JournalEntry { entity: Some(entity), ..JournalEntry::default() }
        };
        let count = |sizes: &[usize]| fitting(sizes.iter().map(|size| entry(*size))).len();
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&[10; 1000]), 1000);
        assert_eq!(count(&[100_000; 1000]), 20, "of 100 kB each in 2 MiB");
        assert_eq!(count(&[LARGEST_PAGE * 2, 1]), 1);
    }
}
