//! Provisions, which are the record of what was set up for whom and only learn of the merge, entitlements, which change
//! their owner, and those of others that cover the identity, which know it by its other id.

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::worker::Work;

use super::{Handover, PAGE, Processor, every, under_way};
use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::provision_service_client::ProvisionServiceClient;
use crate::contract::fulfillment::{
    ChangeOwnerRequest, ChangePersonRequest, GetProvisionRequest, ListCoveragesRequest, ListEntitlementsRequest,
    ListProvisionsRequest, ProvisionStatus, UpdateIdentityMergeIdRequest,
};
use crate::contract::v1::MergeAction;

#[derive(Debug)]
pub(super) struct Provisions;

#[async_trait]
impl Processor for Provisions {
    fn name(&self) -> &'static str {
        "provision"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        every(|page_token| async move {
            let request =
                ListProvisionsRequest { identity_id: identity.to_owned(), page_size: PAGE, page_token, ..Default::default() };
            let page = ProvisionServiceClient::new(work.peer("fulfillment")).list_provisions(request).await?.into_inner();
            Ok((page.provisions.into_iter().map(|provision| provision.id).collect(), page.next_page_token))
        })
        .await
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        // The record says for whom it was, and that the identity was in a merge: undoing that makes neither untrue.
        if thing.action == MergeAction::Unmerge {
            return Ok(());
        }
        let mut client = ProvisionServiceClient::new(work.peer("fulfillment"));
        let ask = GetProvisionRequest { provision_id: thing.id.to_owned() };
        let status = client.get_provision(ask).await?.into_inner().status();
        if is_under_way(status) {
            let name = status.as_str_name().trim_start_matches("PROVISION_STATUS_").to_owned();
            return Err(under_way(format_args!("a provision is {name}")));
        }
        let request =
            UpdateIdentityMergeIdRequest { provision_id: thing.id.to_owned(), identity_merge_id: thing.merge.to_owned() };
        client.update_identity_merge_id(work.request(request, &format!("provision {}", thing.id))).await?;
        Ok(())
    }
}

/// Whether the platform goes on with a provision by itself: what it sets up then is moved afterwards. One that waits for
/// somebody's decision does not keep the merge waiting.
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

#[derive(Debug)]
pub(super) struct Entitlements;

#[async_trait]
impl Processor for Entitlements {
    fn name(&self) -> &'static str {
        "entitlements"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        every(|page_token| async move {
            let request =
                ListEntitlementsRequest { identity_id: identity.to_owned(), page_size: PAGE, page_token, ..Default::default() };
            let page = EntitlementServiceClient::new(work.peer("fulfillment")).list_entitlements(request).await?.into_inner();
            Ok((page.entitlements.into_iter().map(|entitlement| entitlement.id).collect(), page.next_page_token))
        })
        .await
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        let request = ChangeOwnerRequest {
            identity_id: thing.from.to_owned(),
            entitlement_id: thing.id.to_owned(),
            new_owner_id: thing.to.to_owned(),
        };
        let request = work.request(request, &format!("entitlements {}", thing.id));
        EntitlementServiceClient::new(work.peer("fulfillment")).change_owner(request).await?;
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct Coverages;

#[async_trait]
impl Processor for Coverages {
    fn name(&self) -> &'static str {
        "coverages"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        every(|page_token| async move {
            let request = ListCoveragesRequest { identity_id: identity.to_owned(), page_size: PAGE, page_token };
            let page = EntitlementServiceClient::new(work.peer("fulfillment")).list_coverages(request).await?.into_inner();
            Ok((page.coverages.into_iter().map(|coverage| coverage.entitlement_id).collect(), page.next_page_token))
        })
        .await
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        let request = ChangePersonRequest {
            entitlement_id: thing.id.to_owned(),
            person_id: thing.from.to_owned(),
            new_person_id: thing.to.to_owned(),
        };
        let request = work.request(request, &format!("coverages {}", thing.id));
        EntitlementServiceClient::new(work.peer("fulfillment")).change_person(request).await?;
        Ok(())
    }
}
