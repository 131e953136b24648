//! The place of an order: its region and address.

use pavise_kernel::common::v1::RegionCode::{self, *};
use pavise_kernel::common::v1::{Address, CountryCode};
use pavise_kernel::regions::country_of;
use pavise_kernel::{Error, Result, postal};

/// The region of an address and a region together, and the address with its country. `path` is the place of the two in
/// the request.
///
/// # Errors
/// `INVALID_FIELD` when they disagree, or the parts of the address do.
pub(crate) fn resolve_place(
    path: &str,
    address: Option<Address>,
    locality: RegionCode,
) -> Result<(Option<Address>, RegionCode)> {
    let Some(mut address) = address else { return Result::Ok((None, locality)) };
    let region = address.locality();
    if locality != Unspecified && locality != region {
        return Err(Error::field(
            format!("{path}locality"),
            format!("is {}, but the address is in {}", locality.spelling(), region.spelling()),
        ));
    }
    complete_address(&format!("{path}address"), &mut address)?;
    Result::Ok((Some(address), region))
}

/// Fills in the country of an address.
///
/// # Errors
/// `INVALID_FIELD` when country, region and postal code disagree.
pub(crate) fn complete_address(path: &str, address: &mut Address) -> Result<()> {
    let country = country_of(address.locality());
    if address.country() != CountryCode::Unspecified && address.country() != country {
        return Err(Error::field(
            format!("{path}.country"),
            format!("{} is in {}", address.locality().spelling(), country.spelling()),
        ));
    }
    postal::check(&format!("{path}.postal_code"), &address.postal_code, address.locality())?;
    // Some codes belong to a country and to no region.
    let canadian = address.postal_code.starts_with(|first: char| first.is_ascii_alphabetic());
    if canadian != (country == CountryCode::Can) {
        return Err(Error::field(
            format!("{path}.postal_code"),
            format!("is no postal code of {}", country.spelling()),
        ));
    }
    address.country = country.into();
    Result::Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(locality: RegionCode, postal_code: &str) -> Address {
        Address {
            address1: "1 Main St".into(),
            locality: locality.into(),
            postal_code: postal_code.into(),
            ..Address::default()
        }
    }

    #[test]
    fn the_country_follows_from_the_region() {
        let (settled, region) = resolve_place("", Some(address(On, "K1A 0B1")), Unspecified).unwrap();
        assert_eq!((settled.unwrap().country(), region), (CountryCode::Can, On));
    }

    #[test]
    fn a_contradiction_is_refused_with_its_field() {
        let refused = |address, locality| {
            resolve_place("order.", Some(address), locality).unwrap_err().violations().first().unwrap().field.clone()
        };
        assert_eq!(refused(address(On, "K1A 0B1"), Tx), "order.locality");
        assert_eq!(refused(address(On, "74820"), Unspecified), "order.address.postal_code");
        assert_eq!(refused(address(Tx, "74820"), Unspecified), "order.address.postal_code", "Oklahoma's");
        assert_eq!(refused(address(On, "09001"), Unspecified), "order.address.postal_code", "of the armed forces");
        assert_eq!(
            refused(Address { country: CountryCode::Can.into(), ..address(Tx, "75001") }, Tx),
            "order.address.country"
        );
    }

    #[test]
    fn a_region_alone_is_enough() {
        assert_eq!(resolve_place("", None, Tx).unwrap(), (None, Tx));
    }
}
