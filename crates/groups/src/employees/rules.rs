//! Rules of every stored employee.

use pavise_kernel::time::to_days;
use pavise_kernel::{Derive, Error, Invariants, Result};
use prost_types::Timestamp;

use crate::contract::v1::{Employee, EmployeeStatus};
use crate::groups::support::lists::check_day;

impl Derive for Employee {
    /// Spaces around the texts, by which employees are found, do not count. Nobody is found who left.
    fn derive(&mut self, _: Option<&Self>, _: &Timestamp) -> Result<()> {
        for text in [&mut self.number, &mut self.first_name, &mut self.last_name, &mut self.email] {
            *text = text.trim().to_owned();
        }
        let is_found = !self.email.is_empty() && self.status() != EmployeeStatus::Terminated;
        self.email_in_group = if is_found { Self::email_key(&self.group_id, &self.email) } else { String::new() };
        Ok(())
    }
}

impl Employee {
    /// The value by which an employee of a group is found with their e-mail address.
    pub(crate) fn email_key(group_id: &str, email: &str) -> String {
        format!("{group_id}/{}", email.to_lowercase())
    }
}

impl Invariants for Employee {
    fn check(&self) -> Result<()> {
        let days = [
            ("birth_date", self.birth_date),
            ("hired_on", self.hired_on),
            ("leave_from", self.leave_from),
            ("terminated_on", self.terminated_on),
        ];
        for (field, day) in days {
            check_day(field, day)?;
        }
        for (field, day) in &days[2..] {
            match (self.hired_on, day) {
                (Some(hired), Some(day)) if to_days(*day) < to_days(hired) => {
                    return Err(Error::field(*field, "lies before the day on which they were hired"));
                }
                _ => {}
            }
        }
        match (self.birth_date, self.hired_on) {
            (Some(born), Some(hired)) if to_days(hired) <= to_days(born) => {
                Err(Error::field("hired_on", "lies before the date of birth"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Date;

    use super::*;

    #[test]
    fn nobody_leaves_before_they_were_hired() {
        let day = |month, day| Some(Date { year: 2026, month, day });
        let hired = Employee { hired_on: day(3, 1), ..Employee::default() };
        let field = |employee: Employee| employee.check().unwrap_err().violations()[0].field.clone();
        assert!(Employee { terminated_on: day(3, 1), ..hired.clone() }.check().is_ok());
        assert_eq!(field(Employee { terminated_on: day(2, 28), ..hired.clone() }), "terminated_on");
        assert_eq!(field(Employee { leave_from: day(2, 28), ..hired.clone() }), "leave_from");
        assert_eq!(field(Employee { birth_date: day(3, 1), ..hired.clone() }), "hired_on");
        assert_eq!(field(Employee { birth_date: day(2, 30), ..hired }), "birth_date");
    }
}
