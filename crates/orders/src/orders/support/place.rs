//! The place of an order: its region and address.

use pavise_kernel::common::v1::Address;
use pavise_kernel::common::v1::RegionCode::{self, Unspecified};
use pavise_kernel::{Error, Result};

/// The address, and the region of an address and a region together. `path` is the place of the two in the request.
///
/// # Errors
/// `INVALID_FIELD` when they disagree.
pub(crate) fn resolve_place(
    path: &str,
    address: Option<Address>,
    locality: RegionCode,
) -> Result<(Option<Address>, RegionCode)> {
    let Some(address) = address else { return Ok((None, locality)) };
    let region = address.locality();
    if locality != Unspecified && locality != region {
        return Err(Error::field(
            format!("{path}locality"),
            format!("is {}, but the address is in {}", locality.spelling(), region.spelling()),
        ));
    }
    Ok((Some(address), region))
}

#[cfg(test)]
mod tests {
    use super::*;
    use RegionCode::{On, Tx};

    #[test]
    fn an_address_says_the_region() {
        let address = || Some(Address { locality: On.into(), ..Address::default() });
        assert_eq!(resolve_place("order.", address(), Unspecified).unwrap().1, On);
        assert_eq!(resolve_place("order.", address(), On).unwrap(), (address(), On));
        let refused = resolve_place("order.", address(), Tx).unwrap_err();
        assert_eq!(refused.violations()[0].field, "order.locality");
    }

    #[test]
    fn a_region_alone_is_enough() {
        assert_eq!(resolve_place("", None, Tx).unwrap(), (None, Tx));
    }
}
