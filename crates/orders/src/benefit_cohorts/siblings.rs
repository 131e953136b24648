//! The rule between the benefit cohorts of an identity.

use pavise_kernel::{Error, Result, Siblings};

use crate::contract::v1::{BenefitCohort, ErrorReason};

/// The most benefit cohorts of an identity.
const MOST_COHORTS: usize = 50;

impl Siblings for BenefitCohort {
    fn check(&self, others: &[Self]) -> Result<()> {
        if others.len() < MOST_COHORTS {
            return Ok(());
        }
        let message = format!("the identity has {MOST_COHORTS} benefit cohorts already");
        Err(Error::new(ErrorReason::TooManyBenefitCohorts, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_has_fifty_at_most() {
        let others = vec![BenefitCohort::default(); MOST_COHORTS];
        let one = BenefitCohort::default();
        assert!(one.check(&others[1..]).is_ok());
        assert!(one.check(&others).is_err_and(|error| error.reason() == "TOO_MANY_BENEFIT_COHORTS"));
    }
}
