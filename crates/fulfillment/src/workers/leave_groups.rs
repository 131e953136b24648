//! `fulfillment.leave_groups`: takes the entitlements of a member who goes on at their own cost out of the group.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::actions;
use crate::contract::billing::Subscription;
use crate::contract::feeds;
use crate::contract::v1::LeaveGroupRequest;
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::workers::support::paid_by::find_paid_by;

/// The worker. The group's administrators see the entitlements no more.
#[derive(Debug)]
pub(crate) struct LeaveGroups;

#[async_trait]
impl Worker for LeaveGroups {
    fn name(&self) -> &'static str {
        "fulfillment.leave_groups"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SUBSCRIPTIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.action != actions::subscription::CONTINUED {
            return Ok(());
        }
        let Some(subscription) = worker::decode_entity::<Subscription>(entry)? else { return Ok(()) };
        let mut entitlements = EntitlementServiceClient::new(work.peer_channel("fulfillment"));
        for (identity_id, entitlement_id) in find_paid_by(work, &subscription.id).await? {
            let step = format!("leave {entitlement_id}");
            let request = work.new_request(LeaveGroupRequest { identity_id, entitlement_id }, &step);
            let answered = entitlements.leave_group(request).await;
            work.skip_refused(answered, &step)?;
        }
        Ok(())
    }
}
