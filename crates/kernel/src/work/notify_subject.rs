//! Letters to those in whose name somebody acted: calls with `IMPERSONATION_NOTIFY`.
//!
//! A worker for each journal of such calls, which the build declares, reads the entries of impersonations. It tells the
//! identity domain, which writes the letter. So no such call exists without its notice.

use async_trait::async_trait;
use http::uri::PathAndQuery;
use pavise_contract::common::v1::{JournalEntry, TellSubjectRequest, TellSubjectResponse};

use crate::error::{Error, Result};
use crate::work::worker::{JournalFeed, Work, Worker};

/// The domain that writes the letters, and its call.
const DOMAIN: &str = "identity";
const TELL: &str = "/pavise.identity.v1.IdentityService/TellSubject";

/// A journal with entries of which their subject is told.
#[derive(Debug)]
pub struct SubjectNotice {
    /// The worker's name.
    pub worker: &'static str,
    /// The service with the journal.
    pub service: &'static str,
    /// The journal.
    pub feed: JournalFeed,
    /// The actions of the calls.
    pub actions: &'static [&'static str],
}

/// Tells the subjects of a journal's entries.
#[derive(Debug)]
pub struct SubjectNoticeWorker(&'static SubjectNotice);

impl SubjectNoticeWorker {
    /// The worker of a journal.
    #[must_use]
    pub fn new(told: &'static SubjectNotice) -> Self {
        Self(told)
    }
}

#[async_trait]
impl Worker for SubjectNoticeWorker {
    fn name(&self) -> &'static str {
        self.0.worker
    }

    fn feed(&self) -> JournalFeed {
        self.0.feed
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.subject.is_empty() || !self.0.actions.contains(&entry.action.as_str()) {
            return Ok(());
        }
        let ask = TellSubjectRequest {
            identity_id: entry.subject.clone(),
            service: self.0.service.to_owned(),
            clock: entry.clock,
        };
        let mut client = tonic::client::Grpc::new(work.peer_channel(DOMAIN));
        client.ready().await.map_err(|error| Error::unavailable(DOMAIN, error))?;
        let codec = tonic_prost::ProstCodec::<TellSubjectRequest, TellSubjectResponse>::default();
        let answer = client.unary(work.new_request(ask, "tell"), PathAndQuery::from_static(TELL), codec).await;
        // An identity that is gone is told nothing.
        work.skip_refused(answer, "tell the subject").map(drop)
    }
}
