//! Replaces the data of an employee.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::check_pay_period;
use crate::contract::v1::{Employee, UpdateEmployeeRequest};
use crate::shared::group::load_group;

impl CheckRequest<UpdateEmployeeRequest> for Employee {
    async fn check_request(call: &Call, employee: Option<&Self>, request: &UpdateEmployeeRequest) -> Result<()> {
        let Some(employee) = employee else { return Ok(()) };
        let group = load_group(call, &employee.group_id).await?;
        check_pay_period(&group, &employee.division_id, &request.pay_period_id)
    }
}

impl Edit<UpdateEmployeeRequest> for Employee {
    fn edit(&mut self, request: &UpdateEmployeeRequest, _: &EditContext) -> Result<()> {
        self.birth_date = request.birth_date.or(self.birth_date);
        Ok(())
    }
}
