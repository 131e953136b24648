//! `billing.remind_of_charges`: tells members of an annual charge 30 days before it.

use std::time::Duration;

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::range::SortKey as _;
use pavise_kernel::time::{add_days, to_date};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::subscription as lookups;
use crate::contract::v1::{Collection, Subscription};
use crate::shared::letters::{Letter, write_day, write_money};
use crate::subscriptions::support::prices::sum_prices;
use crate::subscriptions::support::waiting_prices::apply_waiting_prices;

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(6 * 3600);
/// The days before the charge.
const DAYS: i64 = 30;
/// The days in which it may still be told, after a time without a run.
const LATE: i64 = 2;

/// The worker.
#[derive(Debug)]
pub(crate) struct RemindOfCharges;

#[async_trait]
impl Worker for RemindOfCharges {
    fn name(&self) -> &'static str {
        "billing.remind_of_charges"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let today = to_date(work.now());
        let (from, until) = (add_days(today, DAYS - LATE).key(), add_days(today, DAYS).key());
        let (mut failure, mut after) = (None, None);
        loop {
            let page: Vec<Subscription> =
                work.entities_in_range(lookups::NEXT_BILL_ON, (from.as_str(), until.as_str()), after.take()).await?;
            let Some(last) = page.last() else { return failure.map_or(Ok(()), Err) };
            after = Some((last.next_bill_on.unwrap_or_default().key(), last.id.clone()));
            for letter in page.iter().filter_map(find_letter) {
                // One that cannot be told does not stop the others.
                if let Err(error) = letter.send(work).await {
                    failure = Some(error);
                }
            }
        }
    }
}

/// The letter about the next charge of a subscription that is charged once a year, or more rarely.
fn find_letter(subscription: &Subscription) -> Option<Letter<'_>> {
    let day = subscription.bills_on?;
    let is_annual = subscription.billing_period() == BillingPeriod::Annual;
    if !is_annual || subscription.collection() != Collection::Charge {
        return None;
    }
    let mut billed = subscription.clone();
    apply_waiting_prices(&mut billed, day);
    let total = sum_prices(&billed.items, billed.billing_frequency)?;
    if total.amount == 0 {
        return None;
    }
    Some(Letter {
        template_key: "billing.renewal",
        reader_id: &subscription.owner_id,
        cause: format!("renewal/{}/{}", subscription.id, write_day(day)),
        values: vec![("amount", write_money(Some(total))), ("day", write_day(day))],
        source: ("Subscription", &subscription.id),
    })
}
