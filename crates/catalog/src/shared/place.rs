//! Places in which offers and products are sold.

use pavise_kernel::common::v1::{CountryCode, RegionCode};
use pavise_kernel::regions::country_of;

use crate::contract::v1::{Offer, Product, Restriction, RestrictionType};

/// Whether something is sold in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Availability {
    /// It is sold there.
    Here,
    /// It is not sold there.
    NotHere,
    /// It is sold in some places only, and the place is not known.
    Unknown,
}

impl Availability {
    /// `holds` decides where the sale is limited.
    fn from_limit(limited: bool, region: RegionCode, holds: impl FnOnce() -> bool) -> Self {
        match (limited, region) {
            (false, _) => Self::Here,
            (true, RegionCode::Unspecified) => Self::Unknown,
            (true, _) if holds() => Self::Here,
            (true, _) => Self::NotHere,
        }
    }

    /// Both must hold. `NotHere` is stronger than `Unknown`.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::NotHere, _) | (_, Self::NotHere) => Self::NotHere,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Here, Self::Here) => Self::Here,
        }
    }
}

/// Whether an offer is sold in a region, by its localities and its country.
pub(crate) fn check_offer_place(offer: &Offer, region: RegionCode) -> Availability {
    let localities = Availability::from_limit(!offer.available_localities.is_empty(), region, || {
        offer.available_localities().any(|one| one == region)
    });
    let country = offer.country();
    localities
        .and(Availability::from_limit(country != CountryCode::Unspecified, region, || country_of(region) == country))
}

/// Whether a product is sold in a region, by its countries and its restrictions.
pub(crate) fn check_product_place(product: &Product, region: RegionCode) -> Availability {
    let countries = Availability::from_limit(!product.countries.is_empty(), region, || {
        product.countries().any(|one| one == country_of(region))
    });
    countries.and(check_restrictions(&product.restrictions, region))
}

/// Whether restrictions admit a region. One allowed region forbids all regions that are not allowed.
pub(crate) fn check_restrictions(restrictions: &[Restriction], region: RegionCode) -> Availability {
    Availability::from_limit(!restrictions.is_empty(), region, || {
        let of = |kind| restrictions.iter().filter(move |one| one.r#type() == kind);
        let forbidden = of(RestrictionType::NotAllowed).any(|one| one.region() == region);
        let allowed = of(RestrictionType::Allowed).next().is_none()
            || of(RestrictionType::Allowed).any(|one| one.region() == region);
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
        assert_eq!(check_restrictions(&restrictions, RegionCode::Ny), Availability::NotHere);
        assert_eq!(check_restrictions(&restrictions, RegionCode::Tx), Availability::Here);
    }

    #[test]
    fn an_allowed_region_forbids_the_others() {
        let restrictions = [restriction(RegionCode::On, RestrictionType::Allowed)];
        assert_eq!(check_restrictions(&restrictions, RegionCode::On), Availability::Here);
        assert_eq!(check_restrictions(&restrictions, RegionCode::Qc), Availability::NotHere);
    }

    #[test]
    fn an_unknown_place_matters_only_where_there_are_limits() {
        let free = Product::default();
        let american = Product { countries: vec![CountryCode::Usa.into()], ..Product::default() };
        assert_eq!(check_product_place(&free, RegionCode::Unspecified), Availability::Here);
        assert_eq!(check_product_place(&american, RegionCode::Unspecified), Availability::Unknown);
        assert_eq!(check_product_place(&american, RegionCode::Tx), Availability::Here);
        assert_eq!(check_product_place(&american, RegionCode::On), Availability::NotHere);
    }

    #[test]
    fn an_offer_is_sold_where_both_its_country_and_its_localities_say_so() {
        let localities = vec![RegionCode::On.into(), RegionCode::Tx.into()];
        let offer = Offer { country: CountryCode::Can.into(), available_localities: localities, ..Offer::default() };
        assert_eq!(check_offer_place(&offer, RegionCode::On), Availability::Here);
        assert_eq!(check_offer_place(&offer, RegionCode::Tx), Availability::NotHere);
        assert_eq!(check_offer_place(&offer, RegionCode::Qc), Availability::NotHere);
        assert_eq!(check_offer_place(&offer, RegionCode::Unspecified), Availability::Unknown);
    }
}
