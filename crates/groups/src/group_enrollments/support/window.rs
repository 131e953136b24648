//! The time in which a group takes enrollments.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, to_days};
use pavise_kernel::{Error, Result};

use super::waiting::last_waiting_day;
use crate::contract::v1::{Employee, EmployeeStatus, EnrollmentFrequency, ErrorReason, Group};

/// The days after the waiting days in which a new employee enrolls, outside the open enrollment.
const NEW_HIRE_DAYS: i64 = 31;

/// Checks that the group takes the enrollment of somebody today.
///
/// # Errors
/// `ENROLLMENT_CLOSED`.
pub(crate) fn check_window(group: &Group, employee: Option<&Employee>, today: Date) -> Result<()> {
    if let Some(waits_until) = employee.and_then(|one| last_waiting_day(group, one)).filter(|day| is_after(*day, today))
    {
        return Err(closed_error(format!("new employees enroll from {} on", text(waits_until))));
    }
    match frequency_of(group) {
        EnrollmentFrequency::Evergreen
        | EnrollmentFrequency::Open
        | EnrollmentFrequency::None
        | EnrollmentFrequency::Unspecified => Ok(()),
        EnrollmentFrequency::CurrentParticipantsOnly if employee.is_some_and(takes_part) => Ok(()),
        EnrollmentFrequency::CurrentParticipantsOnly => {
            Err(closed_error("the group takes nobody new: those who take part go on".to_owned()))
        }
        EnrollmentFrequency::OpenEnrollmentWithNewHires if employee.is_some_and(|one| is_new(group, one, today)) => {
            Ok(())
        }
        EnrollmentFrequency::OpenEnrollment
        | EnrollmentFrequency::OpenEnrollmentWithNewHires
        | EnrollmentFrequency::Scheduled
            if is_in_window(group, today) =>
        {
            Ok(())
        }
        EnrollmentFrequency::OpenEnrollment
        | EnrollmentFrequency::OpenEnrollmentWithNewHires
        | EnrollmentFrequency::Scheduled => Err(closed_error(describe_window(group))),
    }
}

/// Whether today is a day of the open enrollment.
pub(crate) fn is_in_window(group: &Group, today: Date) -> bool {
    group.open_enrollment_info.is_some_and(|window| {
        window.opens_on.is_some_and(|first| !is_after(first, today))
            && window.closes_on.is_some_and(|last| !is_after(today, last))
    })
}

fn frequency_of(group: &Group) -> EnrollmentFrequency {
    group.enrollment_config.as_ref().map_or(EnrollmentFrequency::Unspecified, |config| config.frequency())
}

fn takes_part(employee: &Employee) -> bool {
    matches!(employee.status(), EmployeeStatus::Enrolled | EmployeeStatus::OnLeave)
}

fn is_new(group: &Group, employee: &Employee, today: Date) -> bool {
    last_waiting_day(group, employee).is_some_and(|day| !is_after(today, add_days(day, NEW_HIRE_DAYS)))
}

fn is_after(day: Date, other: Date) -> bool {
    to_days(day) > to_days(other)
}

fn describe_window(group: &Group) -> String {
    let days = group.open_enrollment_info.and_then(|window| window.opens_on.zip(window.closes_on));
    match days {
        Some((first, last)) => format!("the open enrollment is from {} to {}", text(first), text(last)),
        None => "the group has no open enrollment now".to_owned(),
    }
}

fn closed_error(message: String) -> Error {
    Error::new(ErrorReason::EnrollmentClosed, message)
}

fn text(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year, day.month, day.day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{GroupEnrollmentConfig, GroupOpenEnrollment};

    const fn may(day: i32) -> Date {
        Date { year: 2026, month: 5, day }
    }

    fn group(frequency: EnrollmentFrequency, waiting_days: i32) -> Group {
        Group {
            enrollment_config: Some(GroupEnrollmentConfig {
                frequency: frequency.into(),
                waiting_days,
                ..GroupEnrollmentConfig::default()
            }),
            open_enrollment_info: Some(GroupOpenEnrollment {
                opens_on: Some(may(10)),
                closes_on: Some(may(20)),
                effective_on: None,
            }),
            ..Group::default()
        }
    }

    #[test]
    fn the_open_enrollment_has_a_first_and_a_last_day() {
        let group = group(EnrollmentFrequency::OpenEnrollment, 0);
        let closed = |day| check_window(&group, None, may(day)).is_err();
        assert_eq!([9, 10, 20, 21].map(closed), [true, false, false, true]);
        let refused = check_window(&group, None, may(9)).unwrap_err();
        assert_eq!(refused.message(), "the open enrollment is from 2026-05-10 to 2026-05-20");
        assert!(check_window(&Group::default(), None, may(9)).is_ok(), "nothing is decided");
    }

    #[test]
    fn new_employees_enroll_after_their_waiting_days_for_a_month() {
        let group = group(EnrollmentFrequency::OpenEnrollmentWithNewHires, 30);
        let hired = |month, day| Employee { hired_on: Some(Date { year: 2026, month, day }), ..Employee::default() };
        assert!(check_window(&group, Some(&hired(4, 5)), may(4)).is_err(), "they wait");
        assert!(check_window(&group, Some(&hired(4, 5)), may(5)).is_ok());
        assert!(check_window(&group, Some(&hired(3, 1)), may(1)).is_ok());
        assert!(check_window(&group, Some(&hired(2, 1)), may(1 + 5)).is_err(), "they are not new any more");
        assert!(check_window(&group, Some(&hired(2, 1)), may(12)).is_ok(), "the open enrollment is for all");
        assert!(check_window(&group, Some(&hired(5, 1)), may(12)).is_err(), "new employees wait, then too");
    }

    #[test]
    fn a_group_that_takes_nobody_new_lets_those_go_on_who_take_part() {
        let group = group(EnrollmentFrequency::CurrentParticipantsOnly, 0);
        let of = |status: EmployeeStatus| Employee { status: status.into(), ..Employee::default() };
        assert!(check_window(&group, Some(&of(EmployeeStatus::Enrolled)), may(12)).is_ok());
        assert!(check_window(&group, Some(&of(EmployeeStatus::Eligible)), may(12)).is_err());
        assert!(check_window(&group, None, may(12)).is_err());
    }
}
