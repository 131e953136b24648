//! Moves a provision to a status that the caller names.

use pavise_kernel::{Edit, EditContext, Error, Result};
use prost_types::Timestamp;

use super::support::lifecycle;
use super::support::lifecycle::Event;
use crate::contract::v1::{
    ErrorReason, ProfileReview, Provision, ProvisionFailure, Reinstatement, ReinstatementStatus, UpdateStatusRequest,
};

impl Edit<UpdateStatusRequest> for Provision {
    fn edit(&mut self, request: &UpdateStatusRequest, context: &EditContext) -> Result<()> {
        move_to_status(self, request, context.timestamp())
    }
}

fn move_to_status(provision: &mut Provision, request: &UpdateStatusRequest, now: Timestamp) -> Result<()> {
    let target = request.status();
    let event = lifecycle::event_for(provision, target)
        .ok_or_else(|| lifecycle::not_allowed_error(provision, target.spelling()))?;
    let from = provision.status();
    if lifecycle::next_status(from, event) != Some(target) {
        return Err(lifecycle::not_allowed_error(provision, target.spelling()));
    }
    match event {
        Event::Start | Event::Resume(_) => provision.attempts = provision.attempts.saturating_add(1),
        Event::Fail => {
            let failure =
                request.failure.clone().ok_or_else(|| Error::field("failure", "name the step and the cause"))?;
            provision.failure = Some(ProvisionFailure { status: from.into(), failed_at: Some(now), ..failure });
        }
        Event::MatchFound => record_match(provision, request, now)?,
        Event::MatchChecked => record_check(provision, request.match_holds)?,
        Event::CollisionFound => record_collisions(provision, request)?,
        Event::Complete => provision.failure = None,
        _ => {}
    }
    lifecycle::apply_event(provision, event)
}

fn record_match(provision: &mut Provision, request: &UpdateStatusRequest, now: Timestamp) -> Result<()> {
    let found = request.r#match.as_ref().ok_or_else(|| Error::field("match", "name the earlier membership"))?;
    provision.line_mut(&found.line_id)?;
    provision.reinstatement = Some(Reinstatement {
        status: ReinstatementStatus::Pending.into(),
        entitlement_id: found.entitlement_id.clone(),
        subscription_id: found.subscription_id.clone(),
        line_id: found.line_id.clone(),
        found_at: Some(now),
        ..Default::default()
    });
    Ok(())
}

fn record_check(provision: &mut Provision, holds: bool) -> Result<()> {
    let missing = || Error::new(ErrorReason::ReinstatementMissing, "this provision matched no cancelled membership");
    provision.reinstatement.as_mut().ok_or_else(missing)?.holds = holds;
    Ok(())
}

fn record_collisions(provision: &mut Provision, request: &UpdateStatusRequest) -> Result<()> {
    if request.collisions.is_empty() {
        return Err(Error::field("collisions", "name the authorized users"));
    }
    for collision in &request.collisions {
        provision.authorized_user(&collision.authorized_user_id)?;
    }
    provision.profile_review = Some(ProfileReview { collisions: request.collisions.clone(), reviewed_at: None });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ProvisionStatus as Status, ProvisionStep};

    fn request(status: Status) -> UpdateStatusRequest {
        UpdateStatusRequest { status: status.into(), ..Default::default() }
    }

    fn at(status: Status) -> Provision {
        Provision { status: status.into(), ..Default::default() }
    }

    #[test]
    fn the_next_try_begins_where_the_last_one_failed() {
        let mut provision = at(Status::IdentitiesAdded);
        let failure = ProvisionFailure {
            step: ProvisionStep::ClassicMaps.into(),
            cause: "no answer".to_owned(),
            ..Default::default()
        };
        let failed = UpdateStatusRequest { failure: Some(failure), ..request(Status::Failed) };
        move_to_status(&mut provision, &failed, Timestamp::default()).unwrap();
        assert_eq!(provision.status(), Status::Failed);
        assert_eq!(provision.failure.as_ref().unwrap().status(), Status::IdentitiesAdded);

        lifecycle::apply_event(&mut provision, Event::Process).unwrap();
        for elsewhere in [Status::Started, Status::InProgress, Status::ClassicMapsAdded] {
            assert!(
                move_to_status(&mut provision.clone(), &request(elsewhere), Timestamp::default()).is_err(),
                "{elsewhere:?}"
            );
        }
        move_to_status(&mut provision, &request(Status::IdentitiesAdded), Timestamp::default()).unwrap();
        assert_eq!((provision.status(), provision.attempts), (Status::IdentitiesAdded, 1));
        assert!(provision.failure.is_some(), "kept until it is completed");
    }

    #[test]
    fn a_move_needs_its_data() {
        for (from, to, field) in [
            (Status::InProgress, Status::Failed, "failure"),
            (Status::Started, Status::PotentialReinstatement, "match"),
            (Status::Started, Status::PendingProfileReview, "collisions"),
        ] {
            let refused = move_to_status(&mut at(from), &request(to), Timestamp::default()).unwrap_err();
            assert_eq!(refused.violations().first().unwrap().field, field);
        }
    }

    #[test]
    fn a_status_that_does_not_follow_is_refused() {
        for (from, to) in [
            (Status::Created, Status::Completed),
            (Status::Started, Status::Process),
            (Status::PendingPlanChange, Status::InProgress),
        ] {
            let refused = move_to_status(&mut at(from), &request(to), Timestamp::default()).unwrap_err();
            assert_eq!(refused.reason(), "STATUS_NOT_ALLOWED", "{from:?} to {to:?}");
        }
    }
}
