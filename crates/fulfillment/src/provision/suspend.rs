//! Ends a provision at its reinstatement.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::lifecycle::{Event, apply_event};
use super::support::reinstatement::decide_reinstatement;
use crate::contract::v1::{
    Provision, ProvisionFailure, ProvisionStatus, ProvisionStep, ReinstatementStatus, SuspendRequest,
};

impl Edit<SuspendRequest> for Provision {
    /// Decides for neither membership. The provision fails with the cause.
    fn edit(&mut self, request: &SuspendRequest, context: &EditContext) -> Result<()> {
        let now = context.timestamp();
        decide_reinstatement(self, ReinstatementStatus::Suspended, now)?;
        let cause = if request.cause.is_empty() { "suspended at its reinstatement" } else { &request.cause };
        self.failure = Some(ProvisionFailure {
            step: ProvisionStep::Reinstatement.into(),
            status: ProvisionStatus::ReinstateChecked.into(),
            reason: "REINSTATEMENT_SUSPENDED".to_owned(),
            cause: cause.to_owned(),
            failed_at: Some(now),
        });
        apply_event(self, Event::Suspend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::Reinstatement;

    #[test]
    fn the_provision_fails_with_a_cause() {
        let reinstatement =
            Reinstatement { status: ReinstatementStatus::Pending.into(), holds: true, ..Default::default() };
        let status = ProvisionStatus::ReinstateChecked.into();
        let mut provision = Provision { status, reinstatement: Some(reinstatement), ..Default::default() };
        provision.edit(&SuspendRequest::default(), &EditContext::at(0)).unwrap();
        assert_eq!(provision.status(), ProvisionStatus::Failed);
        assert_eq!(provision.failure.as_ref().unwrap().cause, "suspended at its reinstatement");
        assert_eq!(provision.reinstatement.unwrap().status(), ReinstatementStatus::Suspended);
    }
}
