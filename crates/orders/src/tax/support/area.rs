//! Finds the tax area of a place.

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::{Call, Error, Page, Result, postal};

use crate::contract::lookups::tax_area as lookups;
use crate::contract::v1::{ErrorReason, Order, TaxArea};

/// The region of a place: of a region, a postal code, or both where they agree. `None` when neither is given.
///
/// # Errors
/// `TAX_AREA_UNKNOWN`, `INVALID_FIELD` when they disagree.
pub(crate) fn find_region(locality: RegionCode, postal_code: &str) -> Result<Option<RegionCode>> {
    let said = Some(locality).filter(|locality| *locality != RegionCode::Unspecified);
    if postal_code.is_empty() {
        return Ok(said);
    }
    let Some(found) = postal::region(postal_code) else {
        let unknown = Error::new(ErrorReason::TaxAreaUnknown, "no tax area has this postal code");
        return Err(unknown.violation("postal_code", "is in no tax area"));
    };
    postal::check("postal_code", postal_code, locality)?;
    Ok(said.or(Some(found)))
}

/// The area of a region.
///
/// # Errors
/// `TAX_AREA_UNKNOWN` when the region has none yet.
pub(crate) async fn find_area(call: &Call, region: RegionCode) -> Result<TaxArea> {
    let found = call.find_unscoped_by::<TaxArea>(lookups::LOCALITY, region.spelling()).await?;
    found.ok_or_else(|| {
        Error::new(ErrorReason::TaxAreaUnknown, format!("there is no tax area for {}", region.spelling()))
    })
}

/// The region of a member's newest order.
///
/// # Errors
/// `TAX_AREA_UNKNOWN` when the member has no order.
pub(crate) async fn find_member_region(call: &Call) -> Result<RegionCode> {
    let (orders, _) = call.list_page::<Order>(Page { size: 1, ..Page::default() }).await?;
    let unknown = || {
        Error::new(ErrorReason::TaxAreaUnknown, "say where: the member has no order yet")
            .violation("locality", "is needed")
    };
    orders.first().map(Order::locality).filter(|region| *region != RegionCode::Unspecified).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_and_a_postal_code_must_agree() {
        assert_eq!(find_region(RegionCode::Unspecified, "74820").unwrap(), Some(RegionCode::Ok));
        assert_eq!(find_region(RegionCode::Ok, "").unwrap(), Some(RegionCode::Ok));
        assert_eq!(find_region(RegionCode::Ca2, "90210").unwrap(), Some(RegionCode::Ca2));
        assert_eq!(find_region(RegionCode::Unspecified, "").unwrap(), None);
        assert!(find_region(RegionCode::Tx, "74820").is_err());
        assert!(find_region(RegionCode::Unspecified, "00000").unwrap_err().is(ErrorReason::TaxAreaUnknown));
    }
}
