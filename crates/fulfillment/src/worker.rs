//! The worker that takes a provision from step to step, the one that takes up plan changes when they are due, the one
//! that ends what an ended subscription paid for, and the one that adds who accepted an invitation.

mod checks;
mod classic_maps;
mod endings;
mod entitlements;
mod hand_over;
mod identities;
mod invitations;
mod run;
mod subscription;

use std::time::Duration;

use pavise_kernel::common::v1::{JournalEntry, ProvisionType};
use pavise_kernel::error::Common;
use pavise_kernel::worker::{self, Feed, Work, Worker};
use pavise_kernel::{Result, async_trait};

pub(crate) use self::endings::EndingWorker;
pub(crate) use self::hand_over::{HandOverCoverages, HandOverProvisions};
pub(crate) use self::invitations::InvitationWorker;
use self::run::Run;
use crate::contract::v1::provision_service_client::ProvisionServiceClient;
use crate::contract::v1::{ProcessPlanChangesRequest, Provision, ProvisionStatus as Status};

/// Takes provisions from step to step. The newest entry of a provision drives it; whatever an older one would do is
/// done already or will be done by a newer one. So it can stop after any write and go on from there.
#[derive(Debug)]
pub(crate) struct ProvisionWorker;

#[async_trait]
impl Worker for ProvisionWorker {
    fn name(&self) -> &'static str {
        run::WORKER
    }

    fn feed(&self) -> Feed {
        Feed::Journal { domain: "fulfillment", service: "provision", path: "/pavise.fulfillment.v1.ProvisionService/ReadJournal" }
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(seen) = worker::entity::<Provision>(entry)? else { return Ok(()) };
        if entry.removed || waits(&seen) {
            return Ok(());
        }
        let Some(mut run) = Run::newest(work, &seen, &entry.request_id).await? else { return Ok(()) };
        match advance(&mut run).await {
            // Somebody changed it meanwhile: that change has an entry of its own.
            Err(error) if error.is(Common::VersionMismatch) => Ok(()),
            Err(error) if !error.is_transient() && run.can_fail() => match run.fail(&error).await {
                Err(error) if error.is(Common::VersionMismatch) => Ok(()),
                other => other,
            },
            other => other,
        }
    }
}

/// Takes up plan changes on their first day.
#[derive(Debug)]
pub(crate) struct PlanChangeWorker;

#[async_trait]
impl Worker for PlanChangeWorker {
    fn name(&self) -> &'static str {
        "fulfillment.plan_changes"
    }

    fn feed(&self) -> Feed {
        Feed::Every(Duration::from_secs(60))
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut provisions = ProvisionServiceClient::new(work.peer("fulfillment"));
        provisions.process_plan_changes(work.request(ProcessPlanChangesRequest::default(), "due")).await?;
        Ok(())
    }
}

/// Whether nothing is to be done until somebody decides or uses it, or ever.
fn waits(provision: &Provision) -> bool {
    match provision.status() {
        Status::Created => provision.provision_type() == ProvisionType::OnFirstUse,
        // A match that does not hold needs nobody's decision.
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

/// Does what the status asks for, up to the next status.
async fn advance(run: &mut Run) -> Result<()> {
    match run.provision().status() {
        Status::Created => run.move_to(Status::Started).await,
        Status::Process => {
            let failed_in = run.provision().failure.as_ref().map(|failure| failure.status());
            run.move_to(failed_in.unwrap_or(Status::Started)).await
        }
        Status::Started => checks::check(run).await,
        Status::PotentialReinstatement => checks::check_match(run).await,
        Status::ReinstateChecked => run.submit_as_new().await,
        Status::InProgress => {
            identities::add(run).await?;
            run.move_to(Status::IdentitiesAdded).await
        }
        Status::IdentitiesAdded => {
            classic_maps::add(run).await?;
            run.move_to(Status::ClassicMapsAdded).await
        }
        Status::ClassicMapsAdded => {
            subscription::add(run).await?;
            entitlements::add(run).await?;
            run.move_to(Status::SubscriptionAndEntitlementAdded).await
        }
        Status::SubscriptionAndEntitlementAdded if run.provision().needs_business() => {
            run.add_business().await?;
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
