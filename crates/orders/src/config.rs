//! The settings of orders.

use pavise_kernel::common::v1::CountryCode;

/// The settings of orders.
#[derive(Debug, Clone, Copy, Default)]
pub struct Config {
    /// Whether purchases use the sample tax rates that a new installation has. Nobody has confirmed them, so they are for
    /// trials alone.
    pub sample_taxes: bool,
    /// How long buyers may take an order back.
    pub cooling_off: CoolingOff,
}

/// The days after the day of a purchase on which the buyer may take the order back, in each country. With 0 it is that day
/// alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoolingOff {
    /// In the United States.
    pub usa: u16,
    /// In Canada.
    pub can: u16,
}

impl CoolingOff {
    /// The days where the operator says nothing.
    const DAYS: u16 = 10;

    /// The days in a country.
    pub(crate) fn days_in(self, country: CountryCode) -> i64 {
        i64::from(if country == CountryCode::Can { self.can } else { self.usa })
    }
}

impl Default for CoolingOff {
    fn default() -> Self {
        Self { usa: Self::DAYS, can: Self::DAYS }
    }
}
