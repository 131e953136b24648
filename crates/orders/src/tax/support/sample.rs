//! SAMPLE DATA: the rates of a new installation, for trials. They are a rough picture of the taxes on legal plans and
//! identity protection. They hold no local taxes, and nobody has confirmed them. Each is stored with `sample` set until
//! [`set_tax_rate`](crate::tax::set_tax_rate) replaces it.

use pavise_kernel::common::v1::Date;
use pavise_kernel::common::v1::RegionCode::{self, *};
use pavise_kernel::regions::country_of;

use super::rate;
use crate::contract::v1::{TaxArea, TaxCategory, TaxComponent, TaxRate};

/// A tax, its rate in parts per million, its first day.
type Levy = (TaxComponent, i32, Date);

/// Sales taxes of states that tax identity protection, in parts per million.
const IDENTITY_PROTECTION: &[(RegionCode, i32)] = &[
    (Ct, 63_500),
    (Dc, 60_000),
    (Hi, 40_000),
    (Nm, 48_750),
    (Ny, 40_000),
    (Pa, 60_000),
    (Sd, 42_000),
    (Tn, 70_000),
    (Tx, 62_500),
    (Ut, 48_500),
    (Wa, 65_000),
    (Wv, 60_000),
];

/// Taxes on gross receipts and sales of the few states that tax legal services, in parts per million.
const LEGAL: &[(RegionCode, i32)] = &[(Hi, 40_000), (Nm, 48_750), (Sd, 42_000)];

/// Taxes of Canadian provinces and territories: component, rate in parts per million, first day.
const CANADA: &[(RegionCode, &[Levy])] = &[
    (Ab, &[GST]),
    (Bc, &[GST, (TaxComponent::Pst, 70_000, day(2013, 4, 1))]),
    (Mb, &[GST, (TaxComponent::Pst, 70_000, day(2019, 7, 1))]),
    (Nb, &[(TaxComponent::Hst, 150_000, day(2016, 7, 1))]),
    (Nl, &[(TaxComponent::Hst, 150_000, day(2016, 7, 1))]),
    (Ns, &[(TaxComponent::Hst, 150_000, day(2010, 7, 1)), (TaxComponent::Hst, 140_000, day(2025, 4, 1))]),
    (Nt, &[GST]),
    (Nu, &[GST]),
    (On, &[(TaxComponent::Hst, 130_000, day(2010, 7, 1))]),
    (Pe, &[(TaxComponent::Hst, 150_000, day(2016, 10, 1))]),
    (Qc, &[GST, (TaxComponent::Qst, 99_750, day(2013, 1, 1))]),
    (Sk, &[GST, (TaxComponent::Pst, 60_000, day(2017, 3, 23))]),
    (Yt, &[GST]),
];

const GST: Levy = (TaxComponent::Gst, 50_000, day(2008, 1, 1));

const CATEGORIES: [TaxCategory; 3] = [TaxCategory::Legal, TaxCategory::IdentityProtection, TaxCategory::Other];

/// The id of a region's area.
pub(crate) fn area_id(region: RegionCode) -> String {
    format!("tax-area-{}", region.spelling())
}

/// Every region there is.
pub(crate) fn list_regions() -> impl Iterator<Item = RegionCode> {
    (1..=i32::from(i16::MAX)).map_while(|number| RegionCode::try_from(number).ok())
}

/// A region's area without rates.
pub(crate) fn build_empty_area(region: RegionCode) -> TaxArea {
    TaxArea {
        id: area_id(region),
        locality: region.into(),
        country: country_of(region).into(),
        name: region_name(region).to_owned(),
        ..TaxArea::default()
    }
}

/// A region's area with the sample rates.
pub(crate) fn build_area(region: RegionCode) -> TaxArea {
    let mut area = build_empty_area(region);
    for category in CATEGORIES {
        for (component, rate_ppm, from) in list_levies(region, category) {
            let sampled = TaxRate {
                component: component.into(),
                category: category.into(),
                rate_ppm,
                effective_from: Some(from),
                effective_until: None,
                sample: true,
            };
            // Earlier rates of a component come first. The next one ends them.
            if let Some(before) = area
                .rates
                .last_mut()
                .filter(|before| before.component == sampled.component && before.category == sampled.category)
            {
                before.effective_until = Some(from);
            }
            area.rates.push(sampled);
        }
    }
    rate::sort_rates(&mut area);
    area
}

fn list_levies(region: RegionCode, category: TaxCategory) -> Vec<Levy> {
    if let Some((_, taxes)) = CANADA.iter().find(|(province, _)| *province == region) {
        return taxes.to_vec();
    }
    // The second California region has California's taxes.
    let state = if region == Ca2 { Ca } else { region };
    let table = match category {
        TaxCategory::Legal => LEGAL,
        TaxCategory::IdentityProtection => IDENTITY_PROTECTION,
        TaxCategory::Other | TaxCategory::Unspecified => &[],
    };
    let rate = table.iter().find(|(taxed, _)| *taxed == state).map_or(0, |(_, rate)| *rate);
    vec![(TaxComponent::State, rate, day(2020, 1, 1))]
}

