//! The enrollments of an employee lie in the division of the employee.

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate as _, Call, Consequences, Error, Result, Step};

use crate::contract::actions::group_enrollment as actions;
use crate::contract::lookups::group_enrollment::EMPLOYEE_ID;
use crate::contract::v1::{Employee, GroupEnrollment};

/// The most enrollments of one employee.
const MOST: u32 = 100;

impl Consequences for Employee {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let (Some(before), Some(after)) = (&step.before, &step.after) else { return Ok(()) };
        if before.division_id == after.division_id {
            return Ok(());
        }
        let by_employee = GroupEnrollment::TABLE
            .lookup(EMPLOYEE_ID)
            .ok_or_else(|| Error::internal("enrollments have no lookup of employees"))?;
        let filter = Filter { lookups: vec![(by_employee, after.id.clone())], limit: MOST, ..Filter::default() };
        let rows = call.kernel().store().list(GroupEnrollment::TABLE, &filter).await?;
        let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
        for enrollment in call.find_many::<GroupEnrollment>(&ids).await? {
            if enrollment.division_id != after.division_id {
                let moved = GroupEnrollment { division_id: after.division_id.clone(), ..enrollment.clone() };
                step.unit.update_as(&enrollment, moved, actions::UPDATED)?;
            }
        }
        Ok(())
    }
}
