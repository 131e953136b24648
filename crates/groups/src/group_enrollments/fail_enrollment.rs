//! Opens an enrollment again whose order cannot be made or paid.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::complete_enrollment::check_order;
use super::record_enrollment_order::check_submission;
use crate::contract::v1::{EnrollmentFailure, ErrorReason, FailEnrollmentRequest, GroupEnrollment};

impl Edit<FailEnrollmentRequest> for GroupEnrollment {
    /// The next submission makes another order, and computes another first day.
    fn edit(&mut self, request: &FailEnrollmentRequest, context: &EditContext) -> Result<()> {
        check_order(self, &request.order_id)?;
        check_submission(self, request.submitted_at.as_ref())?;
        if self.completed_at.is_some() {
            return Err(Error::new(ErrorReason::EnrollmentOutdated, "the enrollment is completed"));
        }
        let failure = request.failure.clone().unwrap_or_default();
        self.failure = Some(EnrollmentFailure { failed_at: Some(context.timestamp()), ..failure });
        self.order_id.clear();
        (self.deduction, self.employer_part, self.effective_on) = (None, None, None);
        Ok(())
    }
}
