//! `billing.tell_of_changes`: tells members of a change of their plan, once it is taken up.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::time::{to_date, to_days, to_micros};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use super::collecting::is_recent;
use crate::contract::actions::subscription as actions;
use crate::contract::feeds;
use crate::contract::v1::Subscription;
use crate::shared::letters::{Letter, write_day, write_money};
use crate::subscriptions::support::prices::sum_prices;

/// The days after its first one in which a change is told.
const DAYS: i64 = 7;

/// The worker.
#[derive(Debug)]
pub(crate) struct TellOfChanges;

#[async_trait]
impl Worker for TellOfChanges {
    fn name(&self) -> &'static str {
        "billing.tell_of_changes"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SUBSCRIPTIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(changed) = worker::decode_entity::<Subscription>(entry)? else { return Ok(()) };
        // A change is taken up at its time, or with a bill.
        let is_taken_up = entry.action == actions::OFFER_UPDATED || entry.action == actions::BILLING_ADVANCED;
        if entry.removed || !is_taken_up || !is_recent(work, entry) || !has_just_changed(&changed, entry) {
            return Ok(());
        }
        match find_letter(&changed) {
            Some(letter) => letter.send(work).await,
            None => Ok(()),
        }
    }
}

/// Whether the plan is new at an entry. Bills of later months find the day of a change that was told.
fn has_just_changed(changed: &Subscription, entry: &JournalEntry) -> bool {
    let Some(at) = entry.at.as_ref().map(|at| to_date(to_micros(at))) else { return false };
    changed.changed_on.is_some_and(|first| to_days(at) - to_days(first) < DAYS)
}

/// The letter about the plan as it is. Its cause has what the plan costs, so that another change of the same day is told, too.
fn find_letter(changed: &Subscription) -> Option<Letter<'_>> {
    let first = changed.changed_on?;
    let total = sum_prices(&changed.items, changed.billing_frequency)?;
    let plans: Vec<&str> = changed.items.iter().map(|item| item.name.as_str()).collect();
    Some(Letter {
        template_key: "billing.changed",
        reader_id: &changed.owner_id,
        cause: format!("change/{}/{}/{}/{}", changed.id, write_day(first), changed.offer_id, total.amount),
        values: vec![
            ("plan", plans.join(", ").chars().take(200).collect()),
            ("amount", write_money(Some(total))),
            ("day", write_day(first)),
        ],
        source: ("Subscription", &changed.id),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::{start_of, to_timestamp};

    #[test]
    fn a_change_is_new_in_its_first_days() {
        let march = |day: i32| Date { year: 2026, month: 3, day };
        let is_new = |first: Option<Date>, on: i32| {
            let entry = JournalEntry { at: Some(to_timestamp(start_of(march(on)))), ..JournalEntry::default() };
            has_just_changed(&Subscription { changed_on: first, ..Subscription::default() }, &entry)
        };
        assert!(is_new(Some(march(1)), 1) && is_new(Some(march(1)), 7));
        assert!(!is_new(Some(march(1)), 8) && !is_new(None, 1));
    }
}
