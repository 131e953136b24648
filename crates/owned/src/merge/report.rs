//! The report of a processor to the record of the merge.

use std::time::Duration;

use pavise_kernel::owned_entities::may_pass;
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Kernel, Result};
use tonic::Code;

use super::share::{DOMAIN, NAME};
use pavise_identity_client::v1::identity_merge_service_client::IdentityMergeServiceClient;
use pavise_identity_client::v1::{IdentityMerge, IdentityMergeStatus, UpdateProcessorStatusRequest};

/// Characters of a message in the record.
const LONGEST_MESSAGE: usize = 300;
/// Tries of a report that meets others: the workers of all domains report to one record at the same time.
const TRIES: u32 = 12;
/// The longest pause before the second try. It doubles with each try, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(640);

/// The state of a processor.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) status: IdentityMergeStatus,
    pub(super) ids: Vec<String>,
    pub(super) left: Vec<String>,
    pub(super) message: String,
}

impl Report {
    pub(super) fn to(status: IdentityMergeStatus) -> Self {
        Self { status, ..Self::default() }
    }

    /// The report after a refusal of a whole step: the processor waits, or has failed.
    pub(super) fn halted(error: &Error) -> Self {
        let status = if may_pass(error) { IdentityMergeStatus::Created } else { IdentityMergeStatus::Failed };
        Self::to(status).because(error)
    }

    /// The report after a refusal of one thing: the processor is done but for that thing, or has failed.
    pub(super) fn refused(error: &Error) -> Self {
        let status = match error.code() {
            // The thing does not allow the move. The platform itself is set up correctly.
            Code::NotFound | Code::FailedPrecondition | Code::AlreadyExists => IdentityMergeStatus::Warning,
            _ => IdentityMergeStatus::Failed,
        };
        Self::to(status).because(error)
    }

    pub(super) fn because(mut self, error: &Error) -> Self {
        self.message = format!("{}: {}", error.reason(), error.message()).chars().take(LONGEST_MESSAGE).collect();
        self
    }

    /// Sends the report without an idempotency key: a report states the current state, so a repeat does no harm.
    pub(super) async fn send(self, kernel: &Kernel, merge: &str, processor: &str) -> Result<IdentityMerge> {
        let request = UpdateProcessorStatusRequest {
            merge_id: merge.to_owned(),
            processor: processor.to_owned(),
            status: self.status.into(),
            ids: self.ids,
            left_ids: self.left,
            message: self.message,
        };
        let work = Work::new(kernel, NAME, String::new(), "");
        let mut client = IdentityMergeServiceClient::new(work.peer_channel(DOMAIN));
        let mut attempt = 1;
        loop {
            match client.update_processor_status(request.clone()).await {
                Err(status) if status.code() == Code::Aborted && attempt < TRIES => {
                    tokio::time::sleep(pause(attempt, kernel.ids().bits())).await;
                    attempt += 1;
                }
                answer => return Ok(answer?.into_inner()),
            }
        }
    }
}

/// A random pause, so that those who met do not meet again.
fn pause(attempt: u32, random: u64) -> Duration {
    let longest = FIRST_PAUSE.saturating_mul(1 << attempt.min(16)).min(LONGEST_PAUSE);
    Duration::from_micros(random % u64::try_from(longest.as_micros()).unwrap_or(u64::MAX).max(1))
}

#[cfg(test)]
mod tests {
    use pavise_kernel::Common;

    use super::*;

    #[test]
    fn a_refusal_of_one_thing_is_a_warning_and_a_refusal_of_the_work_a_failure() {
        let refused = |reason: Common| Report::refused(&Error::new(reason, "")).status;
        assert_eq!(refused(Common::StatusNotAllowed), IdentityMergeStatus::Warning);
        assert_eq!(refused(Common::NotFound), IdentityMergeStatus::Warning);
        assert_eq!(refused(Common::PermissionMissing), IdentityMergeStatus::Failed);
        assert_eq!(refused(Common::InvalidField), IdentityMergeStatus::Failed);
    }

    #[test]
    fn a_step_that_the_platform_cannot_do_yet_waits() {
        let halted = |reason: Common| Report::halted(&Error::new(reason, "")).status;
        assert_eq!(halted(Common::Unavailable), IdentityMergeStatus::Created);
        assert_eq!(halted(Common::Unimplemented), IdentityMergeStatus::Created);
        assert_eq!(halted(Common::InvalidField), IdentityMergeStatus::Failed);
    }
}
