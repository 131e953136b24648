//! The rules of every entitlement.

use std::collections::BTreeSet;

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{to_date, to_micros};
use pavise_kernel::{Derive, Error, Result, time};
use prost_types::Timestamp;

use crate::contract::v1::{Entitlement, EntitlementPerson, EntitlementStatus, EntitlementStatusReason};

impl Derive for Entitlement {
    /// Sets the day on which each new person was added; a caller cannot set it. A new holder loses the name of the holder
    /// before, and leaves the lists of people. An end that is over or taken back has no reason any more. What can be
    /// used, or is over, waits for no payment.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        let today = to_date(to_micros(at));
        if before.is_some_and(|before| before.owner_id != self.owner_id) {
            self.holder_name.clear();
            self.authorized_users.retain(|person| person.id != self.owner_id);
            self.delegates.retain(|person| person.id != self.owner_id);
        }
        let (users, delegates) =
            before.map_or((None, None), |before| (Some(&before.authorized_users), Some(&before.delegates)));
        set_added_on(&mut self.authorized_users, users, today);
        set_added_on(&mut self.delegates, delegates, today);
        if self.ends_on.is_none() || self.status() == EntitlementStatus::Cancelled {
            self.ends_for = EntitlementStatusReason::Unspecified.into();
        }
        self.unpaid &= self.status() == EntitlementStatus::Suspended;
        Ok(())
    }
}

/// Known people keep their day. People of a new entitlement have none: its first day counts. A person who differs only in
/// the id is the same person, and keeps the day.
fn set_added_on(people: &mut [EntitlementPerson], before: Option<&Vec<EntitlementPerson>>, today: Date) {
    for (place, person) in people.iter_mut().enumerate() {
        person.added_on = before.and_then(|before| {
            let same =
                |known: &&EntitlementPerson| **known == EntitlementPerson { id: known.id.clone(), ..person.clone() };
            let known = before.iter().find(|known| known.id == person.id).or_else(|| before.get(place).filter(same));
            known.map_or(Some(today), |known| known.added_on)
        });
    }
}

impl Invariants for Entitlement {
    fn check(&self) -> Result<()> {
        if self.owner_id.is_empty() {
            return Err(Error::field("identity_id", "an entitlement has a holder"));
        }
        for (field, day) in [("effective_on", self.effective_on), ("ends_on", self.ends_on)] {
            if day.is_some_and(|day| !time::is_real(day)) {
                return Err(Error::field(field, "is no day of the calendar"));
            }
        }
        if ends_before_it_begins(self.effective_on, self.ends_on) {
            return Err(Error::field("ends_on", "must not be before effective_on"));
        }
        check_people("authorized_users", &self.owner_id, &self.authorized_users)?;
        check_people("delegates", &self.owner_id, &self.delegates)
    }
}

fn ends_before_it_begins(begin: Option<Date>, end: Option<Date>) -> bool {
    match (begin, end) {
        (Some(begin), Some(end)) => time::to_days(end) < time::to_days(begin),
        _ => false,
    }
}

