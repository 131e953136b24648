//! The schedule by which the platform collects an invoice.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, to_days};

use crate::contract::v1::{Invoice, InvoiceStatus};

/// Records that the try of a day was refused. It is tried again on the next day of the schedule, which counts from the first
/// refusal. After the last one the invoice is DELINQUENT.
pub(crate) fn record_refused_try(invoice: &mut Invoice, day: Date) {
    let open = [InvoiceStatus::Active, InvoiceStatus::Failed, InvoiceStatus::PartiallyFunded];
    if !open.contains(&invoice.status()) {
        return;
    }
    let first = *invoice.first_refused_on.get_or_insert(day);
    let days = invoice.retry_schedule.iter().map(|after| add_days(first, i64::from(*after)));
    let next = days.filter(|next| to_days(*next) > to_days(day)).min_by_key(|next| to_days(*next));
    invoice.last_refused_on = Some(day);
    invoice.due_to_collect_on = next;
    invoice.set_status(if next.is_some() { InvoiceStatus::Failed } else { InvoiceStatus::Delinquent });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn march(day: i32) -> Date {
        Date { year: 2026, month: 3, day }
    }

    fn failing(status: InvoiceStatus) -> Invoice {
        Invoice { status: status.into(), retry_schedule: vec![3, 5, 7], ..Invoice::default() }
    }

    #[test]
    fn refusals_lead_from_day_to_day_and_then_to_the_end() {
        let mut invoice = failing(InvoiceStatus::Active);
        let mut days = Vec::new();
        let mut today = Some(march(1));
        while let Some(day) = today {
            record_refused_try(&mut invoice, day);
            days.push((day.day, invoice.status()));
            today = invoice.due_to_collect_on;
        }
        use InvoiceStatus::{Delinquent, Failed};
        assert_eq!(days, [(1, Failed), (4, Failed), (6, Failed), (8, Delinquent)]);
        assert_eq!((invoice.first_refused_on, invoice.last_refused_on), (Some(march(1)), Some(march(8))));
    }

    #[test]
    fn a_late_try_waits_for_the_next_day_and_a_settled_invoice_for_none() {
        let mut late = Invoice { first_refused_on: Some(march(1)), ..failing(InvoiceStatus::Failed) };
        record_refused_try(&mut late, march(5));
        assert_eq!(late.due_to_collect_on, Some(march(6)));
        let mut later = Invoice { first_refused_on: Some(march(1)), ..failing(InvoiceStatus::PartiallyFunded) };
        record_refused_try(&mut later, march(20));
        assert_eq!((later.status(), later.due_to_collect_on), (InvoiceStatus::Delinquent, None));
        for status in [InvoiceStatus::Paid, InvoiceStatus::Delinquent, InvoiceStatus::Forgiven] {
            let mut stands = failing(status);
            record_refused_try(&mut stands, march(1));
            assert_eq!(stands, failing(status));
        }
    }
}
