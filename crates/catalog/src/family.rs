//! Codes and features of product families (000 §3 Reference lists).

use crate::contract::v1::{ProductFamily, ProductFeatureKey};

/// The short code of a family, as orders, invoices and entitlements carry it. The specification has codes for five of
/// the seven families. Books and shipping have their names.
#[must_use]
pub fn short_code(family: ProductFamily) -> &'static str {
    match family {
        ProductFamily::Unspecified => "",
        ProductFamily::Associate => "associate",
        ProductFamily::Books => "books",
        ProductFamily::Business => "bus",
        ProductFamily::Cdlp => "cdl",
        ProductFamily::Identity => "ids",
        ProductFamily::Legal => "lgl",
        ProductFamily::Shipping => "shipping",
    }
}

/// The features that keys switch on within a family, each once, in the order of the keys. In the Legal family,
/// businessPlus stands for the two editions of homeBusiness.
#[must_use]
pub fn find_features(
    family: ProductFamily,
    keys: impl IntoIterator<Item = ProductFeatureKey>,
) -> Vec<ProductFeatureKey> {
    let mut found = Vec::new();
    for key in keys {
        let stands_for: &[ProductFeatureKey] = match (family, &key) {
            (ProductFamily::Legal, ProductFeatureKey::BusinessPlus) => {
                &[ProductFeatureKey::HomeBusinessV4, ProductFeatureKey::HomeBusinessV2]
            }
            _ => std::slice::from_ref(&key),
        };
        for feature in stands_for {
            if !found.contains(feature) {
                found.push(*feature);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn business_plus_is_home_business_in_legal_only() {
        use ProductFeatureKey as K;
        let keys = [K::BusinessPlus, K::GunOwners, K::HomeBusinessV2];
        assert_eq!(find_features(ProductFamily::Legal, keys), [K::HomeBusinessV4, K::HomeBusinessV2, K::GunOwners]);
        assert_eq!(find_features(ProductFamily::Business, keys), keys);
    }

    #[test]
    fn every_documented_short_code_belongs_to_one_family() {
        let families = (1..=7).filter_map(|n| ProductFamily::try_from(n).ok());
        let codes: std::collections::BTreeSet<_> = families.map(short_code).collect();
        assert_eq!(codes.len(), 7);
        assert!(["associate", "bus", "cdl", "ids", "lgl"].iter().all(|code| codes.contains(code)));
    }
}