/// Refuses a list that names the holder, or a person twice.
pub(super) fn check_people(field: &str, owner: &str, people: &[EntitlementPerson]) -> Result<()> {
    let mut seen = BTreeSet::new();
    for person in people {
        if person.id == owner {
            return Err(Error::field(field, "the holder is not one of them"));
        }
        if !seen.insert(&person.id) {
            return Err(Error::field(field, format!("{} is named twice", person.id)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::RelationType;

    const FIRST: Date = Date { year: 2026, month: 1, day: 1 };
    /// 2026-03-02.
    const NOW: Timestamp = Timestamp { seconds: 1_772_463_600, nanos: 0 };
    const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

    fn person(id: &str) -> EntitlementPerson {
        EntitlementPerson { id: id.to_owned(), permission_type: RelationType::Spouse.into(), ..Default::default() }
    }

    fn with_users(people: &[EntitlementPerson]) -> Entitlement {
        Entitlement { effective_on: Some(FIRST), authorized_users: people.to_vec(), ..Default::default() }
    }

    fn added_on(entitlement: &Entitlement, id: &str) -> Option<Date> {
        entitlement.authorized_users.iter().find(|person| person.id == id).unwrap().added_on
    }

    #[test]
    fn a_later_person_has_the_day_on_which_they_were_added() {
        let mut made = with_users(&[EntitlementPerson { added_on: Some(TODAY), ..person("ann") }]);
        made.derive(None, &NOW).unwrap();
        assert_eq!(added_on(&made, "ann"), None, "a caller cannot set the day");

        let mut later = with_users(&[person("ann"), person("ben")]);
        later.derive(Some(&made), &NOW).unwrap();
        assert_eq!((added_on(&later, "ann"), added_on(&later, "ben")), (None, Some(TODAY)));

        let mut again = with_users(&[person("ben")]);
        again.derive(Some(&later), &Timestamp { seconds: NOW.seconds + 864_000, ..NOW }).unwrap();
        assert_eq!(added_on(&again, "ben"), Some(TODAY), "a known person keeps the day");
    }

    #[test]
    fn the_same_person_under_another_id_keeps_the_day_and_another_person_does_not() {
        let old = EntitlementPerson { added_on: Some(FIRST), ..person("ann") };
        for before in [with_users(&[person("ann"), person("ben")]), with_users(&[old, person("ben")])] {
            let known = before.authorized_users[0].added_on;
            let mut merged = before.clone();
            "anna".clone_into(&mut merged.authorized_users[0].id);
            merged.derive(Some(&before), &NOW).unwrap();
            assert_eq!(merged.authorized_users[0].added_on, known);
            let mut replaced = before.clone();
            replaced.authorized_users[0] = EntitlementPerson { added_on: Some(TODAY), ..person("cat") };
            replaced.derive(Some(&before), &NOW).unwrap();
            assert_eq!(replaced.authorized_users[0].added_on, Some(TODAY));
        }
    }

    #[test]
    fn a_new_holder_has_their_own_name_and_leaves_the_lists() {
        let named = |owner: &str| Entitlement {
            owner_id: owner.to_owned(),
            holder_name: "Ada".to_owned(),
            ..Default::default()
        };
        let before = Entitlement { delegates: vec![person("ann")], ..named("ada") };
        let before = Entitlement { authorized_users: vec![person("ben"), person("ann")], ..before };
        let mut after = Entitlement { owner_id: "ann".to_owned(), ..before.clone() };
        after.derive(Some(&before), &NOW).unwrap();
        assert_eq!((after.holder_name.as_str(), after.authorized_users.as_slice()), ("", [person("ben")].as_slice()));
        assert!(after.delegates.is_empty());
        let mut same = before.clone();
        same.derive(Some(&before), &NOW).unwrap();
        assert_eq!(same, before);
    }

    fn field_of(entitlement: Entitlement) -> String {
        let entitlement = Entitlement { owner_id: "holder".to_owned(), ..entitlement };
        entitlement.check().unwrap_err().violations()[0].field.clone()
    }

    #[test]
    fn people_are_distinct_and_the_holder_is_not_among_them() {
        let twice = Entitlement { authorized_users: vec![person("a"), person("a")], ..Default::default() };
        assert_eq!(field_of(twice), "authorized_users");
        assert_eq!(field_of(Entitlement { delegates: vec![person("holder")], ..Default::default() }), "delegates");
    }

    #[test]
    fn it_ends_when_it_begins_or_later() {
        let (first, last) = (Date { year: 2026, month: 2, day: 28 }, Date { year: 2026, month: 3, day: 1 });
        assert_eq!(
            field_of(Entitlement { effective_on: Some(last), ends_on: Some(first), ..Default::default() }),
            "ends_on"
        );
        let unreal = Some(Date { year: 2026, month: 2, day: 30 });
        assert_eq!(field_of(Entitlement { effective_on: unreal, ..Default::default() }), "effective_on");
        let fine = Entitlement {
            owner_id: "holder".to_owned(),
            effective_on: Some(first),
            ends_on: Some(first),
            ..Default::default()
        };
        fine.check().unwrap();
    }
}
