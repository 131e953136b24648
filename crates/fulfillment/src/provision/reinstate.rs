//! Brings the earlier membership back.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::lifecycle::{Event, apply_event};
use super::support::reinstatement::decide_reinstatement;
use crate::contract::v1::{Provision, ReinstateRequest, ReinstatementStatus};

impl Edit<ReinstateRequest> for Provision {
    /// Decides for the earlier membership, and goes on.
    fn edit(&mut self, _request: &ReinstateRequest, context: &EditContext) -> Result<()> {
        decide_reinstatement(self, ReinstatementStatus::Reinstated, context.timestamp())?;
        apply_event(self, Event::Reinstate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ProvisionStatus, Reinstatement};

    #[test]
    fn the_provision_goes_on_with_the_earlier_membership() {
        let reinstatement =
            Reinstatement { status: ReinstatementStatus::Pending.into(), holds: true, ..Default::default() };
        let status = ProvisionStatus::ReinstateChecked.into();
        let mut provision = Provision { status, reinstatement: Some(reinstatement), ..Default::default() };
        provision.edit(&ReinstateRequest::default(), &EditContext::at(0)).unwrap();
        assert_eq!(provision.status(), ProvisionStatus::InProgress);
        assert_eq!(provision.reinstatement.unwrap().status(), ReinstatementStatus::Reinstated);
    }
}
