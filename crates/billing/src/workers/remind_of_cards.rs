//! `billing.remind_of_cards`: tells members 30 and 7 days before their card has expired.

use std::time::Duration;

use pavise_kernel::range::SortKey as _;
use pavise_kernel::time::{add_days, to_date};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::payment_method as lookups;
use crate::contract::v1::{PaymentMethod, PaymentMethodStatus};
use crate::shared::letters::{Letter, write_day};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(6 * 3600);
/// The days before the first day on which the card cannot be used.
const DAYS: [i64; 2] = [30, 7];
/// The days in which it may still be told, after a time without a run.
const LATE: i64 = 2;

/// The worker.
#[derive(Debug)]
pub(crate) struct RemindOfCards;

#[async_trait]
impl Worker for RemindOfCards {
    fn name(&self) -> &'static str {
        "billing.remind_of_cards"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut failure = None;
        for days in DAYS {
            if let Err(error) = remind(work, days).await {
                failure = Some(error);
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

/// Tells of the cards that have expired in so many days.
async fn remind(work: &Work, days: i64) -> Result<()> {
    let today = to_date(work.now());
    let (from, until) = (add_days(today, days - LATE).key(), add_days(today, days).key());
    let (mut failure, mut after) = (None, None);
    loop {
        let page: Vec<PaymentMethod> =
            work.entities_in_range(lookups::EXPIRES_ON, (from.as_str(), until.as_str()), after.take()).await?;
        let Some(last) = page.last() else { return failure.map_or(Ok(()), Err) };
        after = Some((last.expires_on.unwrap_or_default().key(), last.id.clone()));
        for letter in page.iter().filter_map(|method| find_letter(method, days)) {
            // One that cannot be told does not stop the others.
            if let Err(error) = letter.send(work).await {
                failure = Some(error);
            }
        }
    }
}

/// The letter about a card that is in use.
fn find_letter(method: &PaymentMethod, days: i64) -> Option<Letter<'_>> {
    let (card, expired) = (method.card.as_ref()?, method.expires_on?);
    if method.status() != PaymentMethodStatus::Active || method.owner_id.is_empty() {
        return None;
    }
    Some(Letter {
        template_key: "billing.card-expiring",
        reader_id: &method.owner_id,
        cause: format!("card/{}/{}/{days}", method.id, write_day(expired)),
        values: vec![("card", card.last4.clone()), ("day", write_day(add_days(expired, -1)))],
        source: ("PaymentMethod", &method.id),
    })
}
