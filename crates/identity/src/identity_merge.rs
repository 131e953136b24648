//! The service `identity_merge`: two identities of one person become one, and are taken apart again.
//!
//! A call only starts a merge. Each domain runs a worker that reads the journal of merges, hands over what the domain keeps
//! for the merged identity, and reports to the record: one processor for each kind of thing. It first records what it
//! found, then moves it with calls that have the effect of one however often they are made, so that a process killed
//! anywhere goes on where it was. [`worker::Waiting`] wakes a processor that waits. The names to sign in with go over last:
//! [`worker::Merging`] moves them.

mod absorb;
mod merge_identity;
mod pair;
mod preview;
mod release;
mod report;
mod unmerge_identity;
mod worker;

pub(crate) use merge_identity::merge_identity;
use pavise_kernel::{Call, Consequences, Error, Invariants, Result, Settle, Step};
use prost_types::Timestamp;
pub(crate) use unmerge_identity::unmerge_identity;

pub(crate) use absorb::absorb_identity;
pub(crate) use pair::free;
pub(crate) use release::release_identity;
pub(crate) use worker::{Merging, Waiting};

use crate::config::Config;
use crate::contract::v1::{self, IdentityMerge, IdentityMergeStatus, ProcessorStatus};

/// The processor of this service's own work: names, numbers, password and sign-ins.
pub(crate) const IDENTITIES: &str = "identities";

/// How many processors a merge has at most.
const MOST_PROCESSORS: usize = 40;

/// The handler of the service.
#[derive(Debug)]
pub(crate) struct Merges {
    config: Config,
}

impl Merges {
    pub(crate) fn new(config: &Config) -> Self {
        Self { config: config.clone() }
    }
}

pub(crate) async fn update_processor_status(call: &Call, request: v1::UpdateProcessorStatusRequest) -> Result<IdentityMerge> {
    let service = call.provided::<Merges>()?;
    report::update_processor_status(call, &request, service.config.unmerge_retention).await
}

impl Settle for IdentityMerge {
    fn settle(&mut self, _before: Option<&Self>, at: &Timestamp) -> Result<()> {
        // The platform's own say where they stand from the beginning.
        for processor in self.processors.iter_mut().filter(|one| one.status() == IdentityMergeStatus::Unspecified) {
            processor.status = IdentityMergeStatus::Created.into();
            processor.external = true;
            processor.updated_at = Some(*at);
        }
        Ok(())
    }
}

impl Invariants for IdentityMerge {
    fn check(&self) -> Result<()> {
        if self.processors.len() > MOST_PROCESSORS {
            return Err(Error::field("processors", format!("a merge has at most {MOST_PROCESSORS}")));
        }
        Ok(())
    }
}

impl Consequences for IdentityMerge {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        match (&step.before, &mut step.after) {
            (None, Some(after)) => merge_identity::plan(call, after).await?,
            // The journal says which way a merge goes.
            (Some(_), Some(after)) => {
                let action = after.action().spelling();
                step.say(action);
            }
            (_, None) => {}
        }
        Ok(())
    }
}

impl IdentityMerge {
    /// The processor of that name.
    pub(crate) fn processor(&self, name: &str) -> Option<&ProcessorStatus> {
        self.processors.iter().find(|processor| processor.processor == name)
    }

    /// Both identities, as they are held while the merge is not at rest.
    pub(crate) fn both(&self) -> Vec<String> {
        vec![self.owner_id.clone(), self.merged_identity_id.clone()]
    }

    /// Whether every processor but the last has come to an end, and none in failure: then the names may go over.
    pub(crate) fn is_ready_for_names(&self) -> bool {
        self.processors
            .iter()
            .filter(|processor| processor.processor != IDENTITIES)
            .all(|processor| matches!(processor.status(), IdentityMergeStatus::Ok | IdentityMergeStatus::Warning))
    }

    /// Where the merge stands as a whole, as its processors say. The names come last: while another processor has failed
    /// they wait, and the merge has failed.
    pub(crate) fn overall(&self) -> IdentityMergeStatus {
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
            assert_eq!((merge.overall(), merge.is_ready_for_names()), (overall, ready), "{orders:?} {names:?}");
        }
    }
}
