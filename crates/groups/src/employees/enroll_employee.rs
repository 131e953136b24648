//! Notes that an employee enrolled.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use crate::contract::v1::{Employee, EmployeeStatus, EnrollEmployeeRequest, ErrorReason};

impl CheckRequest<EnrollEmployeeRequest> for Employee {
    async fn check_request(_: &Call, employee: Option<&Self>, request: &EnrollEmployeeRequest) -> Result<()> {
        match employee {
            Some(known) if !known.owner_id.is_empty() && known.owner_id != request.identity_id => {
                Err(Error::new(ErrorReason::EmployeeNotEligible, "somebody else enrolled as this employee"))
            }
            _ => Ok(()),
        }
    }
}

impl Edit<EnrollEmployeeRequest> for Employee {
    /// Somebody on leave stays on leave.
    fn edit(&mut self, _: &EnrollEmployeeRequest, _: &EditContext) -> Result<()> {
        if self.status() == EmployeeStatus::Eligible {
            self.set_status(EmployeeStatus::Enrolled);
        }
        Ok(())
    }
}
