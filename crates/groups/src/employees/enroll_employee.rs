//! Notes that an employee enrolled.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Employee, EmployeeStatus, EnrollEmployeeRequest};

impl Edit<EnrollEmployeeRequest> for Employee {
    /// Somebody on leave stays on leave.
    fn edit(&mut self, _: &EnrollEmployeeRequest, _: &EditContext) -> Result<()> {
        if self.status() == EmployeeStatus::Eligible {
            self.set_status(EmployeeStatus::Enrolled);
        }
        Ok(())
    }
}
