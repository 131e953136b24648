//! `billing.tell_of_repricings`: tells members of the new price of their plan, once for each repricing.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::time::{to_date, to_days};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Aggregate as _, Result, async_trait};
use tonic::Request;

use crate::contract::actions::repricing as actions;
use crate::contract::feeds;
use crate::contract::v1::repricing_service_client::RepricingServiceClient;
use crate::contract::v1::{
    GetRepricingRequest, OfferItemType, Repricing, RepricingRow, RepricingRowStatus, RepricingStatus, Subscription,
};
use crate::shared::letters::{Letter, write_day, write_money};

/// The worker.
#[derive(Debug)]
pub(crate) struct TellOfRepricings;

#[async_trait]
impl Worker for TellOfRepricings {
    fn name(&self) -> &'static str {
        "billing.tell_of_repricings"
    }

    fn feed(&self) -> JournalFeed {
        feeds::REPRICINGS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(row) = worker::decode_entity::<RepricingRow>(entry)? else { return Ok(()) };
        let is_new = entry.action == actions::ROW_RECORDED && row.status() == RepricingRowStatus::Repriced;
        if entry.removed || !is_new {
            return Ok(());
        }
        let ask = GetRepricingRequest { repricing_id: row.repricing_id.clone() };
        let mut client = RepricingServiceClient::new(work.peer_channel("billing"));
        let repricing = client.get_repricing(Request::new(ask)).await;
        let Some(repricing) = work.skip_refused(repricing, "repricing")? else { return Ok(()) };
        let repricing = repricing.into_inner();
        // Withdrawn, or counting already: a worker that is new reads the journal from its beginning.
        let is_announced = matches!(repricing.status(), RepricingStatus::Requested | RepricingStatus::Announced);
        let is_to_come = repricing.first_day.is_some_and(|first| to_days(to_date(work.now())) < to_days(first));
        if !is_announced || !is_to_come {
            return Ok(());
        }
        let stored = work.kernel().store().get(Subscription::TABLE, &row.subscription_id).await?;
        let Some(stored) = stored else { return Ok(()) };
        let subscription: Subscription = work.read_row(&stored)?;
        match find_letter(&subscription, &repricing) {
            Some(letter) => letter.send(work).await,
            None => Ok(()),
        }
    }
}

/// The letter about the new price; none where another plan or the end has dropped it. A member has one letter, however many
/// of their subscriptions get the price.
fn find_letter<'a>(subscription: &'a Subscription, repricing: &Repricing) -> Option<Letter<'a>> {
    let waiting = || subscription.waiting_prices.iter().filter(move |one| one.repricing_id == repricing.id);
    let (one, first) = waiting().find_map(|one| Some((one, one.first_day?)))?;
    let priced = subscription.items.iter().filter(|item| {
        item.r#type() == OfferItemType::Product
            && item.price == one.old_price
            && waiting().any(|one| (&one.product_id, &one.tier_id) == (&item.product_id, &item.tier_id))
    });
    let mut plans: Vec<&str> = priced.map(|item| item.name.as_str()).collect();
    plans.dedup();
    Some(Letter {
        template_key: "billing.repricing",
        reader_id: &subscription.owner_id,
        cause: format!("repricing/{}/{}", repricing.id, subscription.owner_id),
        values: vec![
            ("plan", plans.join(", ").chars().take(200).collect()),
            ("old_price", write_money(one.old_price)),
            ("price", write_money(one.price)),
            ("day", write_day(first)),
        ],
        source: ("Subscription", &subscription.id),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{SubscriptionItem, WaitingPrice};
    use pavise_kernel::common::v1::{Date, Money};

    #[test]
    fn a_letter_says_both_prices_and_the_first_day_while_the_price_waits() {
        let usd = |amount: i64| Some(Money { currency: 1, amount });
        let mut subscription = Subscription {
            id: "s".to_owned(),
            owner_id: "alice".to_owned(),
            items: vec![SubscriptionItem {
                r#type: OfferItemType::Product.into(),
                product_id: "legal".to_owned(),
                name: "Legal".to_owned(),
                price: usd(2995),
                ..SubscriptionItem::default()
            }],
            waiting_prices: vec![WaitingPrice {
                repricing_id: "r".to_owned(),
                product_id: "legal".to_owned(),
                old_price: usd(2995),
                price: usd(3495),
                first_day: Some(Date { year: 2026, month: 4, day: 1 }),
                ..WaitingPrice::default()
            }],
            ..Subscription::default()
        };
        let repricing = Repricing { id: "r".to_owned(), ..Repricing::default() };
        let letter = find_letter(&subscription, &repricing).unwrap();
        let values: Vec<&str> = letter.values.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["Legal", "29.95 USD", "34.95 USD", "2026-04-01"]);
        assert_eq!((letter.cause.as_str(), letter.reader_id), ("repricing/r/alice", "alice"));
        subscription.waiting_prices.clear();
        assert!(find_letter(&subscription, &repricing).is_none());
    }
}
