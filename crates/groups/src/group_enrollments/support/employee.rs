//! The employee who enrolls.

use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::identity::GetIdentityRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::lookups::employee::EMAIL_IN_GROUP;
use crate::contract::v1::employee_service_client::EmployeeServiceClient;
use crate::contract::v1::{
    Employee, EmployeeStatus, EnrollmentMethod, ErrorReason, Group, ListEmploymentsRequest, PayType,
};

/// The most employments of an identity that are looked at, the newest first.
const MOST: i32 = 200;

/// Finds the group's record of an identity: the one that is theirs, or one that is nobody's and has a proved e-mail address of
/// the identity. One of somebody who left counts last.
///
/// # Errors
/// When the identities do not answer.
pub(crate) async fn find_employee(call: &Call, group_id: &str, identity_id: &str) -> Result<Option<Employee>> {
    let mut employees = EmployeeServiceClient::new(call.peer_channel("groups"));
    let ask = ListEmploymentsRequest { identity_id: identity_id.to_owned(), page_size: MOST, ..Default::default() };
    let mut own = employees.list_employments(Request::new(ask)).await?.into_inner().employees;
    own.retain(|employee| employee.group_id == group_id);
    let (left, present): (Vec<_>, Vec<_>) =
        own.into_iter().partition(|employee| employee.status() == EmployeeStatus::Terminated);
    if let Some(known) = present.into_iter().next() {
        return Ok(Some(known));
    }
    let mut identities = IdentityServiceClient::new(call.peer_channel("identity"));
    let ask = GetIdentityRequest { identity_id: identity_id.to_owned() };
    let identity = identities.get_identity(Request::new(ask)).await?.into_inner();
    for email in &identity.emails {
        let key = Employee::email_key(group_id, &email.address);
        let found = call.find_unscoped_by::<Employee>(EMAIL_IN_GROUP, &key).await?;
        if let Some(employee) = found.filter(|employee| employee.owner_id.is_empty()) {
            return Ok(Some(employee));
        }
    }
    Ok(left.into_iter().next())
}

/// Checks that somebody may enroll. A group whose employees are named by a file, or whose employer or payroll pays, enrolls
/// nobody else than its employees. Nobody enrolls who left.
///
/// # Errors
/// `EMPLOYEE_NOT_ELIGIBLE`.
pub(crate) fn check_eligible(group: &Group, employee: Option<&Employee>) -> Result<()> {
    let refused = |message: &str| Err(Error::new(ErrorReason::EmployeeNotEligible, message));
    match employee {
        None if !enrolls_anybody(group) => {
            refused("the group has no record of an employee with a proved e-mail address of this person")
        }
        Some(employee) if employee.status() == EmployeeStatus::Terminated => {
            refused("the employee does not work for the group any more")
        }
        _ => Ok(()),
    }
}

fn enrolls_anybody(group: &Group) -> bool {
    let by_file = group.enrollment_config.as_ref().is_some_and(|config| config.method() == EnrollmentMethod::File);
    group.pay_type() == PayType::SelfPay && !by_file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::GroupEnrollmentConfig;

    #[test]
    fn only_known_employees_enroll_where_a_file_or_the_employer_decides() {
        let group = |pay: PayType, method: EnrollmentMethod| Group {
            pay_type: pay.into(),
            enrollment_config: Some(GroupEnrollmentConfig {
                method: method.into(),
                ..GroupEnrollmentConfig::default()
            }),
            ..Group::default()
        };
        let employee = |status: EmployeeStatus| Employee { status: status.into(), ..Employee::default() };
        let open = group(PayType::SelfPay, EnrollmentMethod::Checkout);
        assert!(check_eligible(&open, None).is_ok());
        assert!(check_eligible(&open, Some(&employee(EmployeeStatus::Terminated))).is_err());
        let closed = [
            group(PayType::SelfPay, EnrollmentMethod::File),
            group(PayType::Fringe, EnrollmentMethod::Checkout),
            group(PayType::Payroll, EnrollmentMethod::Paper),
            group(PayType::PartialFringe, EnrollmentMethod::Checkout),
        ];
        for group in closed {
            assert!(check_eligible(&group, None).is_err_and(|error| error.is(ErrorReason::EmployeeNotEligible)));
            assert!(check_eligible(&group, Some(&employee(EmployeeStatus::Eligible))).is_ok());
        }
    }
}
