//! Countries and regions.

use crate::common::v1::{CountryCode, RegionCode};

/// The country of a state, province or territory.
#[must_use]
pub fn country_of(region: RegionCode) -> CountryCode {
    use RegionCode as R;
    match region {
        R::Unspecified => CountryCode::Unspecified,
        R::Ab | R::Bc | R::Mb | R::Nb | R::Nl | R::Ns | R::On | R::Pe | R::Qc | R::Sk | R::Nt | R::Nu | R::Yt => {
            CountryCode::Can
        }
        _ => CountryCode::Usa,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_has_a_country() {
        let provinces = (1..=70)
            .filter_map(|n| RegionCode::try_from(n).ok())
            .filter(|region| country_of(*region) == CountryCode::Can);
        assert_eq!(provinces.count(), 13);
        assert_eq!(country_of(RegionCode::Ca2), CountryCode::Usa);
    }
}
