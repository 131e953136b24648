//! The service `group_enrollments`: employees enroll in the plans of their group.

mod change_enrollment_business_info;
mod change_enrollment_dependents;
mod change_enrollment_offers;
mod complete_enrollment;
mod create_group_enrollment;
mod fail_enrollment;
mod get_enrollment_options;
mod record_enrollment_order;
mod rules;
mod siblings;
mod submit_group_enrollment;
pub(crate) mod support;
mod update_group_enrollment;

pub(crate) use create_group_enrollment::create_group_enrollment;
pub(crate) use get_enrollment_options::get_enrollment_options;
pub(crate) use submit_group_enrollment::submit_group_enrollment;
