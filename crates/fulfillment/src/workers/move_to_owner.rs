//! The parts of a merge of two identities that the contract does not declare. Provisions stay with the first identity and
//! record the merge. Entitlements of others name the new identity.

use pavise_kernel::owned_entities::refuse_for_now;
use pavise_kernel::worker::Work;
use pavise_kernel::{MoveToOwner, OwnerMove, Result, async_trait};

use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::provision_service_client::ProvisionServiceClient;
use crate::contract::v1::{ChangePersonRequest, GetProvisionRequest, ProvisionStatus, UpdateIdentityMergeIdRequest};

/// Records the merge on a provision.
#[derive(Debug)]
pub(crate) struct MoveProvisionsToOwner;

#[async_trait]
impl MoveToOwner for MoveProvisionsToOwner {
    fn processor(&self) -> &'static str {
        "provision"
    }

    async fn move_to_owner(&self, work: &Work, thing: &OwnerMove<'_>) -> Result<()> {
        // Nothing is undone: the provision was made for the first identity, and that identity was in a merge.
        if thing.undone {
            return Ok(());
        }
        let mut client = ProvisionServiceClient::new(work.peer_channel("fulfillment"));
        let ask = GetProvisionRequest { provision_id: thing.id.to_owned() };
        let status = client.get_provision(ask).await?.into_inner().status();
        if is_under_way(status) {
            return Err(refuse_for_now(format_args!("a provision is {}", status.spelling())));
        }
        let request = UpdateIdentityMergeIdRequest {
            provision_id: thing.id.to_owned(),
            identity_merge_id: thing.merge.to_owned(),
        };
        client.update_identity_merge_id(work.new_request(request, &format!("provision {}", thing.id))).await?;
        Ok(())
    }
}

/// Whether the platform works on the provision: the merge waits until its entitlements are there. A provision that waits
/// for a decision does not stop the merge.
fn is_under_way(status: ProvisionStatus) -> bool {
    match status {
        ProvisionStatus::Created
        | ProvisionStatus::InProgress
        | ProvisionStatus::IdentitiesAdded
        | ProvisionStatus::ClassicMapsAdded
        | ProvisionStatus::SubscriptionAndEntitlementAdded
        | ProvisionStatus::BusinessAdded
        | ProvisionStatus::Process
        | ProvisionStatus::Started => true,
        ProvisionStatus::Completed
        | ProvisionStatus::Failed
        | ProvisionStatus::Deleted
        | ProvisionStatus::Updated
        | ProvisionStatus::PendingPlanChange
        | ProvisionStatus::PotentialReinstatement
        | ProvisionStatus::ReinstateChecked
        | ProvisionStatus::PendingProfileReview
        | ProvisionStatus::Unspecified => false,
    }
}

/// Replaces the identity on an entitlement of another holder, where it is an authorized user or a delegate.
#[derive(Debug)]
pub(crate) struct MoveCoveragesToOwner;

#[async_trait]
impl MoveToOwner for MoveCoveragesToOwner {
    fn processor(&self) -> &'static str {
        "coverages"
    }

    async fn move_to_owner(&self, work: &Work, thing: &OwnerMove<'_>) -> Result<()> {
        let request = ChangePersonRequest {
            entitlement_id: thing.id.to_owned(),
            person_id: thing.from.to_owned(),
            new_person_id: thing.to.to_owned(),
        };
        let request = work.new_request(request, &format!("coverages {}", thing.id));
        EntitlementServiceClient::new(work.peer_channel("fulfillment")).change_person(request).await?;
        Ok(())
    }
}
