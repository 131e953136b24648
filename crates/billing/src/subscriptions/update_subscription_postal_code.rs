//! Replaces the postal code of a subscription.

use pavise_kernel::{Edit, EditContext, Result, postal};

use super::support::country::check_country;
use crate::contract::v1::{Subscription, UpdateSubscriptionPostalCodeRequest};

impl Edit<UpdateSubscriptionPostalCodeRequest> for Subscription {
    /// The code lies in the subscription's state or province, and in the country of its prices. So one code for many
    /// subscriptions never moves one of them to another country's taxes.
    fn edit(&mut self, request: &UpdateSubscriptionPostalCodeRequest, _context: &EditContext) -> Result<()> {
        postal::check("postal_code", &request.postal_code, self.administrative_area())?;
        if let Some(region) = postal::region(&request.postal_code) {
            check_country(self, "postal_code", region)?;
        }
        self.postal_code.clone_from(&request.postal_code);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{Currency, Money, RegionCode};

    use super::*;
    use crate::contract::v1::SubscriptionItem;

    fn moved(area: RegionCode, currency: Currency, code: &str) -> Result<String> {
        let price = Money { currency: currency.into(), amount: 100 };
        let mut subscription = Subscription {
            administrative_area: area.into(),
            postal_code: "before".to_owned(),
            items: vec![SubscriptionItem { price: Some(price), ..SubscriptionItem::default() }],
            ..Subscription::default()
        };
        let request = UpdateSubscriptionPostalCodeRequest { postal_code: code.to_owned(), ..Default::default() };
        subscription.edit(&request, &EditContext::at(0)).map(|()| subscription.postal_code)
    }

    #[test]
    fn the_code_lies_in_the_province_and_in_the_country_of_the_prices() {
        use Currency::{Cad, Usd};
        use RegionCode::{On, Tx, Unspecified};
        assert_eq!(moved(Tx, Usd, "75001").unwrap(), "75001");
        assert_eq!(moved(On, Cad, "K1A 0B1").unwrap(), "K1A 0B1");
        assert_eq!(moved(Unspecified, Usd, "90210").unwrap(), "90210");
        for (area, currency, code) in
            [(On, Cad, "75001"), (Tx, Usd, "90210"), (Unspecified, Cad, "75001"), (Unspecified, Usd, "K1A 0B1")]
        {
            assert!(moved(area, currency, code).is_err(), "{code} in {area:?}");
        }
    }
}
