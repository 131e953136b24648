//! The offer maps: a complete one, and one that lacks a supplement.

use pavise_kernel::common::v1::{BillingPeriod, BillingProvider};

use super::ids::{BRAND, BUSINESS_US, IDENTITY, LEGAL, PERSONAL_US, SMALL_BUSINESS};
use crate::contract::v1::{CreateOfferMapRequest, MappedPlan, MappedProduct};

/// The maps of two offers for the classic system.
pub(super) fn make_offer_maps() -> Vec<CreateOfferMapRequest> {
    let supplements = ["home-business", "gun-owners", "ride-share", "trial-defense"];
    let personal = [
        product(LEGAL, "LG", &["individual", "family"], &supplements),
        product(IDENTITY, "ID", &["individual", "family"], &[]),
    ];
    // The supplement of the larger tier is not mapped: who buys it waits for staff.
    let business = [product(SMALL_BUSINESS, "SB", &["up-to-10", "up-to-50"], &[])];
    vec![offer_map(1, PERSONAL_US, &personal), offer_map(2, BUSINESS_US, &business)]
}

fn offer_map(number: usize, offer_id: &str, products: &[MappedProduct]) -> CreateOfferMapRequest {
    CreateOfferMapRequest {
        brand: BRAND.to_owned(),
        offer_id: offer_id.to_owned(),
        billing_provider: BillingProvider::SystemI.into(),
        products: products.to_vec(),
        id: format!("15000000-0000-4000-8000-{number:012}"),
    }
}

/// A product with a row for each bare tier, by the month and by the year, and one for each supplement of a tier.
fn product(product_id: &str, prefix: &str, tiers: &[&str], supplements: &[&str]) -> MappedProduct {
    let mut plans = Vec::new();
    for (number, tier) in tiers.iter().enumerate() {
        let code = format!("{prefix}{}", number + 1);
        let row = |suffix: &str, supplement: Option<&&str>, period: BillingPeriod| MappedPlan {
            id: format!("{code}{suffix}").to_lowercase(),
            tier_id: (*tier).to_owned(),
            supplement_ids: supplement.map(|&id| id.to_owned()).into_iter().collect(),
            billing_period: period.into(),
            plan_code: format!("{code}{suffix}"),
            ..MappedPlan::default()
        };
        plans.push(row("M", None, BillingPeriod::Monthly));
        plans.push(row("A", None, BillingPeriod::Annual));
        for (place, supplement) in supplements.iter().enumerate() {
            plans.push(row(&format!("S{}", place + 1), Some(supplement), BillingPeriod::Unspecified));
        }
    }
    MappedProduct { product_id: product_id.to_owned(), plans }
}
