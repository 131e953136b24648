//! Notes the order of a submitted enrollment.

use pavise_kernel::{Call, CheckRequest, Error, Result};
use prost_types::Timestamp;

use crate::contract::v1::{ErrorReason, GroupEnrollment, RecordEnrollmentOrderRequest};

impl CheckRequest<RecordEnrollmentOrderRequest> for GroupEnrollment {
    async fn check_request(_: &Call, enrollment: Option<&Self>, request: &RecordEnrollmentOrderRequest) -> Result<()> {
        let Some(enrollment) = enrollment else { return Ok(()) };
        check_submission(enrollment, request.submitted_at.as_ref())
    }
}

/// Checks that a submission is the last one of the enrollment.
///
/// # Errors
/// `ENROLLMENT_OUTDATED`.
pub(crate) fn check_submission(enrollment: &GroupEnrollment, submitted_at: Option<&Timestamp>) -> Result<()> {
    if enrollment.submitted_at.as_ref() == submitted_at {
        return Ok(());
    }
    Err(Error::new(ErrorReason::EnrollmentOutdated, "the enrollment was submitted once more"))
}
