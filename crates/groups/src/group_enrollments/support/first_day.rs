//! The first day of plans.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_months, to_days};

use super::waiting::last_waiting_day;
use super::window::is_in_window;
use crate::contract::v1::{
    Employee, Group, GroupRestrictedPeriod, RestrictedEffectiveDateMonth as Month,
    RestrictedEffectiveDateSource as Source, RestrictedEffectiveDateStatus as Status,
};

/// The first day of plans for which somebody enrolls today: the day of the open enrollment, or the latest that a restricted
/// period gives, but never before today, the group's first day, or the end of the employee's waiting days.
pub(crate) fn compute_first_day(group: &Group, employee: Option<&Employee>, source: Source, today: Date) -> Date {
    let named =
        group.open_enrollment_info.filter(|_| is_in_window(group, today)).and_then(|window| window.effective_on);
    let by_rule = || {
        let rules = group.restricted_periods.iter().filter(|rule| counts(rule, source));
        rules.map(|rule| first_of_month(rule, today)).max_by_key(|day| to_days(*day))
    };
    let days = [named.or_else(by_rule), group.effective_date, employee.and_then(|one| last_waiting_day(group, one))];
    days.into_iter().flatten().fold(today, |latest, day| if to_days(day) > to_days(latest) { day } else { latest })
}

fn counts(rule: &GroupRestrictedPeriod, source: Source) -> bool {
    rule.status() == Status::Active && (rule.source() == Source::All || rule.source() == source)
}

fn first_of_month(rule: &GroupRestrictedPeriod, today: Date) -> Date {
    let later = match rule.month() {
        Month::Current | Month::Unspecified => 0,
        Month::Plus1 => 1,
        Month::Plus2 => 2,
        Month::Plus3 => 3,
    };
    add_months(Date { day: 1, ..today }, later)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{GroupEnrollmentConfig, GroupOpenEnrollment};

    const fn day(year: i32, month: i32, day: i32) -> Date {
        Date { year, month, day }
    }

    fn rule(source: Source, month: Month, status: Status) -> GroupRestrictedPeriod {
        GroupRestrictedPeriod {
            source: source.into(),
            month: month.into(),
            status: status.into(),
            ..Default::default()
        }
    }

    #[test]
    fn plans_of_the_web_begin_on_the_first_of_the_next_month() {
        let today = day(2026, 11, 20);
        let group =
            Group { restricted_periods: vec![rule(Source::Web, Month::Plus1, Status::Active)], ..Group::default() };
        assert_eq!(compute_first_day(&group, None, Source::Web, today), day(2026, 12, 1));
        assert_eq!(compute_first_day(&group, None, Source::Paper, today), today);
        let december = compute_first_day(&group, None, Source::Web, day(2026, 12, 31));
        assert_eq!(december, day(2027, 1, 1));
    }

    #[test]
    fn the_latest_rule_that_counts_decides_and_never_a_day_that_is_over() {
        let today = day(2026, 11, 20);
        let rules = vec![
            rule(Source::All, Month::Current, Status::Active),
            rule(Source::Web, Month::Plus3, Status::Inactive),
            rule(Source::LsAtWork, Month::Plus2, Status::Active),
        ];
        let group = Group { restricted_periods: rules, ..Group::default() };
        assert_eq!(compute_first_day(&group, None, Source::Web, today), today, "the first of this month is over");
        assert_eq!(compute_first_day(&group, None, Source::LsAtWork, today), day(2027, 1, 1));
    }

    #[test]
    fn the_open_enrollment_names_its_day_and_new_employees_wait() {
        let window = GroupOpenEnrollment {
            opens_on: Some(day(2026, 11, 1)),
            closes_on: Some(day(2026, 11, 30)),
            effective_on: Some(day(2027, 1, 1)),
        };
        let group = Group {
            open_enrollment_info: Some(window),
            enrollment_config: Some(GroupEnrollmentConfig { waiting_days: 90, ..Default::default() }),
            effective_date: Some(day(2026, 12, 15)),
            ..Group::default()
        };
        assert_eq!(compute_first_day(&group, None, Source::Web, day(2026, 11, 20)), day(2027, 1, 1));
        assert_eq!(compute_first_day(&group, None, Source::Web, day(2026, 12, 2)), day(2026, 12, 15));
        let hired = Employee { hired_on: Some(day(2026, 11, 2)), ..Employee::default() };
        assert_eq!(compute_first_day(&group, Some(&hired), Source::Web, day(2026, 11, 20)), day(2027, 1, 31));
    }
}
