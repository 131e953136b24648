//! Rules of every stored benefit cohort.

use pavise_kernel::{Error, Invariants, Result};

use crate::contract::v1::BenefitCohort;
use crate::shared::days::check_days;

/// The most benefits of a benefit cohort.
const MOST_BENEFITS: usize = 100;

impl Invariants for BenefitCohort {
    fn check(&self) -> Result<()> {
        check_days(self.starts_on, self.ends_on)?;
        if self.benefit_ids.len() > MOST_BENEFITS {
            return Err(Error::field("benefit_ids", format!("a benefit cohort has {MOST_BENEFITS} benefits at most")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Date;

    use super::*;

    #[test]
    fn a_benefit_cohort_has_a_hundred_benefits_at_most() {
        let with = |count: usize| {
            let starts_on = Some(Date { year: 2026, month: 1, day: 1 });
            let benefit_ids = (0..count).map(|number| number.to_string()).collect();
            BenefitCohort { starts_on, benefit_ids, ..BenefitCohort::default() }.check()
        };
        with(MOST_BENEFITS).unwrap();
        assert_eq!(with(MOST_BENEFITS + 1).unwrap_err().violations()[0].field, "benefit_ids");
    }
}