const fn day(year: i32, month: i32, day: i32) -> Date {
    Date { year, month, day }
}

/// A region's name in English.
fn region_name(region: RegionCode) -> &'static str {
    NAMES.iter().find(|(known, _)| *known == region).map_or("", |(_, name)| name)
}

const NAMES: &[(RegionCode, &str)] = &[
    (Al, "Alabama"),
    (Ak, "Alaska"),
    (Az, "Arizona"),
    (Ar, "Arkansas"),
    (Ca, "California"),
    (Co, "Colorado"),
    (Ct, "Connecticut"),
    (De, "Delaware"),
    (Fl, "Florida"),
    (Ga, "Georgia"),
    (Hi, "Hawaii"),
    (Id, "Idaho"),
    (Il, "Illinois"),
    (In, "Indiana"),
    (Ia, "Iowa"),
    (Ks, "Kansas"),
    (Ky, "Kentucky"),
    (La, "Louisiana"),
    (Me, "Maine"),
    (Md, "Maryland"),
    (Ma, "Massachusetts"),
    (Mi, "Michigan"),
    (Mn, "Minnesota"),
    (Ms, "Mississippi"),
    (Mo, "Missouri"),
    (Mt, "Montana"),
    (Ne, "Nebraska"),
    (Nv, "Nevada"),
    (Nh, "New Hampshire"),
    (Nj, "New Jersey"),
    (Nm, "New Mexico"),
    (Ny, "New York"),
    (Nc, "North Carolina"),
    (Nd, "North Dakota"),
    (Oh, "Ohio"),
    (Ok, "Oklahoma"),
    (Or, "Oregon"),
    (Pa, "Pennsylvania"),
    (Ri, "Rhode Island"),
    (Sc, "South Carolina"),
    (Sd, "South Dakota"),
    (Tn, "Tennessee"),
    (Tx, "Texas"),
    (Ut, "Utah"),
    (Vt, "Vermont"),
    (Va, "Virginia"),
    (Wa, "Washington"),
    (Wv, "West Virginia"),
    (Wi, "Wisconsin"),
    (Wy, "Wyoming"),
    (Dc, "District of Columbia"),
    (As, "American Samoa"),
    (Gu, "Guam"),
    (Mp, "Northern Mariana Islands"),
    (Pr, "Puerto Rico"),
    (Vi, "U.S. Virgin Islands"),
    (Ab, "Alberta"),
    (Bc, "British Columbia"),
    (Mb, "Manitoba"),
    (Nb, "New Brunswick"),
    (Nl, "Newfoundland and Labrador"),
    (Ns, "Nova Scotia"),
    (On, "Ontario"),
    (Pe, "Prince Edward Island"),
    (Qc, "Quebec"),
    (Sk, "Saskatchewan"),
    (Nt, "Northwest Territories"),
    (Nu, "Nunavut"),
    (Yt, "Yukon"),
    (Ca2, "California (second region)"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn find_levies(region: RegionCode, category: TaxCategory, date: Date) -> Vec<(TaxComponent, i32)> {
        let area = build_area(region);
        rate::find_in_force(&area, category, date).map(|rate| (rate.component(), rate.rate_ppm)).collect()
    }

    #[test]
    fn every_region_has_a_sound_area_marked_as_sample() {
        assert_eq!(list_regions().count(), 70);
        for region in list_regions() {
            let area = build_area(region);
            rate::check_rates(&area).unwrap();
            assert!(!area.name.is_empty(), "{region:?}");
            assert!(area.rates.iter().all(|rate| rate.sample));
            for category in CATEGORIES {
                assert!(!find_levies(region, category, day(2026, 1, 1)).is_empty(), "{region:?} {category:?}");
            }
        }
    }

    #[test]
    fn canada_has_its_components() {
        let today = day(2026, 1, 1);
        assert_eq!(
            find_levies(Qc, TaxCategory::Legal, today),
            [(TaxComponent::Gst, 50_000), (TaxComponent::Qst, 99_750)]
        );
        assert_eq!(find_levies(On, TaxCategory::Legal, today), [(TaxComponent::Hst, 130_000)]);
        assert_eq!(
            find_levies(Bc, TaxCategory::Other, today),
            [(TaxComponent::Gst, 50_000), (TaxComponent::Pst, 70_000)]
        );
        assert_eq!(find_levies(Ns, TaxCategory::Legal, day(2025, 3, 31)), [(TaxComponent::Hst, 150_000)]);
        assert_eq!(find_levies(Ns, TaxCategory::Legal, day(2025, 4, 1)), [(TaxComponent::Hst, 140_000)]);
    }

    #[test]
    fn legal_plans_are_mostly_not_taxed_in_the_states() {
        let today = day(2026, 1, 1);
        assert_eq!(find_levies(Tx, TaxCategory::Legal, today), [(TaxComponent::State, 0)]);
        assert_eq!(find_levies(Tx, TaxCategory::IdentityProtection, today), [(TaxComponent::State, 62_500)]);
        assert_eq!(find_levies(Hi, TaxCategory::Legal, today), [(TaxComponent::State, 40_000)]);
    }
}
