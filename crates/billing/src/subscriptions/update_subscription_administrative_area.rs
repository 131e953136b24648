//! Replaces the state or province of a subscription.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::country::check_country;
use crate::contract::v1::{Subscription, UpdateSubscriptionAdministrativeAreaRequest};

impl Edit<UpdateSubscriptionAdministrativeAreaRequest> for Subscription {
    /// It lies in the country of the prices, as the postal code does.
    fn edit(&mut self, request: &UpdateSubscriptionAdministrativeAreaRequest, _context: &EditContext) -> Result<()> {
        check_country(self, "administrative_area", request.administrative_area())?;
        self.set_administrative_area(request.administrative_area());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{Currency, Money, RegionCode};

    use super::*;
    use crate::contract::v1::SubscriptionItem;

    #[test]
    fn the_state_lies_in_the_country_of_the_prices() {
        let moved = |currency: Currency, area: RegionCode| {
            let price = Money { currency: currency.into(), amount: 100 };
            let items = vec![SubscriptionItem { price: Some(price), ..SubscriptionItem::default() }];
            let mut subscription = Subscription { items, ..Subscription::default() };
            let request =
                UpdateSubscriptionAdministrativeAreaRequest { administrative_area: area.into(), ..Default::default() };
            subscription.edit(&request, &EditContext::at(0)).map(|()| subscription.administrative_area())
        };
        assert_eq!(moved(Currency::Usd, RegionCode::Tx).unwrap(), RegionCode::Tx);
        assert_eq!(moved(Currency::Cad, RegionCode::On).unwrap(), RegionCode::On);
        assert!(moved(Currency::Cad, RegionCode::Tx).is_err());
        assert!(moved(Currency::Usd, RegionCode::On).is_err());
    }
}
