//! The hold of an invoice: until a promised day nothing is asked, and nothing is done because it is not paid.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, to_days};

use crate::contract::v1::{Collection, Invoice, InvoiceStatus};

/// Whether the promised day is not over yet.
pub(crate) fn is_held(invoice: &Invoice, today: Date) -> bool {
    invoice.held_until.is_some_and(|until| to_days(until) >= to_days(today))
}

/// The first day after the hold.
pub(crate) fn day_after_hold(invoice: &Invoice) -> Option<Date> {
    invoice.held_until.map(|until| add_days(until, 1))
}

/// Holds an invoice until a day. The deriving of the invoice puts the next try off.
pub(crate) fn hold_until(invoice: &mut Invoice, until: Date) {
    end_hold(invoice);
    invoice.held_until = Some(until);
}

/// Ends the hold. What was put off has the day again that the schedule gives it.
pub(crate) fn end_hold(invoice: &mut Invoice) {
    if invoice.held_until.take().is_some() {
        invoice.held_note.clear();
        invoice.due_to_collect_on = invoice.due_to_collect_on.and_then(|_| find_collect_day(invoice));
    }
}

/// Ends the hold if its promised day is over. The day of the next try stays.
pub(crate) fn end_hold_if_over(invoice: &mut Invoice, today: Date) {
    if invoice.held_until.is_some() && !is_held(invoice, today) {
        invoice.held_until = None;
        invoice.held_note.clear();
    }
}

/// The later one of two days; none where the first is none.
pub(crate) fn put_off(day: Option<Date>, until: Option<Date>) -> Option<Date> {
    let day = day?;
    Some(until.filter(|until| to_days(*until) > to_days(day)).unwrap_or(day))
}

/// The day of the next try by the schedule alone. It may be over.
fn find_collect_day(invoice: &Invoice) -> Option<Date> {
    if invoice.status() == InvoiceStatus::Delinquent {
        return None;
    }
    let grace = invoice.retry_schedule.last().copied().unwrap_or_default();
    match (invoice.first_refused_on, invoice.last_refused_on) {
        (Some(first), Some(last)) => {
            let days = invoice.retry_schedule.iter().map(|after| add_days(first, i64::from(*after)));
            let next = days.filter(|next| to_days(*next) > to_days(last)).min_by_key(|next| to_days(*next));
            // Every try of the schedule is over: the day after the last one.
            Some(next.unwrap_or_else(|| add_days(last, 1)))
        }
        _ if invoice.collection() == Collection::ByInvoice => invoice.due_on.map(|day| add_days(day, i64::from(grace))),
        _ => invoice.due_on,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn march(day: i32) -> Date {
        Date { year: 2026, month: 3, day }
    }

    fn refused() -> Invoice {
        Invoice {
            status: InvoiceStatus::Failed.into(),
            collection: Collection::Charge.into(),
            due_on: Some(march(1)),
            first_refused_on: Some(march(1)),
            last_refused_on: Some(march(4)),
            due_to_collect_on: Some(march(20)),
            retry_schedule: vec![3, 5, 7],
            held_until: Some(march(19)),
            held_note: "after payday".into(),
            ..Invoice::default()
        }
    }

    #[test]
    fn a_hold_lasts_to_the_end_of_its_day() {
        assert!(is_held(&refused(), march(19)) && !is_held(&refused(), march(20)));
        assert!(!is_held(&Invoice::default(), march(1)));
        assert_eq!(day_after_hold(&refused()), Some(march(20)));
    }

    #[test]
    fn the_schedule_goes_on_where_it_would_be_without_the_hold() {
        let next = |mut invoice: Invoice| {
            end_hold(&mut invoice);
            assert_eq!((invoice.held_until, invoice.held_note.as_str()), (None, ""));
            invoice.due_to_collect_on
        };
        assert_eq!(next(refused()), Some(march(6)));
        let fresh = Invoice { first_refused_on: None, last_refused_on: None, ..refused() };
        assert_eq!(next(fresh.clone()), Some(march(1)));
        let by_invoice = Invoice { collection: Collection::ByInvoice.into(), ..fresh.clone() };
        assert_eq!(next(by_invoice), Some(march(8)));
        let delinquent = Invoice { status: InvoiceStatus::Delinquent.into(), ..refused() };
        assert_eq!(next(delinquent), None);
        assert_eq!(next(Invoice { due_to_collect_on: None, ..fresh }), None, "the platform does not collect it");
    }

    #[test]
    fn a_shorter_hold_takes_the_place_of_a_longer_one() {
        let mut invoice = refused();
        hold_until(&mut invoice, march(9));
        assert_eq!((invoice.held_until, invoice.due_to_collect_on), (Some(march(9)), Some(march(6))));
        assert_eq!(put_off(invoice.due_to_collect_on, day_after_hold(&invoice)), Some(march(10)));
        assert_eq!(put_off(Some(march(12)), day_after_hold(&invoice)), Some(march(12)));
        assert_eq!(put_off(None, day_after_hold(&invoice)), None);
    }

    #[test]
    fn only_a_hold_whose_day_is_over_ends_by_itself() {
        let mut invoice = refused();
        end_hold_if_over(&mut invoice, march(19));
        assert_eq!(invoice, refused());
        end_hold_if_over(&mut invoice, march(20));
        assert_eq!((invoice.held_until, invoice.due_to_collect_on), (None, Some(march(20))));
    }
}
