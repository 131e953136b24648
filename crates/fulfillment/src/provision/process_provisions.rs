//! Provisions are queued: for their first use, or for another try.

use pavise_kernel::{Call, Error, Result};

use super::support::lifecycle::{Event, apply_event};
use crate::contract::v1::{
    ErrorReason, ProcessProvisionsRequest, ProcessProvisionsResponse, Provision, ProvisionStatus, ReinstatementStatus,
};

/// Queues all provisions that the request names, or none.
pub(crate) async fn process_provisions(
    call: &Call,
    request: ProcessProvisionsRequest,
) -> Result<ProcessProvisionsResponse> {
    let mut unit = call.unit();
    let mut provisions = Vec::with_capacity(request.provision_ids.len());
    for id in &request.provision_ids {
        let before: Provision = call.get(id).await?;
        if before.status() == ProvisionStatus::Process {
            provisions.push(before);
            continue;
        }
        call.check_transition(&before)?;
        let mut after = before.clone();
        queue(&mut after)?;
        provisions.push(unit.update(&before, after)?);
    }
    unit.commit_answer(ProcessProvisionsResponse { provisions }).await
}

fn queue(provision: &mut Provision) -> Result<()> {
    let decided = provision.reinstatement.as_ref().map(|reinstatement| reinstatement.status());
    if decided == Some(ReinstatementStatus::Suspended) {
        return Err(Error::new(
            ErrorReason::ReinstatementSuspended,
            "this provision was suspended at its reinstatement",
        ));
    }
    apply_event(provision, Event::Process)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::Reinstatement;

    #[test]
    fn a_provision_that_was_suspended_at_its_reinstatement_is_not_tried_again() {
        let mut provision = Provision { status: ProvisionStatus::Failed.into(), ..Default::default() };
        queue(&mut provision.clone()).unwrap();
        provision.reinstatement =
            Some(Reinstatement { status: ReinstatementStatus::Suspended.into(), ..Default::default() });
        assert_eq!(queue(&mut provision).unwrap_err().reason(), "REINSTATEMENT_SUSPENDED");
    }
}
