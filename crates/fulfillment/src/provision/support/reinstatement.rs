//! The decision about a match with an earlier membership.

use pavise_kernel::{Error, Result};
use prost_types::Timestamp;

use crate::contract::v1::{ErrorReason, Provision, ProvisionStatus, ReinstatementStatus as Decision};

/// Records the decision of a PENDING reinstatement. A decision is final; the same one again changes nothing.
pub(crate) fn decide_reinstatement(provision: &mut Provision, decision: Decision, now: Timestamp) -> Result<()> {
    let missing = || Error::new(ErrorReason::ReinstatementMissing, "this provision matched no cancelled membership");
    let checked = provision.status() == ProvisionStatus::ReinstateChecked;
    let reinstatement = provision.reinstatement.as_mut().ok_or_else(missing)?;
    let current = reinstatement.status();
    if current == decision {
        return Ok(());
    }
    if !may_become(current, decision) {
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

/// Whether a reinstatement in the status `current` can be decided so.
fn may_become(current: Decision, decision: Decision) -> bool {
    match current {
        Decision::Pending => match decision {
            Decision::Reinstated | Decision::Ignored | Decision::Suspended => true,
            Decision::Unspecified | Decision::Pending => false,
        },
        Decision::Unspecified | Decision::Reinstated | Decision::Ignored | Decision::Suspended => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::Reinstatement;

    const FINAL: [Decision; 3] = [Decision::Reinstated, Decision::Ignored, Decision::Suspended];

    fn checked(status: Decision, holds: bool) -> Provision {
        let reinstatement = Reinstatement { status: status.into(), holds, ..Default::default() };
        Provision {
            status: ProvisionStatus::ReinstateChecked.into(),
            reinstatement: Some(reinstatement),
            ..Default::default()
        }
    }

    #[test]
    fn every_decision_is_final() {
        for first in FINAL {
            assert!(may_become(Decision::Pending, first));
            for second in
                [Decision::Unspecified, Decision::Pending, Decision::Reinstated, Decision::Ignored, Decision::Suspended]
            {
                assert!(!may_become(first, second));
            }
        }
    }

    #[test]
    fn the_same_decision_again_changes_nothing() {
        for decision in FINAL {
            let mut provision = checked(decision, true);
            decide_reinstatement(&mut provision, decision, Timestamp::default()).unwrap();
            assert_eq!(provision, checked(decision, true));
        }
        let refused =
            decide_reinstatement(&mut checked(Decision::Ignored, true), Decision::Reinstated, Timestamp::default())
                .unwrap_err();
        assert_eq!(refused.reason(), "REINSTATEMENT_DECIDED");
    }

    #[test]
    fn a_match_that_does_not_hold_is_not_reinstated() {
        let refused =
            decide_reinstatement(&mut checked(Decision::Pending, false), Decision::Reinstated, Timestamp::default())
                .unwrap_err();
        assert_eq!(refused.reason(), "REINSTATEMENT_NOT_POSSIBLE");
        decide_reinstatement(&mut checked(Decision::Pending, false), Decision::Ignored, Timestamp::default()).unwrap();
        decide_reinstatement(&mut checked(Decision::Pending, true), Decision::Reinstated, Timestamp::default())
            .unwrap();
    }
}
