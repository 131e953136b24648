//! The terms of a repricing: whom it concerns, both prices and the first day.

use pavise_kernel::common::v1::{Currency, Date, Money};
use pavise_kernel::time::{add_days, to_days};
use pavise_kernel::{Error, Result};

use crate::contract::v1::{CreateRepricingRequest, PreviewRepricingRequest, Repricing};
use crate::subscriptions::support::days::{format_day, require_day};

/// The most days from today to the first day.
const MOST_DAYS: i64 = 730;

impl From<&PreviewRepricingRequest> for Repricing {
    fn from(request: &PreviewRepricingRequest) -> Self {
        Self {
            offer_id: request.offer_id.clone(),
            product_id: request.product_id.clone(),
            tier_id: request.tier_id.clone(),
            old_price: request.old_price,
            price: request.price,
            first_day: request.first_day,
            ..Self::default()
        }
    }
}

impl From<&CreateRepricingRequest> for Repricing {
    fn from(request: &CreateRepricingRequest) -> Self {
        Self {
            offer_id: request.offer_id.clone(),
            product_id: request.product_id.clone(),
            tier_id: request.tier_id.clone(),
            old_price: request.old_price,
            price: request.price,
            first_day: request.first_day,
            ..Self::default()
        }
    }
}

/// Refuses terms that name nothing, no change of the price, or a day without the notice.
///
/// # Errors
/// `INVALID_FIELD`.
pub(in crate::repricings) fn check_terms(terms: &Repricing, today: Date, notice: i64) -> Result<()> {
    if terms.offer_id.is_empty() && terms.product_id.is_empty() {
        return Err(Error::field("offer_id", "name an offer, a product, or both"));
    }
    if terms.product_id.is_empty() && !terms.tier_id.is_empty() {
        return Err(Error::field("tier_id", "goes with a product"));
    }
    let (old, new) = (check_price("old_price", terms.old_price)?, check_price("price", terms.price)?);
    if old.currency != new.currency {
        return Err(Error::field("price.currency", "must be that of the old price"));
    }
    if old.amount == new.amount {
        return Err(Error::field("price.amount", "is the old price"));
    }
    let first = require_day("first_day", terms.first_day)?;
    let (earliest, latest) = (add_days(today, notice), add_days(today, MOST_DAYS.max(notice)));
    if to_days(first) < to_days(earliest) {
        let message = format!("members are told {notice} days before: {} at the earliest", format_day(earliest));
        return Err(Error::field("first_day", message));
    }
    if to_days(first) > to_days(latest) {
        return Err(Error::field("first_day", format!("must not be after {}", format_day(latest))));
    }
    Ok(())
}

fn check_price(field: &str, price: Option<Money>) -> Result<Money> {
    let price = price.ok_or_else(|| Error::missing_field(field))?;
    if price.currency() == Currency::Unspecified {
        return Err(Error::missing_field(format!("{field}.currency")));
    }
    if price.amount < 0 {
        return Err(Error::field(format!("{field}.amount"), "must be zero or more"));
    }
    Ok(price)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = Date { year: 2026, month: 3, day: 1 };

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: Currency::Usd.into(), amount })
    }

    fn refused(change: impl Fn(&mut Repricing)) -> Option<String> {
        let mut terms = Repricing {
            offer_id: "offer".to_owned(),
            old_price: usd(2995),
            price: usd(3495),
            first_day: Some(add_days(TODAY, 30)),
            ..Repricing::default()
        };
        change(&mut terms);
        check_terms(&terms, TODAY, 30).err().map(|error| error.violations()[0].field.clone())
    }

    #[test]
    fn terms_name_whom_they_concern_two_prices_and_a_day_with_notice() {
        let field = |name: &str| Some(name.to_owned());
        assert_eq!(refused(|_| {}), None);
        assert_eq!(refused(|terms| terms.offer_id.clear()), field("offer_id"));
        assert_eq!(refused(|terms| terms.tier_id = "gold".to_owned()), field("tier_id"));
        assert_eq!(refused(|terms| terms.old_price = None), field("old_price"));
        assert_eq!(refused(|terms| terms.price = usd(-1)), field("price.amount"));
        assert_eq!(refused(|terms| terms.price = usd(2995)), field("price.amount"));
        let canadian = Some(Money { currency: Currency::Cad.into(), amount: 3495 });
        assert_eq!(refused(|terms| terms.price = canadian), field("price.currency"));
        assert_eq!(refused(|terms| terms.price = Some(Money::default())), field("price.currency"));
        for days in [-1, 0, 29, 731] {
            assert_eq!(refused(|terms| terms.first_day = Some(add_days(TODAY, days))), field("first_day"), "{days}");
        }
        assert_eq!(refused(|terms| terms.first_day = Some(add_days(TODAY, 730))), None);
        assert_eq!(refused(|terms| terms.price = usd(0)), None, "a price may fall, and to nothing");
    }
}
