//! The sellers of this server.

use pavise_kernel::common::v1::{CountryCode, Currency};

use crate::config::Seller;
use crate::contract::v1::{InvoiceSeller, SellerTaxNumber};

/// The name of a seller that no setting names.
const UNNAMED: &str = "Pavise";

/// The seller in each country.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sellers(Vec<Seller>);

impl Sellers {
    /// The sellers that the settings name.
    pub(crate) fn new(sellers: Vec<Seller>) -> Self {
        Self(sellers)
    }

    /// The seller in a country as an invoice names it.
    pub(crate) fn describe_seller(&self, country: CountryCode) -> InvoiceSeller {
        let Some(seller) = self.0.iter().find(|seller| seller.country == country) else {
            return InvoiceSeller { name: UNNAMED.to_owned(), ..InvoiceSeller::default() };
        };
        let tax_numbers = seller.tax_numbers.iter();
        InvoiceSeller {
            name: seller.name.clone(),
            address: seller.address.clone(),
            tax_numbers: tax_numbers
                .map(|(tax, number)| SellerTaxNumber { tax: tax.clone(), number: number.clone() })
                .collect(),
        }
    }
}

/// The country whose money a currency is.
pub(crate) fn country_of(currency: i32) -> CountryCode {
    match Currency::try_from(currency).unwrap_or_default() {
        Currency::Cad => CountryCode::Can,
        Currency::Usd | Currency::Unspecified => CountryCode::Usa,
    }
}
