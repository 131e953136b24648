//! `groups.end_plans`: schedules the end of the plans through a group that is cancelled, and takes the schedule back when the
//! group is to go on.

use pavise_kernel::common::v1::{Date, JournalEntry};
use pavise_kernel::time::{add_days, to_days};
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
use crate::contract::v1::{Group, MembersAfterCancel};
use crate::group_enrollments::support::incomplete::is_paid_by_employee;

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
        let end = End::of(&group, is_cancelled);
        let mut page_token = String::new();
        loop {
            page_token = schedule_page(work, &group.id, end, page_token).await?;
            if page_token.is_empty() {
                return Ok(());
            }
        }
    }
}

/// The end that the group brings to the plans through it.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// The first day without them; none when the end is taken back.
    day: Option<Date>,
    /// Their members may go on at their own cost.
    may_continue: bool,
    /// The last day that the employer pays for; none where the members pay.
    employer_pays_until: Option<Date>,
}

impl End {
    pub(super) fn of(group: &Group, is_cancelled: bool) -> Self {
        let day = group.cancelled_on.filter(|_| is_cancelled);
        let may_continue = day.is_some() && group.members_after_cancel() == MembersAfterCancel::MayGoOn;
        let by_employer = may_continue && !is_paid_by_employee(group.pay_type());
        Self { day, may_continue, employer_pays_until: day.filter(|_| by_employer).map(|day| add_days(day, -1)) }
    }
}

/// Sets the day of the subscriptions of a page, or clears it, and answers the token of the next page.
async fn schedule_page(work: &Work, group_id: &str, end: End, page_token: String) -> Result<String> {
    let mut billing = SubscriptionServiceClient::new(work.peer_channel("billing"));
    let ask =
        ListGroupSubscriptionsRequest { group_id: group_id.to_owned(), page_size: 100, page_token, show_total: false };
    let page = billing.list_group_subscriptions(Request::new(ask)).await?.into_inner();
    for subscription in &page.subscriptions {
        schedule_end(work, subscription, end).await?;
    }
    Ok(page.next_page_token)
}

/// Sets the day of a subscription through the group, or clears it, where that is to change.
pub(super) async fn schedule_end(work: &Work, subscription: &Subscription, end: End) -> Result<()> {
    if !is_to_change(subscription, end.day) {
        return Ok(());
    }
    let step = format!("schedule {}", subscription.id);
    let mut billing = SubscriptionServiceClient::new(work.peer_channel("billing"));
    let request = work.new_request(build_request(subscription, end), &step);
    let answered = billing.migrate_scheduled_subscription_cancellation(request).await;
    work.skip_refused(answered, &step).map(drop)
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

fn build_request(subscription: &Subscription, end: End) -> MigrateScheduledSubscriptionCancellationRequest {
    MigrateScheduledSubscriptionCancellationRequest {
        group_id: subscription.group_id.clone(),
        identity_id: subscription.owner_id.clone(),
        subscription_id: subscription.id.clone(),
        cancel_on: end.day,
        reason: end.day.map_or(CancelReason::Unspecified, |_| CancelReason::GroupCancelled).into(),
        may_continue: end.may_continue,
        employer_pays_until: end.employer_pays_until,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::PayType;

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

    #[test]
    fn members_go_on_after_the_last_day_that_the_employer_pays_for() {
        let first_without = Date { year: 2026, month: 7, day: 1 };
        let end = |pay_type: PayType, after: MembersAfterCancel, is_cancelled: bool| {
            let group = Group {
                cancelled_on: Some(first_without),
                pay_type: pay_type.into(),
                members_after_cancel: after.into(),
                ..Group::default()
            };
            let end = End::of(&group, is_cancelled);
            (end.day, end.may_continue, end.employer_pays_until)
        };
        use {MembersAfterCancel as M, PayType as P};
        let last = Some(Date { month: 6, day: 30, ..first_without });
        assert_eq!(end(P::Payroll, M::MayGoOn, true), (Some(first_without), true, last));
        assert_eq!(end(P::SelfPay, M::MayGoOn, true), (Some(first_without), true, None));
        assert_eq!(end(P::Payroll, M::End, true), (Some(first_without), false, None));
        assert_eq!(end(P::Payroll, M::MayGoOn, false), (None, false, None));
    }
}
