//! A match with an earlier membership is decided; each decision is final.

use pavise_kernel::{Call, Error, Result};
use prost_types::Timestamp;

use super::lifecycle::{self, Event};
use crate::contract::v1::{
    self, ErrorReason, Provision, ProvisionFailure, ProvisionStatus, ProvisionStep, ReinstatementStatus as Decision,
};

/// The earlier membership comes back.
pub(super) async fn reinstate(call: &Call, request: v1::ReinstateRequest) -> Result<Provision> {
    let now = call.timestamp();
    call.change::<Provision>(&request.provision_id, |provision| {
        decide(provision, Decision::Reinstated, now)?;
        lifecycle::apply(provision, Event::Reinstate)
    })
    .await
}

/// A new membership is made.
pub(super) async fn submit_as_new(call: &Call, request: v1::SubmitAsNewRequest) -> Result<Provision> {
    let now = call.timestamp();
    call.change::<Provision>(&request.provision_id, |provision| {
        decide(provision, Decision::Ignored, now)?;
        lifecycle::apply(provision, Event::SubmitAsNew)
    })
    .await
}

/// Neither: the provision ends.
pub(super) async fn suspend(call: &Call, request: v1::SuspendRequest) -> Result<Provision> {
    let now = call.timestamp();
    let cause = if request.cause.is_empty() { "suspended at its reinstatement" } else { &request.cause };
    call.change::<Provision>(&request.provision_id, |provision| {
        decide(provision, Decision::Suspended, now)?;
        provision.failure = Some(ProvisionFailure {
            step: ProvisionStep::Reinstatement.into(),
            status: ProvisionStatus::ReinstateChecked.into(),
            reason: "REINSTATEMENT_SUSPENDED".to_owned(),
            cause: cause.to_owned(),
            failed_at: Some(now),
        });
        lifecycle::apply(provision, Event::Suspend)
    })
    .await
}

/// Decides without moving the provision.
pub(super) async fn update_reinstatement_status(call: &Call, request: v1::UpdateReinstatementStatusRequest) -> Result<Provision> {
    let now = call.timestamp();
    call.change::<Provision>(&request.provision_id, |provision| decide(provision, request.status(), now)).await
}

/// PENDING becomes a decision; a decision stays what it is.
fn decide(provision: &mut Provision, decision: Decision, now: Timestamp) -> Result<()> {
    let missing = || Error::new(ErrorReason::ReinstatementMissing, "this provision matched no cancelled membership");
    let checked = provision.status() == ProvisionStatus::ReinstateChecked;
    let reinstatement = provision.reinstatement.as_mut().ok_or_else(missing)?;
    let current = reinstatement.status();
    if current == decision {
        return Ok(());
    }
    if next(current, decision).is_none() {
        let spelling = current.spelling();
        return Err(Error::new(ErrorReason::ReinstatementDecided, format!("the reinstatement is {spelling} already"))
            .with("status", spelling));
    }
    if decision == Decision::Reinstated && checked && !reinstatement.holds {
        let message = "the earlier membership cannot be reinstated; submit the provision as new";
        return Err(Error::new(ErrorReason::ReinstatementNotPossible, message));
    }
    reinstatement.set_status(decision);
    reinstatement.decided_at = Some(now);
    Ok(())
}

/// Where a decision leads from the status of a reinstatement.
fn next(current: Decision, decision: Decision) -> Option<Decision> {
    match current {
        Decision::Pending => match decision {
            Decision::Reinstated | Decision::Ignored | Decision::Suspended => Some(decision),
            Decision::Unspecified | Decision::Pending => None,
        },
        Decision::Unspecified | Decision::Reinstated | Decision::Ignored | Decision::Suspended => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::Reinstatement;

    const FINAL: [Decision; 3] = [Decision::Reinstated, Decision::Ignored, Decision::Suspended];

    fn checked(status: Decision, holds: bool) -> Provision {
        let reinstatement = Reinstatement { status: status.into(), holds, ..Default::default() };
        Provision { status: ProvisionStatus::ReinstateChecked.into(), reinstatement: Some(reinstatement), ..Default::default() }
    }

    #[test]
    fn every_decision_is_final() {
        for first in FINAL {
            assert_eq!(next(Decision::Pending, first), Some(first));
            for second in [Decision::Unspecified, Decision::Pending, Decision::Reinstated, Decision::Ignored, Decision::Suspended]
            {
                assert_eq!(next(first, second), None);
            }
        }
    }

    #[test]
    fn the_same_decision_again_changes_nothing() {
        for decision in FINAL {
            let mut provision = checked(decision, true);
            decide(&mut provision, decision, Timestamp::default()).unwrap();
            assert_eq!(provision, checked(decision, true));
        }
        let refused = decide(&mut checked(Decision::Ignored, true), Decision::Reinstated, Timestamp::default()).unwrap_err();
        assert_eq!(refused.reason(), "REINSTATEMENT_DECIDED");
    }

    #[test]
    fn a_match_that_does_not_hold_is_not_reinstated() {
        let refused = decide(&mut checked(Decision::Pending, false), Decision::Reinstated, Timestamp::default()).unwrap_err();
        assert_eq!(refused.reason(), "REINSTATEMENT_NOT_POSSIBLE");
        decide(&mut checked(Decision::Pending, false), Decision::Ignored, Timestamp::default()).unwrap();
        decide(&mut checked(Decision::Pending, true), Decision::Reinstated, Timestamp::default()).unwrap();
    }
}
