//! The service `benefit_cohorts`: benefits that identities have beside their plans.

mod add_benefit_cohort_benefits;
mod create_benefit_cohort;
mod rules;
mod siblings;
mod support;
