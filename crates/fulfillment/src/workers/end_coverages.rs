//! `fulfillment.end_coverages`: ends the entitlements of a subscription that ended with its plans.

use pavise_kernel::common::v1::{Date, JournalEntry};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait, time};
use tonic::Request;

use crate::contract::actions;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{CancelReason, GetSubscriptionRequest, Subscription, SubscriptionStatus};
use crate::contract::feeds;
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{CancelEntitlementRequest, Entitlement, EntitlementStatusReason, GetEntitlementRequest};
use crate::shared::answer::found_or_none;
use crate::workers::support::paid_by::find_paid_by;

/// The worker. It follows subscriptions that ended on their day, and those that were cancelled at once together with their
/// plans. After another cancellation at once, the caller decides about the entitlements.
#[derive(Debug)]
pub(crate) struct EndCoverages;

#[async_trait]
impl Worker for EndCoverages {
    fn name(&self) -> &'static str {
        "fulfillment.end_coverages"
    }

    fn key_name(&self) -> &'static str {
        "fulfillment.endings"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SUBSCRIPTIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(ended) = worker::decode_entity::<Subscription>(entry)? else { return Ok(()) };
        if !ends_plans(&entry.action, &ended) || is_back(work, &ended).await? {
            return Ok(());
        }
        let mut entitlements = EntitlementServiceClient::new(work.peer_channel("fulfillment"));
        for (identity_id, entitlement_id) in find_paid_by(work, &ended.id).await? {
            let ask =
                GetEntitlementRequest { identity_id: identity_id.clone(), entitlement_id: entitlement_id.clone() };
            let Some(entitlement) = found_or_none(entitlements.get_entitlement(Request::new(ask)).await)? else {
                continue;
            };
            let (ends_on, reason) = (last_day(&ended, &entitlement), reason_for(&ended).into());
            let cancel = CancelEntitlementRequest { identity_id, entitlement_id, reason, ends_on };
            entitlements.cancel_entitlement(work.new_request(cancel, &entitlement.id)).await?;
        }
        Ok(())
    }
}

/// Whether the plans end with the subscription.
fn ends_plans(action: &str, subscription: &Subscription) -> bool {
    action == actions::subscription::ENDED || action == actions::subscription::STATUS_CHANGED && subscription.ends_plans
}

/// Whether the subscription was brought back. One that is gone, or has another owner, was not.
async fn is_back(work: &Work, ended: &Subscription) -> Result<bool> {
    let ask = GetSubscriptionRequest { identity_id: ended.owner_id.clone(), subscription_id: ended.id.clone() };
    let now = found_or_none(
        SubscriptionServiceClient::new(work.peer_channel("billing")).get_subscription(Request::new(ask)).await,
    )?;
    Ok(now.is_some_and(|now| now.status() != SubscriptionStatus::Cancelled))
}

/// The day before the subscription ended; the day of a cancellation at once. An entitlement that begins later ends on its
/// first day.
fn last_day(ended: &Subscription, entitlement: &Entitlement) -> Option<Date> {
    let last = ended.cancelled_on.map(|day| time::add_days(day, -i64::from(!ended.ends_plans)))?;
    [Some(last), entitlement.effective_on].into_iter().flatten().max_by_key(|day| time::to_days(*day))
}

fn reason_for(ended: &Subscription) -> EntitlementStatusReason {
    match ended.cancel_reason() {
        CancelReason::MemberRequestedCancel => EntitlementStatusReason::MemberRequest,
        CancelReason::NoLongerEmployed
        | CancelReason::LeaveOfAbsence
        | CancelReason::Deceased
        | CancelReason::Reinstate
        | CancelReason::Unprocessed
        | CancelReason::GroupCancelled
        | CancelReason::Unspecified => EntitlementStatusReason::Internal,
    }
}
