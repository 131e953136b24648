//! The people on an entitlement: authorized users and delegates.

use pavise_kernel::{Error, Result};

use crate::contract::v1::{EntitlementPerson, ErrorReason};

/// Adds people to a list. A known person gets the new relation, and the name and the day of birth if they were sent.
pub(crate) fn add_people(list: &mut Vec<EntitlementPerson>, people: &[EntitlementPerson]) {
    for person in people {
        match list.iter_mut().find(|known| known.id == person.id) {
            Some(known) => {
                let name = if person.name.is_empty() { known.name.clone() } else { person.name.clone() };
                let birth_date = person.birth_date.or(known.birth_date);
                *known = EntitlementPerson { name, birth_date, ..person.clone() };
            }
            None => list.push(person.clone()),
        }
    }
}

/// Puts a person in the place of another. A repeat changes nothing.
///
/// # Errors
/// `PERSON_NOT_ON_ENTITLEMENT`.
pub(crate) fn replace_person(list: &mut Vec<EntitlementPerson>, gone: &str, new: &EntitlementPerson) -> Result<()> {
    let missing = || Error::new(ErrorReason::PersonNotOnEntitlement, "the identity is not on the entitlement");
    let is_new = |known: &EntitlementPerson| (&known.id, known.permission_type) == (&new.id, new.permission_type);
    let is_done = gone != new.id && !list.iter().any(|known| known.id == gone) && list.iter().any(is_new);
    if is_done {
        return Ok(());
    }
    let place = list.iter().position(|known| known.id == gone).ok_or_else(missing)?;
    list.retain(|known| known.id == gone || known.id != new.id);
    let place = list.iter().position(|known| known.id == gone).unwrap_or(place);
    if let Some(known) = list.get_mut(place) {
        known.clone_from(new);
    }
    Ok(())
}

/// The replacement that a request names.
pub(crate) fn require_replacement(replacement: Option<&EntitlementPerson>) -> Result<&EntitlementPerson> {
    replacement.ok_or_else(|| Error::missing_field("replacement"))
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::RelationType;

    use super::*;

    fn person(id: &str, relation: RelationType) -> EntitlementPerson {
        EntitlementPerson { id: id.to_owned(), permission_type: relation.into(), ..EntitlementPerson::default() }
    }

    #[test]
    fn a_known_person_gets_the_new_relation_and_keeps_the_name() {
        let named = EntitlementPerson { name: "Ann".to_owned(), ..person("a", RelationType::Spouse) };
        let mut list = vec![named.clone()];
        add_people(&mut list, &[person("a", RelationType::Elder), person("b", RelationType::Dependent)]);
        let elder = EntitlementPerson { permission_type: RelationType::Elder.into(), ..named };
        assert_eq!(list, [elder, person("b", RelationType::Dependent)]);
    }

    #[test]
    fn a_replacement_takes_the_place_and_is_there_once() {
        let mut list = vec![person("a", RelationType::Spouse), person("b", RelationType::Dependent)];
        replace_person(&mut list, "b", &person("c", RelationType::Dependent)).unwrap();
        assert_eq!(list, [person("a", RelationType::Spouse), person("c", RelationType::Dependent)]);
        replace_person(&mut list, "b", &person("c", RelationType::Dependent)).unwrap();
        replace_person(&mut list, "c", &person("a", RelationType::Elder)).unwrap();
        assert_eq!(list, [person("a", RelationType::Elder)]);
        let refused = replace_person(&mut list, "x", &person("y", RelationType::Elder)).unwrap_err();
        assert_eq!(refused.reason(), "PERSON_NOT_ON_ENTITLEMENT");
    }
}
