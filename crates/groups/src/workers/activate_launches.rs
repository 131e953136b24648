//! `groups.activate_launches` and `groups.activate_paid_launches`: activate a launch when its business and its plan are there:
//! after a change of the launch, and after a plan is active again.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};
use tonic::Request;

use crate::contract::feeds;
use crate::contract::fulfillment::{Entitlement, EntitlementStatus};
use crate::contract::v1::launch_service_client::LaunchServiceClient;
use crate::contract::v1::{ActivateLaunchRequest, ErrorReason, Launch, LaunchStatus, ListLaunchesRequest};

/// The worker on the journal of launches.
#[derive(Debug)]
pub(crate) struct ActivateLaunches;

#[async_trait]
impl Worker for ActivateLaunches {
    fn name(&self) -> &'static str {
        "groups.activate_launches"
    }

    fn feed(&self) -> JournalFeed {
        feeds::LAUNCHES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        match worker::decode_entity::<Launch>(entry)? {
            Some(launch) => activate(work, &launch).await,
            None => Ok(()),
        }
    }
}

/// The worker on the journal of entitlements.
#[derive(Debug)]
pub(crate) struct ActivatePaidLaunches;

#[async_trait]
impl Worker for ActivatePaidLaunches {
    fn name(&self) -> &'static str {
        "groups.activate_paid_launches"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ENTITLEMENTS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let plan = worker::decode_entity::<Entitlement>(entry)?;
        // A plan that has just been made is in no launch yet.
        let again = plan.filter(|plan| entry.version > 1 && plan.status() == EntitlementStatus::Active);
        let Some(plan) = again else { return Ok(()) };
        let ask = ListLaunchesRequest {
            identity_id: plan.owner_id,
            status: LaunchStatus::Created.into(),
            entitlement_id: plan.id,
            ..ListLaunchesRequest::default()
        };
        let mut launches = LaunchServiceClient::new(work.peer_channel("groups"));
        for launch in launches.list_launches(Request::new(ask)).await?.into_inner().launches {
            activate(work, &launch).await?;
        }
        Ok(())
    }
}

/// Activates a launch that is complete.
async fn activate(work: &Work, launch: &Launch) -> Result<()> {
    let is_complete = !launch.business_id.is_empty() && !launch.entitlement_id.is_empty();
    if launch.status() != LaunchStatus::Created || !is_complete {
        return Ok(());
    }
    let request = ActivateLaunchRequest { launch_id: launch.id.clone() };
    let mut launches = LaunchServiceClient::new(work.peer_channel("groups"));
    let step = format!("activate {}", launch.version);
    match launches.activate_launch(work.new_request(request, &step)).await.map_err(Error::from) {
        // The plan is not in use yet: its own journal tells when it is.
        Err(error) if error.is(ErrorReason::LaunchIncomplete) => Ok(()),
        answered => work.skip_refused(answered, &step).map(drop),
    }
}
