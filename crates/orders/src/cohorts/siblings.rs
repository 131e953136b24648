//! The rule between the cohorts of an identity.

use pavise_kernel::{Error, Result, Siblings};

use crate::contract::v1::{Cohort, CohortStatus, ErrorReason};

impl Siblings for Cohort {
    /// An identity is in a cohort of one type once.
    fn check(&self, others: &[Self]) -> Result<()> {
        let is_active = |cohort: &Self| cohort.status() == CohortStatus::Active;
        match others.iter().find(|other| is_active(other) && other.r#type == self.r#type) {
            Some(other) if is_active(self) => {
                let message = format!("the identity is in a cohort of type {} already", self.r#type().spelling());
                Err(Error::new(ErrorReason::AlreadyInCohort, message).with("cohort_id", other.id.clone()))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::CohortType;

    #[test]
    fn a_second_cohort_of_a_type_is_refused_until_the_first_is_deleted() {
        let of = |kind: CohortType, status: CohortStatus| Cohort {
            r#type: kind.into(),
            status: status.into(),
            ..Cohort::default()
        };
        let beta = of(CohortType::ShieldAtWorkBeta, CohortStatus::Active);
        let sells = of(CohortType::AssociateLicenses, CohortStatus::Active);
        let over = of(CohortType::ShieldAtWorkBeta, CohortStatus::Deleted);
        assert!(beta.check(&[sells, over.clone()]).is_ok());
        assert!(over.check(std::slice::from_ref(&beta)).is_ok());
        assert!(beta.check(std::slice::from_ref(&beta)).is_err_and(|error| error.reason() == "ALREADY_IN_COHORT"));
    }
}
