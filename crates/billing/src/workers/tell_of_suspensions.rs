//! `billing.tell_of_suspensions`: tells members whose subscription is suspended for PAYMENT, and warns them before it is
//! cancelled.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use super::collecting::is_recent;
use crate::contract::actions::subscription as actions;
use crate::contract::feeds;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::contract::v1::{GetSubscriptionRequest, Subscription, SubscriptionStatus, SuspendReason};
use crate::shared::letters::{Letter, write_day};

/// The worker.
#[derive(Debug)]
pub(crate) struct TellOfSuspensions;

#[async_trait]
impl Worker for TellOfSuspensions {
    fn name(&self) -> &'static str {
        "billing.tell_of_suspensions"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SUBSCRIPTIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(changed) = worker::decode_entity::<Subscription>(entry)? else { return Ok(()) };
        if entry.removed || entry.action != actions::STATUS_CHANGED || !is_recent(work, entry) {
            return Ok(());
        }
        let Some(letter) = find_letter(&changed) else { return Ok(()) };
        // A payment since then has taken the cause away.
        let ask = GetSubscriptionRequest { identity_id: changed.owner_id.clone(), subscription_id: changed.id.clone() };
        let mut client = SubscriptionServiceClient::new(work.peer_channel("billing"));
        let now = client.get_subscription(Request::new(ask)).await;
        let Some(now) = work.skip_refused(now, "subscription")? else { return Ok(()) };
        if find_letter(now.get_ref()).is_none_or(|one| one.cause != letter.cause) {
            return Ok(());
        }
        letter.send(work).await
    }
}

/// The letter about where a subscription stands; none while it is paid, or where staff stopped it.
fn find_letter(subscription: &Subscription) -> Option<Letter<'_>> {
    let next = subscription.due_to_dun_on.filter(|_| subscription.suspended_for() == SuspendReason::Payment)?;
    let (template_key, event) = match subscription.status() {
        SubscriptionStatus::Suspended => ("billing.suspended", "suspended"),
        SubscriptionStatus::Precancel => ("billing.last-warning", "warned"),
        _ => return None,
    };
    let plans: Vec<&str> = subscription.items.iter().map(|item| item.name.as_str()).collect();
    Some(Letter {
        template_key,
        reader_id: &subscription.owner_id,
        cause: format!("{event}/{}/{}", subscription.id, write_day(next)),
        values: vec![("plan", plans.join(", ").chars().take(200).collect()), ("day", write_day(next))],
        source: ("Subscription", &subscription.id),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn only_what_the_platform_suspended_is_told() {
        let stands = |status: SubscriptionStatus| Subscription {
            id: "s".into(),
            status: status.into(),
            suspended_for: SuspendReason::Payment.into(),
            due_to_dun_on: Some(Date { year: 2026, month: 4, day: 7 }),
            ..Subscription::default()
        };
        let cause = |subscription: &Subscription| find_letter(subscription).map(|letter| letter.cause);
        assert_eq!(cause(&stands(SubscriptionStatus::Suspended)), Some("suspended/s/2026-04-07".into()));
        assert_eq!(cause(&stands(SubscriptionStatus::Precancel)), Some("warned/s/2026-04-07".into()));
        assert_eq!(cause(&stands(SubscriptionStatus::Active)), None);
        let by_staff = Subscription { suspended_for: 0, ..stands(SubscriptionStatus::Suspended) };
        assert_eq!(cause(&by_staff), None);
    }
}
