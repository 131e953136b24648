//! The demonstration catalog: the requests that make it, the same each time.
//!
//! The requests are sent in the order of the fields of [`Demo`]. Every id is fixed, so that documents can name it.

mod identity;
mod ids;
mod legal;
pub(crate) mod load;
mod offers;
mod part;
mod small_business;

pub use ids::{
    ASSOCIATES_US, BRAND, BUSINESS_US, GROUP, GROUP_US, IDENTITY, LEGACY_LEGAL, LEGACY_US, LEGAL, PERSONAL_CANADA,
    PERSONAL_US, SMALL_BUSINESS,
};

use crate::contract::v1::{
    ActivateProductRequest, CreateOfferRequest, CreateProductRequest, GrandfatherOfferRequest, MakeEnrollableRequest,
    MakeReadyForSaleRequest, UpdateOfferSiteNameRequest, UpdateProductSiteNameRequest,
};

/// The requests that make the demonstration catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct Demo {
    /// The products.
    pub products: Vec<CreateProductRequest>,
    /// The activation of every product.
    pub activate: Vec<ActivateProductRequest>,
    /// The offers.
    pub offers: Vec<CreateOfferRequest>,
    /// The offers that are put on sale.
    pub ready_for_sale: Vec<MakeReadyForSaleRequest>,
    /// The offers that are put on sale for members of groups.
    pub make_enrollable: Vec<MakeEnrollableRequest>,
    /// The offers whose sale ends after they were on sale.
    pub grandfather: Vec<GrandfatherOfferRequest>,
    /// The names of products in the addresses of the member app.
    pub product_names: Vec<UpdateProductSiteNameRequest>,
    /// The names of offers in the addresses of the member app.
    pub offer_names: Vec<UpdateOfferSiteNameRequest>,
}

/// The demonstration catalog.
#[must_use]
pub fn build_demo() -> Demo {
    let products =
        vec![legal::make_plan(), identity::make_plan(), small_business::make_plan(), legal::make_legacy_plan()];
    let offers = offers::make_offers();
    let (brand, id) = (|| BRAND.to_owned(), |id: &str| id.to_owned());
    let on_sale = offers.iter().filter(|offer| offer.id != GROUP_US);
    Demo {
        activate: products.iter().map(|product| ActivateProductRequest { product_id: product.id.clone() }).collect(),
        ready_for_sale: on_sale
            .map(|offer| MakeReadyForSaleRequest { brand: brand(), offer_id: offer.id.clone() })
            .collect(),
        make_enrollable: vec![MakeEnrollableRequest { brand: brand(), offer_id: id(GROUP_US) }],
        grandfather: vec![GrandfatherOfferRequest { brand: brand(), offer_id: id(LEGACY_US) }],
        product_names: vec![UpdateProductSiteNameRequest { product_id: id(LEGAL), site_name: id("legal-plan") }],
        offer_names: [(PERSONAL_US, "legal-and-identity"), (BUSINESS_US, "small-business")]
            .map(|(offer, name)| UpdateOfferSiteNameRequest {
                brand: brand(),
                offer_id: id(offer),
                site_name: id(name),
            })
            .to_vec(),
        products,
        offers,
    }
}

#[cfg(test)]
mod tests;
