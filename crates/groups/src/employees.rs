//! The service `employees`: the people who work for employer groups.

mod change_employee_division;
mod consequences;
mod create_employee;
mod enroll_employee;
mod rules;
pub(crate) mod support;
mod update_employee;
