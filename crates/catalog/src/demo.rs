//! A believable catalogue for demonstrations and tests: the requests that make it, the same each time.
//!
//! Send them in the order of the fields of [`Demo`]. Every id is fixed, so that documents can name it.

mod identity;
mod legal;
mod offers;
mod part;
mod small_business;

use crate::contract::v1::{
    ActivateProductRequest, CreateOfferRequest, CreateProductRequest, GrandfatherOfferRequest, MakeEnrollableRequest,
    MakeReadyForSaleRequest,
};

/// The brand of the demonstration.
pub const BRAND: &str = "pavise";
/// The legal plan, in the tiers `individual` and `family`, with the supplements `home-business`, `gun-owners`,
/// `ride-share` and `trial-defense`.
pub const LEGAL: &str = "10000000-0000-4000-8000-000000000001";
/// Identity protection, in the tiers `individual` and `family`.
pub const IDENTITY: &str = "10000000-0000-4000-8000-000000000002";
/// The plan of small businesses, in the tiers `up-to-10` and `up-to-50`, with the supplement `trial-defense-business`.
pub const SMALL_BUSINESS: &str = "10000000-0000-4000-8000-000000000003";
/// The legal plan as it was sold before 2020, in the tier `family`.
pub const LEGACY_LEGAL: &str = "10000000-0000-4000-8000-000000000004";
/// Legal and identity plans, sold directly in the United States.
pub const PERSONAL_US: &str = "20000000-0000-4000-8000-000000000001";
/// Legal and identity plans, sold directly in Canada.
pub const PERSONAL_CANADA: &str = "20000000-0000-4000-8000-000000000002";
/// The plan of small businesses, sold directly in the United States.
pub const BUSINESS_US: &str = "20000000-0000-4000-8000-000000000003";
/// Legal, identity and business plans, sold by associates in the United States.
pub const ASSOCIATES_US: &str = "20000000-0000-4000-8000-000000000004";
/// Legal and identity plans for the employees of [`GROUP`]: ENROLLABLE.
pub const GROUP_US: &str = "20000000-0000-4000-8000-000000000005";
/// What was sold before 2020: GRANDFATHERED.
pub const LEGACY_US: &str = "20000000-0000-4000-8000-000000000006";
/// The employer group of the demonstration.
pub const GROUP: &str = "30000000-0000-4000-8000-000000000001";

/// The requests that make the catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct Demo {
    /// First, its products.
    pub products: Vec<CreateProductRequest>,
    /// All of them are active.
    pub activate: Vec<ActivateProductRequest>,
    /// Then its offers.
    pub offers: Vec<CreateOfferRequest>,
    /// Those that are put on sale.
    pub ready_for_sale: Vec<MakeReadyForSaleRequest>,
    /// Those that are put on sale for members of groups.
    pub make_enrollable: Vec<MakeEnrollableRequest>,
    /// Those whose sale has ended, after they were on sale.
    pub grandfather: Vec<GrandfatherOfferRequest>,
}

/// The catalogue.
#[must_use]
pub fn demo() -> Demo {
    let products = vec![legal::plan(), identity::plan(), small_business::plan(), legal::legacy_plan()];
    let offers = offers::all();
    let (brand, id) = (|| BRAND.to_owned(), |id: &str| id.to_owned());
    let on_sale = offers.iter().filter(|offer| offer.id != GROUP_US);
    Demo {
        activate: products.iter().map(|product| ActivateProductRequest { product_id: product.id.clone() }).collect(),
        ready_for_sale: on_sale.map(|offer| MakeReadyForSaleRequest { brand: brand(), offer_id: offer.id.clone() }).collect(),
        make_enrollable: vec![MakeEnrollableRequest { brand: brand(), offer_id: id(GROUP_US) }],
        grandfather: vec![GrandfatherOfferRequest { brand: brand(), offer_id: id(LEGACY_US) }],
        products,
        offers,
    }
}

#[cfg(test)]
mod tests;
