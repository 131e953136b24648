//! What must hold of every entitlement.

use std::collections::BTreeSet;

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::common::v1::Date;
use pavise_kernel::{Error, Result, time};

use crate::contract::v1::{Entitlement, EntitlementPerson};

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
        distinct("authorized_users", &self.owner_id, &self.authorized_users)?;
        distinct("delegates", &self.owner_id, &self.delegates)
    }
}

fn ends_before_it_begins(begin: Option<Date>, end: Option<Date>) -> bool {
    match (begin, end) {
        (Some(begin), Some(end)) => time::days(end) < time::days(begin),
        _ => false,
    }
}

fn distinct(field: &str, owner: &str, people: &[EntitlementPerson]) -> Result<()> {
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

    fn person(id: &str) -> EntitlementPerson {
        EntitlementPerson { id: id.to_owned(), ..Default::default() }
    }

    fn field_of(entitlement: Entitlement) -> String {
        let entitlement = Entitlement { owner_id: "holder".to_owned(), ..entitlement };
        entitlement.check().unwrap_err().violations()[0].field.clone()
    }

    #[test]
    fn people_are_distinct_and_the_holder_is_not_among_them() {
        assert_eq!(
            field_of(Entitlement { authorized_users: vec![person("a"), person("a")], ..Default::default() }),
            "authorized_users"
        );
        assert_eq!(field_of(Entitlement { delegates: vec![person("holder")], ..Default::default() }), "delegates");
    }

    #[test]
    fn it_ends_when_it_begins_or_later() {
        let (first, last) = (Date { year: 2026, month: 2, day: 28 }, Date { year: 2026, month: 3, day: 1 });
        assert_eq!(field_of(Entitlement { effective_on: Some(last), ends_on: Some(first), ..Default::default() }), "ends_on");
        assert_eq!(
            field_of(Entitlement { effective_on: Some(Date { year: 2026, month: 2, day: 30 }), ..Default::default() }),
            "effective_on"
        );
        let fine =
            Entitlement { owner_id: "holder".to_owned(), effective_on: Some(first), ends_on: Some(first), ..Default::default() };
        fine.check().unwrap();
    }
}
