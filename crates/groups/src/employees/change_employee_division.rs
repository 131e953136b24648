//! Moves an employee to another division.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use super::support::check_division;
use crate::contract::v1::{ChangeEmployeeDivisionRequest, Employee};
use crate::shared::group::load_group;

impl CheckRequest<ChangeEmployeeDivisionRequest> for Employee {
    async fn check_request(
        call: &Call,
        employee: Option<&Self>,
        request: &ChangeEmployeeDivisionRequest,
    ) -> Result<()> {
        let Some(employee) = employee else { return Ok(()) };
        if employee.group_id != request.group_id {
            return Err(Error::field("group_id", "is not the group of the employee"));
        }
        check_division(&load_group(call, &employee.group_id).await?, &request.division_id)
    }
}
