//! Where something is sold.

use pavise_kernel::common::v1::{CountryCode, RegionCode};
use pavise_kernel::place::country_of;

use crate::contract::v1::{Offer, Product, Restriction, RestrictionType};

/// Whether something is sold in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sold {
    /// It is.
    Here,
    /// It is not.
    NotHere,
    /// It is not sold everywhere, and the place is not known.
    Unknown,
}

impl Sold {
    fn when(limited: bool, region: RegionCode, holds: impl FnOnce() -> bool) -> Self {
        match (limited, region) {
            (false, _) => Self::Here,
            (true, RegionCode::Unspecified) => Self::Unknown,
            (true, _) if holds() => Self::Here,
            (true, _) => Self::NotHere,
        }
    }

    /// Both must hold; a no is stronger than a doubt.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::NotHere, _) | (_, Self::NotHere) => Self::NotHere,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Here, Self::Here) => Self::Here,
        }
    }
}

/// Where an offer is sold: its localities and its country.
#[must_use]
pub fn offer_in(offer: &Offer, region: RegionCode) -> Sold {
    let localities =
        Sold::when(!offer.available_localities.is_empty(), region, || offer.available_localities().any(|one| one == region));
    let country = offer.country();
    localities.and(Sold::when(country != CountryCode::Unspecified, region, || country_of(region) == country))
}

/// Where a product is sold: its countries and its restrictions.
#[must_use]
pub fn product_in(product: &Product, region: RegionCode) -> Sold {
    let countries =
        Sold::when(!product.countries.is_empty(), region, || product.countries().any(|one| one == country_of(region)));
    countries.and(unrestricted_in(&product.restrictions, region))
}

/// Where restrictions let something be sold. One region that is allowed forbids all that are not.
#[must_use]
pub fn unrestricted_in(restrictions: &[Restriction], region: RegionCode) -> Sold {
    Sold::when(!restrictions.is_empty(), region, || {
        let of = |kind| restrictions.iter().filter(move |one| one.r#type() == kind);
        let forbidden = of(RestrictionType::NotAllowed).any(|one| one.region() == region);
        let allowed =
            of(RestrictionType::Allowed).next().is_none() || of(RestrictionType::Allowed).any(|one| one.region() == region);
        allowed && !forbidden
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restriction(region: RegionCode, kind: RestrictionType) -> Restriction {
        Restriction { id: region.spelling().to_owned(), region: region.into(), r#type: kind.into() }
    }

    #[test]
    fn a_forbidden_region_leaves_the_others() {
        let restrictions = [restriction(RegionCode::Ny, RestrictionType::NotAllowed)];
        assert_eq!(unrestricted_in(&restrictions, RegionCode::Ny), Sold::NotHere);
        assert_eq!(unrestricted_in(&restrictions, RegionCode::Tx), Sold::Here);
    }

    #[test]
    fn an_allowed_region_forbids_the_others() {
        let restrictions = [restriction(RegionCode::On, RestrictionType::Allowed)];
        assert_eq!(unrestricted_in(&restrictions, RegionCode::On), Sold::Here);
        assert_eq!(unrestricted_in(&restrictions, RegionCode::Qc), Sold::NotHere);
    }

    #[test]
    fn an_unknown_place_matters_only_where_there_are_limits() {
        let free = Product::default();
        let american = Product { countries: vec![CountryCode::Usa.into()], ..Product::default() };
        assert_eq!(product_in(&free, RegionCode::Unspecified), Sold::Here);
        assert_eq!(product_in(&american, RegionCode::Unspecified), Sold::Unknown);
        assert_eq!(product_in(&american, RegionCode::Tx), Sold::Here);
        assert_eq!(product_in(&american, RegionCode::On), Sold::NotHere);
    }

    #[test]
    fn an_offer_is_sold_where_both_its_country_and_its_localities_say_so() {
        let localities = vec![RegionCode::On.into(), RegionCode::Tx.into()];
        let offer = Offer { country: CountryCode::Can.into(), available_localities: localities, ..Offer::default() };
        assert_eq!(offer_in(&offer, RegionCode::On), Sold::Here);
        assert_eq!(offer_in(&offer, RegionCode::Tx), Sold::NotHere);
        assert_eq!(offer_in(&offer, RegionCode::Qc), Sold::NotHere);
        assert_eq!(offer_in(&offer, RegionCode::Unspecified), Sold::Unknown);
    }
}
