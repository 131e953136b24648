//! `fulfillment.follow_payments`: suspends the entitlements of a subscription that is suspended because it is not paid, and
//! brings them back with it.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use crate::contract::actions::subscription as actions;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{GetSubscriptionRequest, Subscription, SubscriptionStatus, SuspendReason};
use crate::contract::feeds;
use crate::contract::v1::FollowSubscriptionPaymentRequest;
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::shared::answer::found_or_none;
use crate::workers::support::paid_by::find_paid_by;

/// The changes of a subscription that a payment, or the lack of one, makes.
const CAUSES: [&str; 3] = [actions::STATUS_CHANGED, actions::ARREARS_UPDATED, actions::PAID_TO_DATE_UPDATED];

/// The worker. It follows what the subscription is by now, so that an entry which is read late does no harm.
#[derive(Debug)]
pub(crate) struct FollowPayments;

#[async_trait]
impl Worker for FollowPayments {
    fn name(&self) -> &'static str {
        "fulfillment.follow_payments"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SUBSCRIPTIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(changed) = worker::decode_entity::<Subscription>(entry)? else { return Ok(()) };
        if entry.removed || !CAUSES.contains(&entry.action.as_str()) {
            return Ok(());
        }
        let ask = GetSubscriptionRequest { identity_id: changed.owner_id, subscription_id: changed.id };
        let mut subscriptions = SubscriptionServiceClient::new(work.peer_channel("billing"));
        let now = found_or_none(subscriptions.get_subscription(Request::new(ask)).await)?;
        // The plans of a cancelled one end.
        let Some(now) = now.filter(|now| now.status() != SubscriptionStatus::Cancelled) else { return Ok(()) };
        let unpaid = now.suspended_for() == SuspendReason::Payment;
        let is_stopped = matches!(now.status(), SubscriptionStatus::Suspended | SubscriptionStatus::Precancel);
        if is_stopped && !unpaid {
            // Staff have stopped it, and decide about the entitlements.
            return Ok(());
        }
        let mut entitlements = EntitlementServiceClient::new(work.peer_channel("fulfillment"));
        for (_, entitlement_id) in find_paid_by(work, &now.id).await? {
            let request = FollowSubscriptionPaymentRequest { entitlement_id: entitlement_id.clone(), unpaid };
            // The key says what is followed: a repeat may find that it was paid meanwhile.
            let step = format!("{entitlement_id} {unpaid}");
            entitlements.follow_subscription_payment(work.new_request(request, &step)).await?;
        }
        Ok(())
    }
}
