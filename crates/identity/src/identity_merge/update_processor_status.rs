//! Records the progress of a merge's processor.

use std::time::Duration;

use pavise_kernel::owned_entities::MOST_THINGS;
use pavise_kernel::time::{Micros, to_timestamp};
use pavise_kernel::{Call, Error, Result};
use prost_types::Timestamp;

use crate::contract::v1::{
    ErrorReason, IdentityMerge, IdentityMergeStatus, MergeAction, ProcessorStatus, UpdateProcessorStatusRequest,
};
use crate::shared::tools::Tools as _;

/// The first pause before a processor tries again; it doubles, up to the longest.
const FIRST_PAUSE: Micros = 5_000_000;
const LONGEST_PAUSE: Micros = 300_000_000;

pub(crate) async fn update_processor_status(
    call: &Call,
    request: UpdateProcessorStatusRequest,
) -> Result<IdentityMerge> {
    let retention = call.merges()?.config.unmerge_retention;
    let action = action_of(call, &request.merge_id).await?;
    call.change_as(&request.merge_id, action, |merge: &mut IdentityMerge| {
        let found = merge.processors.iter_mut().find(|known| known.processor == request.processor);
        let Some(processor) = found else {
            let message = format!("the merge has no processor {}", request.processor);
            return Err(Error::new(ErrorReason::ProcessorUnknown, message));
        };
        apply(processor, &request, call.now())?;
        rest(merge, call.timestamp(), call.now(), retention);
        Ok(())
    })
    .await
}

/// The journal action of a merge: its direction.
async fn action_of(call: &Call, id: &str) -> Result<&'static str> {
    let merge: IdentityMerge = call.get(id).await?;
    Ok(merge.action().spelling())
}

fn apply(processor: &mut ProcessorStatus, request: &UpdateProcessorStatusRequest, now: Micros) -> Result<()> {
    use IdentityMergeStatus as Status;
    let (from, to) = (processor.status(), request.status());
    let allowed = match from {
        Status::Created | Status::Processing => true,
        Status::Failed => matches!(to, Status::Processing | Status::Warning),
        Status::Ok | Status::Warning => to == Status::Processing || to == from,
        Status::Unspecified | Status::InProgress | Status::Complete => false,
    };
    if !allowed {
        let (name, from, to) = (&processor.processor, from.spelling(), to.spelling());
        let message = format!("the processor {name} does not go from {from} to {to}");
        return Err(Error::new(ErrorReason::ProcessorStatusNotAllowed, message));
    }
    for id in &request.ids {
        if !processor.ids.contains(id) {
            processor.ids.push(id.clone());
        }
    }
    if processor.ids.len() > MOST_THINGS {
        return Err(Error::field("ids", format!("a processor moves at most {MOST_THINGS} things")));
    }
    processor.status = to.into();
    processor.left_ids.clone_from(&request.left_ids);
    processor.message.clone_from(&request.message);
    processor.updated_at = Some(to_timestamp(now));
    processor.next_attempt_at = None;
    match to {
        Status::Created => {
            processor.next_attempt_at = Some(to_timestamp(now.saturating_add(pause(processor.attempts))));
            processor.attempts = processor.attempts.saturating_add(1);
        }
        Status::Ok | Status::Warning => {
            let left = processor.ids.iter().filter(|id| processor.left_ids.contains(id)).count();
            processor.moved = i32::try_from(processor.ids.len() - left).unwrap_or(i32::MAX);
        }
        _ => {}
    }
    Ok(())
}

/// Updates the status of the merge after a report, and releases the identities when it is done.
fn rest(merge: &mut IdentityMerge, at: Timestamp, now: Micros, retention: Duration) {
    let overall = merge.overall_status();
    merge.status = overall.into();
    if !matches!(overall, IdentityMergeStatus::Complete | IdentityMergeStatus::Warning) {
        return;
    }
    merge.held_identity_ids.clear();
    merge.completed_at = Some(at);
    if merge.action() == MergeAction::Merge {
        let retention = Micros::try_from(retention.as_micros()).unwrap_or(Micros::MAX);
        merge.unmerge_until = Some(to_timestamp(now.saturating_add(retention)));
    }
}

fn pause(attempts: i32) -> Micros {
    let doublings = u32::try_from(attempts.clamp(0, 10)).unwrap_or(0);
    (FIRST_PAUSE << doublings).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(status: IdentityMergeStatus, ids: &[&str], left: &[&str]) -> UpdateProcessorStatusRequest {
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        UpdateProcessorStatusRequest {
            status: status.into(),
            ids: owned(ids),
            left_ids: owned(left),
            ..UpdateProcessorStatusRequest::default()
        }
    }

    fn processor(status: IdentityMergeStatus) -> ProcessorStatus {
        ProcessorStatus { processor: "orders".into(), status: status.into(), ..ProcessorStatus::default() }
    }

    #[test]
    fn a_processor_goes_from_where_it_stands_to_where_it_can() {
        use IdentityMergeStatus::{Created, Failed, Ok, Processing, Warning};
        let all = [Created, Processing, Ok, Warning, Failed];
        let allowed = |from: IdentityMergeStatus| -> Vec<_> {
            all.into_iter().filter(|to| apply(&mut processor(from), &report(*to, &[], &[]), 0).is_ok()).collect()
        };
        assert_eq!(allowed(Created), all);
        assert_eq!(allowed(Processing), all);
        assert_eq!(allowed(Ok), [Processing, Ok]);
        assert_eq!(allowed(Warning), [Processing, Warning]);
        assert_eq!(allowed(Failed), [Processing, Warning]);
    }

    #[test]
    fn found_ids_add_up_without_those_that_stayed() {
        let mut orders = processor(IdentityMergeStatus::Created);
        apply(&mut orders, &report(IdentityMergeStatus::Processing, &["a", "b"], &[]), 1).unwrap();
        apply(&mut orders, &report(IdentityMergeStatus::Processing, &["b", "c"], &[]), 2).unwrap();
        apply(&mut orders, &report(IdentityMergeStatus::Warning, &[], &["b"]), 3).unwrap();
        assert_eq!((orders.ids.as_slice(), orders.moved), (["a", "b", "c"].map(str::to_owned).as_slice(), 2));
    }

    #[test]
    fn a_processor_that_waits_waits_longer_each_time() {
        let mut orders = processor(IdentityMergeStatus::Created);
        let mut pauses = Vec::new();
        for _ in 0..8 {
            apply(&mut orders, &report(IdentityMergeStatus::Created, &[], &[]), 0).unwrap();
            pauses.push(orders.next_attempt_at.unwrap().seconds);
        }
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 300, 300]);
        assert_eq!(orders.attempts, 8);
        apply(&mut orders, &report(IdentityMergeStatus::Processing, &[], &[]), 0).unwrap();
        assert_eq!(orders.next_attempt_at, None);
    }
}
