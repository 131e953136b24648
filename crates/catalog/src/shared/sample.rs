//! Small products and offers for tests.

use pavise_kernel::common::v1::{BillingPeriod, Currency, Date, Money, RegionCode};

use super::price::Terms;
use crate::contract::v1::{
    Coverage, Offer, OfferProduct, OfferStatus, Price, Product, ProductFamily, ProductStatus, SalesChannelKind,
    Selection, Supplement, Tier, ValidateSelectionsRequest,
};

/// The day of the tests.
pub(crate) const DAY: Date = Date { year: 2026, month: 3, day: 31 };

/// Monthly, in United States dollars, on the day of the tests.
pub(crate) fn monthly_terms() -> Terms {
    Terms { billing_period: BillingPeriod::Monthly, currency: Currency::Usd, day: DAY }
}

/// United States dollars.
pub(crate) fn price_in_usd(amount: i64) -> Option<Money> {
    Some(Money { currency: Currency::Usd.into(), amount })
}

/// A monthly price in United States dollars, first and later alike.
pub(crate) fn sample_price(amount: i64) -> Price {
    Price {
        billing_period: BillingPeriod::Monthly.into(),
        initial: price_in_usd(amount),
        renewal: price_in_usd(amount),
        ..Price::default()
    }
}

/// A tier whose id is its name.
pub(crate) fn sample_tier(name: &str, amount: i64) -> Tier {
    Tier {
        id: name.to_owned(),
        name: name.to_owned(),
        coverage: Coverage::Individual.into(),
        max_authorized_users: 5,
        prices: vec![sample_price(amount)],
        ..Tier::default()
    }
}

/// A supplement whose id is its name.
pub(crate) fn sample_supplement(name: &str, amount: i64) -> Supplement {
    Supplement {
        id: name.to_owned(),
        name: name.to_owned(),
        prices: vec![sample_price(amount)],
        ..Supplement::default()
    }
}

/// An active legal product whose name is its id, in the group `legal-plan`.
pub(crate) fn sample_product(id: &str, tiers: Vec<Tier>) -> Product {
    Product {
        id: id.to_owned(),
        name: id.to_owned(),
        status: ProductStatus::Active.into(),
        family: ProductFamily::Legal.into(),
        product_group: "legal-plan".to_owned(),
        tiers,
        ..Product::default()
    }
}

/// An offer of all tiers of the products, for sale directly.
pub(crate) fn sample_offer(products: &[Product]) -> Offer {
    let offered = |product: &Product| OfferProduct { product_id: product.id.clone(), ..OfferProduct::default() };
    Offer {
        id: "offer".to_owned(),
        brand: "pavise".to_owned(),
        status: OfferStatus::AvailableForSale.into(),
        channel: SalesChannelKind::D2c.into(),
        products: products.iter().map(offered).collect(),
        ..Offer::default()
    }
}

/// An entry of a product in one tier.
pub(crate) fn offer_product(product_id: &str, tier_id: &str) -> OfferProduct {
    OfferProduct { product_id: product_id.to_owned(), tier_ids: vec![tier_id.to_owned()], ..OfferProduct::default() }
}

/// A choice of a buyer.
pub(crate) fn sample_selection(product_id: &str, tier_id: &str, supplement_ids: &[&str]) -> Selection {
    let supplement_ids = supplement_ids.iter().map(|&id| id.to_owned()).collect();
    Selection { product_id: product_id.to_owned(), tier_id: tier_id.to_owned(), supplement_ids }
}

/// A request from Texas.
pub(crate) fn sample_request(selections: Vec<Selection>) -> ValidateSelectionsRequest {
    ValidateSelectionsRequest {
        brand: "pavise".to_owned(),
        offer_id: "offer".to_owned(),
        selections,
        locality: RegionCode::Tx.into(),
        ..ValidateSelectionsRequest::default()
    }
}
