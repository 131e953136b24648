//! Holds an invoice until a promised day.

use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::holds::hold_until;
use crate::contract::v1::{HoldInvoiceRequest, Invoice};
use crate::subscriptions::support::days::require_day;

/// How many days a hold lasts at most: a promise for a later day is no promise.
const MOST_DAYS: i64 = 90;

impl Edit<HoldInvoiceRequest> for Invoice {
    /// Sets the promised day. A new one takes the place of an earlier one.
    fn edit(&mut self, request: &HoldInvoiceRequest, context: &EditContext) -> Result<()> {
        let until = require_day("held_until", request.held_until)?;
        let today = to_days(context.today());
        if to_days(until) < today {
            return Err(Error::field("held_until", "must not be in the past"));
        }
        if to_days(until) > today.saturating_add(MOST_DAYS) {
            return Err(Error::field("held_until", format!("must be at most {MOST_DAYS} days from today")));
        }
        hold_until(self, until);
        request.note.trim().clone_into(&mut self.held_note);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::{add_days, to_date};

    #[test]
    fn the_promised_day_is_within_90_days() {
        let today = to_date(0);
        let hold = |held_until: Option<Date>| {
            let request =
                HoldInvoiceRequest { held_until, note: " after payday ".into(), ..HoldInvoiceRequest::default() };
            let mut invoice = Invoice::default();
            invoice.edit(&request, &EditContext::at(0)).map(|()| (invoice.held_until, invoice.held_note))
        };
        for days in [0, 90] {
            let until = Some(add_days(today, days));
            assert_eq!(hold(until).unwrap(), (until, "after payday".to_owned()));
        }
        assert!(hold(Some(add_days(today, -1))).is_err());
        assert!(hold(Some(add_days(today, 91))).is_err());
        assert!(hold(Some(Date { year: 1970, month: 2, day: 30 })).is_err());
        assert!(hold(None).is_err());
    }
}
