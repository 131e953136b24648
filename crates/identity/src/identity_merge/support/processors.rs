//! The processors of a merge: one for each kind of thing that is handed over.

use crate::contract::v1::{IdentityMerge, IdentityMergeStatus, ProcessorStatus};

/// The processor of this service's own work: names, numbers, password and sign-ins.
pub(crate) const IDENTITIES: &str = "identities";
/// The name of a merge's steps in idempotency keys. The workers of all domains share it.
pub(crate) const KEY_NAME: &str = "identity.merge";

impl IdentityMerge {
    /// The processor of that name.
    pub(crate) fn find_processor(&self, name: &str) -> Option<&ProcessorStatus> {
        self.processors.iter().find(|processor| processor.processor == name)
    }

    /// Both identities. They are held while the merge is open.
    pub(crate) fn both_identities(&self) -> Vec<String> {
        vec![self.owner_id.clone(), self.merged_identity_id.clone()]
    }

    /// Whether every other processor has ended without a failure: then the names can be moved.
    pub(crate) fn is_ready_for_names(&self) -> bool {
        self.processors
            .iter()
            .filter(|processor| processor.processor != IDENTITIES)
            .all(|processor| matches!(processor.status(), IdentityMergeStatus::Ok | IdentityMergeStatus::Warning))
    }

    /// The status of the whole merge. The names come last: they wait, and the merge has failed, while another processor
    /// has failed.
    pub(crate) fn overall_status(&self) -> IdentityMergeStatus {
        use IdentityMergeStatus as Status;
        let open = |processor: &ProcessorStatus| matches!(processor.status(), Status::Created | Status::Processing);
        let names = |processor: &&ProcessorStatus| processor.processor == IDENTITIES;
        if self.processors.iter().filter(|processor| !names(processor)).any(open) {
            return Status::InProgress;
        }
        if self.processors.iter().any(|processor| processor.status() == Status::Failed) {
            return Status::Failed;
        }
        if self.processors.iter().any(open) {
            return Status::InProgress;
        }
        let warned = self.processors.iter().any(|processor| processor.status() == Status::Warning);
        if warned { Status::Warning } else { Status::Complete }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(processors: &[(&str, IdentityMergeStatus)]) -> IdentityMerge {
        let one = |(name, status): &(&str, IdentityMergeStatus)| ProcessorStatus {
            processor: (*name).to_owned(),
            status: (*status).into(),
            ..ProcessorStatus::default()
        };
        IdentityMerge { processors: processors.iter().map(one).collect(), ..IdentityMerge::default() }
    }

    #[test]
    fn a_merge_is_as_far_as_its_processors_and_the_names_come_last() {
        use IdentityMergeStatus::{Complete, Created, Failed, InProgress, Ok, Processing, Warning};
        let table = [
            ([Created, Created], InProgress, false),
            ([Processing, Created], InProgress, false),
            ([Ok, Created], InProgress, true),
            ([Warning, Created], InProgress, true),
            ([Failed, Created], Failed, false),
            ([Ok, Failed], Failed, true),
            ([Ok, Ok], Complete, true),
            ([Warning, Ok], Warning, true),
            ([Ok, Warning], Warning, true),
        ];
        for ([orders, names], overall, ready) in table {
            let merge = merge(&[("orders", orders), (IDENTITIES, names)]);
            assert_eq!((merge.overall_status(), merge.is_ready_for_names()), (overall, ready), "{orders:?} {names:?}");
        }
    }
}
