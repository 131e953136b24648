//! Makes a new membership in spite of the match.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::lifecycle::{Event, apply_event};
use super::support::reinstatement::decide_reinstatement;
use crate::contract::v1::{Provision, ReinstatementStatus, SubmitAsNewRequest};

impl Edit<SubmitAsNewRequest> for Provision {
    /// Decides for a new membership, and goes on.
    fn edit(&mut self, _request: &SubmitAsNewRequest, context: &EditContext) -> Result<()> {
        decide_reinstatement(self, ReinstatementStatus::Ignored, context.timestamp())?;
        apply_event(self, Event::SubmitAsNew)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ProvisionStatus, Reinstatement};

    #[test]
    fn the_provision_goes_on_as_a_new_membership() {
        let reinstatement =
            Reinstatement { status: ReinstatementStatus::Pending.into(), holds: true, ..Default::default() };
        let status = ProvisionStatus::ReinstateChecked.into();
        let mut provision = Provision { status, reinstatement: Some(reinstatement), ..Default::default() };
        provision.edit(&SubmitAsNewRequest::default(), &EditContext::at(0)).unwrap();
        assert_eq!(provision.status(), ProvisionStatus::InProgress);
        assert_eq!(provision.reinstatement.unwrap().status(), ReinstatementStatus::Ignored);
    }
}
