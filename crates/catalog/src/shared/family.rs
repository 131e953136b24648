//! Codes of product families (000 §3 Reference lists).

use crate::contract::v1::ProductFamily;

/// The short code of a family, as orders, invoices and entitlements carry it. The specification has codes for five of
/// the seven families. Books and shipping have their names.
pub(crate) fn short_code(family: ProductFamily) -> &'static str {
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

/// The id of the family of a kind that the platform was shipped with. The migration `shipped_families` makes them.
pub(crate) fn shipped_id(kind: ProductFamily) -> String {
    match kind {
        ProductFamily::Unspecified => String::new(),
        _ => format!("11000000-0000-4000-8000-{:012}", i32::from(kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_short_code_belongs_to_one_family() {
        let families = (1..=7).filter_map(|n| ProductFamily::try_from(n).ok());
        let codes: std::collections::BTreeSet<_> = families.map(short_code).collect();
        assert_eq!(codes.len(), 7);
        assert!(["associate", "bus", "cdl", "ids", "lgl"].iter().all(|code| codes.contains(code)));
    }
}
