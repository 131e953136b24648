//! Records somebody who works for a group.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::{check_division, check_pay_period};
use crate::contract::v1::{CreateEmployeeRequest, Employee, GroupStatus};
use crate::shared::group::load_group;

impl CheckRequest<CreateEmployeeRequest> for Employee {
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateEmployeeRequest) -> Result<()> {
        let group = load_group(call, &request.group_id).await?;
        if group.status() == GroupStatus::Cancelled {
            return Err(Error::field("group_id", "names a group that is CANCELLED"));
        }
        check_division(&group, &request.division_id)?;
        check_pay_period(&group, &request.division_id, &request.pay_period_id)
    }
}

impl Edit<CreateEmployeeRequest> for Employee {
    /// The employee is nobody's until they enroll, and not the caller's.
    fn edit(&mut self, _: &CreateEmployeeRequest, _: &EditContext) -> Result<()> {
        self.owner_id.clear();
        Ok(())
    }
}
