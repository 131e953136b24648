//! Hands the reads of personal data that a process notes over to the record, in groups.
//!
//! A group is kept until the record has taken it. Its idempotency key is made of its first note, so that a group whose
//! answer was lost is recorded once.

use std::time::Duration;

use pavise_kernel::access::realm_name;
use pavise_kernel::disclosures::{Disclosure, GATHERING};
use pavise_kernel::{Kernel, Result, time};

use crate::contract::v1::data_access_service_client::DataAccessServiceClient;
use crate::contract::v1::{DataAccessRecord, RecordDataAccessesRequest};

/// The notes of a group.
const GROUP: usize = 200;
/// The pause after a group that was not taken.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a stopping process tries to hand over what is left.
const LAST: Duration = Duration::from_secs(5);

/// Hands over the notes of one process.
#[derive(Debug)]
pub struct ReadRecorder {
    kernel: Kernel,
    /// The group that the record has not taken yet.
    group: Vec<Disclosure>,
}

impl ReadRecorder {
    /// For the reads that this kernel notes.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        Self { kernel, group: Vec::new() }
    }

    /// Hands over until the process stops. [`finish`](Self::finish) hands over the rest.
    pub async fn follow(mut self) -> Self {
        let stop = self.kernel.stop_token().clone();
        while stop.run_until_cancelled(self.next()).await.is_some() {}
        self
    }

    /// Waits for notes, gathers more of them for a moment, and hands them over.
    async fn next(&mut self) {
        if self.group.is_empty() {
            self.kernel.disclosures().wait_for_more().await;
            tokio::time::sleep(GATHERING).await;
        }
        if let Err(error) = self.hand_over().await {
            tracing::warn!(cause = %error, waiting = self.left(), "reads of personal data are not on record yet");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Hands over all that is left, when no call is in progress any more.
    pub async fn write_rest(mut self) {
        let work = async {
            while self.left() > 0 {
                if self.hand_over().await.is_err() {
                    tokio::time::sleep(PAUSE).await;
                }
            }
        };
        if tokio::time::timeout(LAST, work).await.is_err() {
            let lost = self.left();
            tracing::error!(lost, "reads of personal data could not be put on record before the end");
        }
    }

    fn left(&self) -> usize {
        self.group.len() + self.kernel.disclosures().count_waiting()
    }

    /// Hands over one group. A group that is not taken is kept.
    async fn hand_over(&mut self) -> Result<()> {
        if self.group.is_empty() {
            self.group = self.kernel.disclosures().take_oldest(GROUP);
        }
        let Some(first) = self.group.first() else { return Ok(()) };
        let records = self.group.iter().map(record).collect();
        let mut request = tonic::Request::new(RecordDataAccessesRequest { records });
        if let Ok(key) = first.id.parse() {
            request.metadata_mut().insert("idempotency-key", key);
        }
        DataAccessServiceClient::new(self.kernel.peer_channel("identity")).record_data_accesses(request).await?;
        self.group.clear();
        Ok(())
    }
}

fn record(read: &Disclosure) -> DataAccessRecord {
    DataAccessRecord {
        id: read.id.clone(),
        owner_id: read.owner.clone(),
        reader_id: read.reader.clone(),
        reader_realm: realm_name(read.realm).to_owned(),
        impersonated: read.impersonated,
        service: read.service.to_owned(),
        call: read.rpc.to_owned(),
        entity_type: read.kind.to_owned(),
        read_at: Some(time::to_timestamp(read.at)),
        request_id: read.request_id.clone(),
        owner_count: i32::try_from(read.among).unwrap_or(i32::MAX),
        reason: read.reason.clone(),
    }
}
