//! Notes that the order of an enrollment is paid.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{CompleteEnrollmentRequest, ErrorReason, GroupEnrollment};

impl Edit<CompleteEnrollmentRequest> for GroupEnrollment {
    fn edit(&mut self, request: &CompleteEnrollmentRequest, context: &EditContext) -> Result<()> {
        check_order(self, &request.order_id)?;
        self.completed_at.get_or_insert(context.timestamp());
        self.effective_on = request.effective_on;
        Ok(())
    }
}

/// Checks that an order is the one of the enrollment.
///
/// # Errors
/// `ENROLLMENT_OUTDATED`.
pub(crate) fn check_order(enrollment: &GroupEnrollment, order_id: &str) -> Result<()> {
    if enrollment.order_id == order_id {
        return Ok(());
    }
    Err(Error::new(ErrorReason::EnrollmentOutdated, "the enrollment has another order by now"))
}
