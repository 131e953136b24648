//! `fulfillment.provision_products`: takes provisions from step to step.

mod business;
mod checks;
mod classic_maps;
mod entitlements;
mod identities;
mod run;
mod subscription;

use pavise_kernel::common::v1::{JournalEntry, ProvisionType};
use pavise_kernel::error::Common;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use self::run::Run;
use crate::contract::feeds;
use crate::contract::v1::{Provision, ProvisionStatus as Status};

/// The worker. Only the newest journal entry of a provision drives it: an older entry asks for a step that is done, or
/// that the newer entry does. So the worker can stop after any write and go on from there.
#[derive(Debug)]
pub(crate) struct ProvisionProducts;

#[async_trait]
impl Worker for ProvisionProducts {
    fn name(&self) -> &'static str {
        "fulfillment.provision_products"
    }

    fn key_name(&self) -> &'static str {
        run::KEY_NAME
    }

    fn feed(&self) -> JournalFeed {
        feeds::PROVISION
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(seen) = worker::decode_entity::<Provision>(entry)? else { return Ok(()) };
        if entry.removed || is_waiting(&seen) {
            return Ok(());
        }
        let Some(mut run) = Run::load_newest(work, &seen, &entry.request_id).await? else { return Ok(()) };
        match advance(&mut run).await {
            // Another call changed it meanwhile, and its entry drives the next step.
            Err(error) if error.is(Common::VersionMismatch) => Ok(()),
            Err(error) if !error.is_transient() && run.can_fail() => match run.record_failure(&error).await {
                Err(error) if error.is(Common::VersionMismatch) => Ok(()),
                other => other,
            },
            other => other,
        }
    }
}

/// Whether the provision waits for a decision or its first use, or is at its end.
fn is_waiting(provision: &Provision) -> bool {
    match provision.status() {
        Status::Created => provision.provision_type() == ProvisionType::OnFirstUse,
        // A match that does not hold needs no decision.
        Status::ReinstateChecked => provision.reinstatement.as_ref().is_none_or(|reinstatement| reinstatement.holds),
        Status::Unspecified
        | Status::Completed
        | Status::Failed
        | Status::Deleted
        | Status::Updated
        | Status::PendingPlanChange
        | Status::PendingProfileReview => true,
        Status::Process
        | Status::Started
        | Status::PotentialReinstatement
        | Status::InProgress
        | Status::IdentitiesAdded
        | Status::ClassicMapsAdded
        | Status::SubscriptionAndEntitlementAdded
        | Status::BusinessAdded => false,
    }
}

/// Does the step of the status, up to the next status.
async fn advance(run: &mut Run) -> Result<()> {
    match run.provision().status() {
        Status::Created => run.move_to(Status::Started).await,
        Status::Process => {
            let failed_in = run.provision().failure.as_ref().map(|failure| failure.status());
            run.move_to(failed_in.unwrap_or(Status::Started)).await
        }
        Status::Started => checks::check_buyer_and_users(run).await,
        Status::PotentialReinstatement => checks::check_match(run).await,
        Status::ReinstateChecked => run.submit_as_new().await,
        Status::InProgress => {
            identities::add_identities(run).await?;
            run.move_to(Status::IdentitiesAdded).await
        }
        Status::IdentitiesAdded => {
            classic_maps::add_classic_maps(run).await?;
            run.move_to(Status::ClassicMapsAdded).await
        }
        Status::ClassicMapsAdded => {
            subscription::add_subscription(run).await?;
            entitlements::add_entitlements(run).await?;
            run.move_to(Status::SubscriptionAndEntitlementAdded).await
        }
        Status::SubscriptionAndEntitlementAdded if run.provision().needs_business() => {
            business::add_business(run).await?;
            run.move_to(Status::BusinessAdded).await
        }
        Status::SubscriptionAndEntitlementAdded | Status::BusinessAdded => run.move_to(Status::Completed).await,
        Status::Unspecified
        | Status::Completed
        | Status::Failed
        | Status::Deleted
        | Status::Updated
        | Status::PendingPlanChange
        | Status::PendingProfileReview => Ok(()),
    }
}
