//! Rules of every stored cohort.

use pavise_kernel::{Error, Invariants, Result, time};

use crate::contract::v1::{Cohort, CohortType};
use crate::shared::days::check_days;

impl Invariants for Cohort {
    fn check(&self) -> Result<()> {
        check_days(self.starts_on, self.ends_on)?;
        let sells = self.r#type() == CohortType::AssociateLicenses;
        if sells && self.licenses.is_empty() {
            return Err(Error::field("licenses", "a cohort of type ASSOCIATE_LICENSES has at least one"));
        }
        if !sells && !self.licenses.is_empty() {
            return Err(Error::field("licenses", "only a cohort of type ASSOCIATE_LICENSES has licences"));
        }
        for (at, license) in self.licenses.iter().enumerate() {
            if license.ends_on.is_some_and(|day| !time::is_real(day)) {
                return Err(Error::field(format!("licenses[{at}].ends_on"), "is no day of the calendar"));
            }
            if self.licenses.iter().take(at).any(|earlier| earlier.region == license.region) {
                return Err(Error::field(format!("licenses[{at}].region"), "has a licence already"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{Date, RegionCode};

    use super::*;
    use crate::contract::v1::CohortLicense;

    fn license(region: RegionCode, day: i32) -> CohortLicense {
        let ends_on = Some(Date { year: 2027, month: 6, day });
        CohortLicense { region: region.into(), number: "TX-1".into(), ends_on }
    }

    fn check(kind: CohortType, licenses: Vec<CohortLicense>) -> Option<String> {
        let starts_on = Some(Date { year: 2026, month: 1, day: 1 });
        let cohort = Cohort { r#type: kind.into(), starts_on, licenses, ..Cohort::default() };
        cohort.check().err().map(|error| error.violations()[0].field.clone())
    }

    #[test]
    fn only_associates_have_licences_and_one_of_a_region() {
        let (texas, ohio) = (license(RegionCode::Tx, 30), license(RegionCode::Oh, 30));
        assert_eq!(check(CohortType::AssociateLicenses, vec![texas.clone(), ohio]), None);
        assert_eq!(check(CohortType::ShieldAtWorkBeta, Vec::new()), None);
        let refused = |kind, licenses| check(kind, licenses).unwrap();
        assert_eq!(refused(CohortType::AssociateLicenses, Vec::new()), "licenses");
        assert_eq!(refused(CohortType::ShieldAtWorkBeta, vec![texas.clone()]), "licenses");
        assert_eq!(refused(CohortType::AssociateLicenses, vec![texas.clone(), texas]), "licenses[1].region");
        assert_eq!(refused(CohortType::AssociateLicenses, vec![license(RegionCode::Tx, 31)]), "licenses[0].ends_on");
    }
}
