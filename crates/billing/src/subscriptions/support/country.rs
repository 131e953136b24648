//! The country of a subscription: that of its prices.

use pavise_kernel::common::v1::{CountryCode, Currency, RegionCode};
use pavise_kernel::{Error, Result, regions};

use crate::contract::v1::Subscription;

/// Refuses a state or province in another country than that of the prices.
pub(crate) fn check_country(subscription: &Subscription, field: &str, region: RegionCode) -> Result<()> {
    let currency = subscription.items.iter().find_map(|item| item.price.as_ref()).map(|price| price.currency());
    let country = match currency {
        Some(Currency::Cad) => CountryCode::Can,
        Some(Currency::Usd) => CountryCode::Usa,
        _ => return Ok(()),
    };
    if regions::country_of(region) == country {
        return Ok(());
    }
    let why = "is in another country than the prices of the subscription";
    Err(Error::field(field, why).with("region", region.spelling()))
}
