//! `groups.end_plans`: schedules the end of the plans through a group that is cancelled, and takes the schedule back when the
//! group is to go on.

use pavise_kernel::common::v1::{Date, JournalEntry};
use pavise_kernel::time::to_days;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use crate::contract::actions::group as actions;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{
    CancelReason, ListGroupSubscriptionsRequest, MigrateScheduledSubscriptionCancellationRequest, Subscription,
    SubscriptionStatus,
};
use crate::contract::feeds;
use crate::contract::v1::Group;

/// The worker.
#[derive(Debug)]
pub(crate) struct EndPlans;

#[async_trait]
impl Worker for EndPlans {
    fn name(&self) -> &'static str {
        "groups.end_plans"
    }

    fn feed(&self) -> JournalFeed {
        feeds::GROUPS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let is_cancelled = entry.action == actions::CANCELLED;
        if !is_cancelled && entry.action != actions::PENDING {
            return Ok(());
        }
        let Some(group) = worker::decode_entity::<Group>(entry)? else { return Ok(()) };
        let day = group.cancelled_on.filter(|_| is_cancelled);
        let mut page_token = String::new();
        loop {
            page_token = schedule_page(work, &group.id, day, page_token).await?;
            if page_token.is_empty() {
                return Ok(());
            }
        }
    }
}

/// Sets the day of the subscriptions of a page, or clears it, and answers the token of the next page.
async fn schedule_page(work: &Work, group_id: &str, day: Option<Date>, page_token: String) -> Result<String> {
    let mut billing = SubscriptionServiceClient::new(work.peer_channel("billing"));
    let ask =
        ListGroupSubscriptionsRequest { group_id: group_id.to_owned(), page_size: 100, page_token, show_total: false };
    let page = billing.list_group_subscriptions(Request::new(ask)).await?.into_inner();
    for subscription in page.subscriptions.iter().filter(|one| is_to_change(one, day)) {
        let step = format!("schedule {}", subscription.id);
        let request = work.new_request(build_request(group_id, subscription, day), &step);
        let answered = billing.migrate_scheduled_subscription_cancellation(request).await;
        work.skip_refused(answered, &step)?;
    }
    Ok(page.next_page_token)
}

/// Whether the end of a subscription is to be set, or taken back. An earlier end of another cause stays.
fn is_to_change(subscription: &Subscription, day: Option<Date>) -> bool {
    let status = subscription.status();
    let runs = matches!(
        status,
        SubscriptionStatus::Active
            | SubscriptionStatus::Precancel
            | SubscriptionStatus::Suspended
            | SubscriptionStatus::CatchingUp
    );
    let by_group = subscription.cancel_reason() == CancelReason::GroupCancelled;
    let is_earlier = match (subscription.scheduled_cancel_on, day) {
        (Some(known), Some(day)) => to_days(known) <= to_days(day),
        _ => false,
    };
    runs && (by_group || day.is_some() && !is_earlier)
}

fn build_request(
    group_id: &str,
    subscription: &Subscription,
    day: Option<Date>,
) -> MigrateScheduledSubscriptionCancellationRequest {
    MigrateScheduledSubscriptionCancellationRequest {
        group_id: group_id.to_owned(),
        identity_id: subscription.owner_id.clone(),
        subscription_id: subscription.id.clone(),
        cancel_on: day,
        reason: day.map_or(CancelReason::Unspecified, |_| CancelReason::GroupCancelled).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_of_another_cause_stays() {
        let june = Date { year: 2026, month: 6, day: 30 };
        let day = Some(june);
        let of = |status: SubscriptionStatus, on: Option<Date>, reason: CancelReason| Subscription {
            status: status.into(),
            scheduled_cancel_on: on,
            cancel_reason: reason.into(),
            ..Subscription::default()
        };
        use {CancelReason as R, SubscriptionStatus as S};
        assert!(is_to_change(&of(S::Active, None, R::Unspecified), day));
        assert!(!is_to_change(&of(S::Cancelled, None, R::Unspecified), day));
        assert!(!is_to_change(&of(S::Active, day, R::NoLongerEmployed), day));
        assert!(is_to_change(&of(S::Active, day, R::GroupCancelled), day), "the group ends on another day");
        let later = Some(Date { month: 7, ..june });
        assert!(is_to_change(&of(S::Suspended, later, R::NoLongerEmployed), day), "the group ends before");
        assert!(!is_to_change(&of(S::Active, day, R::NoLongerEmployed), later));
        assert!(is_to_change(&of(S::Active, day, R::GroupCancelled), None));
        assert!(!is_to_change(&of(S::Active, None, R::Unspecified), None));
    }
}
