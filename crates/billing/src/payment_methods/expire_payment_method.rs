//! Makes a payment method INACTIVE when its card has expired.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::card;
use crate::contract::v1::{ExpirePaymentMethodRequest, PaymentMethod, PaymentMethodStatus};

impl Edit<ExpirePaymentMethodRequest> for PaymentMethod {
    /// Makes it INACTIVE if its card has expired. A card that was replaced meanwhile stays.
    fn edit(&mut self, _request: &ExpirePaymentMethodRequest, context: &EditContext) -> Result<()> {
        if self.card.as_ref().is_some_and(|card| card::is_expired(card, context.today())) {
            self.set_status(PaymentMethodStatus::Inactive);
            self.is_default = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::Card;
    use pavise_kernel::time::DAY;

    #[test]
    fn it_is_inactive_when_its_last_month_is_over() {
        let card = Card { expiry_month: 1, expiry_year: 1970, ..Card::default() };
        let active = PaymentMethod {
            status: PaymentMethodStatus::Active.into(),
            card: Some(card),
            is_default: true,
            ..PaymentMethod::default()
        };
        let expire = |mut method: PaymentMethod, day: i64| {
            method.edit(&ExpirePaymentMethodRequest::default(), &EditContext::at((day - 1) * DAY)).unwrap();
            method
        };
        assert_eq!(expire(active.clone(), 31), active);
        let expired = expire(active.clone(), 32);
        assert_eq!((expired.status(), expired.is_default), (PaymentMethodStatus::Inactive, false));
        let account = PaymentMethod { card: None, ..active };
        assert_eq!(expire(account.clone(), 32), account);
    }
}
