//! `groups.end_late_plans`: schedules the end of a plan that is set up through a group after that was cancelled. A plan waits
//! for its first use, and what was paid for is set up.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};
use tonic::Request;

use crate::contract::actions::subscription as actions;
use crate::contract::billing::Subscription;
use crate::contract::feeds;
use crate::contract::v1::group_service_client::GroupServiceClient;
use crate::contract::v1::{GetGroupRequest, GroupStatus};
use crate::workers::end_plans::{End, schedule_end};

/// The worker.
#[derive(Debug)]
pub(crate) struct EndLatePlans;

#[async_trait]
impl Worker for EndLatePlans {
    fn name(&self) -> &'static str {
        "groups.end_late_plans"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SUBSCRIPTIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.action != actions::CREATED {
            return Ok(());
        }
        let Some(subscription) = worker::decode_entity::<Subscription>(entry)? else { return Ok(()) };
        if subscription.group_id.is_empty() {
            return Ok(());
        }
        let ask = GetGroupRequest { group_id: subscription.group_id.clone() };
        let mut groups = GroupServiceClient::new(work.peer_channel("groups"));
        match groups.get_group(Request::new(ask)).await.map_err(Error::from) {
            Ok(group) if group.get_ref().status() == GroupStatus::Cancelled => {
                schedule_end(work, &subscription, End::of(group.get_ref(), true)).await
            }
            Err(error) if !error.is(Common::NotFound) => Err(error),
            _ => Ok(()),
        }
    }
}
