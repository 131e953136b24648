//! The report of a processor of a merge.

use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Kernel, Result};

use crate::contract::v1::identity_merge_service_client::IdentityMergeServiceClient;
use crate::contract::v1::{
    GetIdentityMergeRequest, IdentityMerge, IdentityMergeStatus, ProcessorStatus, UpdateProcessorStatusRequest,
};
use crate::identity_merge::KEY_NAME;

/// The merge as it is now.
pub(crate) async fn load_merge(kernel: &Kernel, id: &str) -> Result<IdentityMerge> {
    let work = Work::new(kernel, KEY_NAME, String::new(), "");
    let request = GetIdentityMergeRequest { merge_id: id.to_owned() };
    Ok(IdentityMergeServiceClient::new(work.peer_channel("identity")).get_identity_merge(request).await?.into_inner())
}

/// The report of a processor.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) status: IdentityMergeStatus,
    pub(crate) ids: Vec<String>,
    pub(crate) left: Vec<String>,
    pub(crate) message: String,
}

impl Report {
    pub(crate) fn of_status(status: IdentityMergeStatus) -> Self {
        Self { status, ..Self::default() }
    }

    /// Keeps the left ids and the message of before.
    pub(crate) fn keep_left(mut self, before: &ProcessorStatus) -> Self {
        self.left.clone_from(&before.left_ids);
        self.message.clone_from(&before.message);
        self
    }

    pub(crate) fn with_cause(mut self, error: &Error) -> Self {
        self.message = format!("{}: {}", error.reason(), error.message()).chars().take(300).collect();
        self
    }

    pub(crate) async fn send(self, kernel: &Kernel, merge: &str, processor: &str) -> Result<IdentityMerge> {
        let request = UpdateProcessorStatusRequest {
            merge_id: merge.to_owned(),
            processor: processor.to_owned(),
            status: self.status.into(),
            ids: self.ids,
            left_ids: self.left,
            message: self.message,
        };
        // A report is idempotent: it needs no key.
        let work = Work::new(kernel, KEY_NAME, String::new(), "");
        Ok(IdentityMergeServiceClient::new(work.peer_channel("identity"))
            .update_processor_status(request)
            .await?
            .into_inner())
    }
}
