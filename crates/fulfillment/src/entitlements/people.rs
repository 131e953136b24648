//! The people on an entitlement: authorized users, delegates, and another holder.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{
    AddDelegatesRequest, ChangePersonRequest, Entitlement, EntitlementPerson, ErrorReason, ReassignOwnerRequest,
};

/// One of the lists of people.
type List = fn(&mut Entitlement) -> &mut Vec<EntitlementPerson>;

/// Those who may act for the holder.
pub(super) fn delegates(entitlement: &mut Entitlement) -> &mut Vec<EntitlementPerson> {
    &mut entitlement.delegates
}

/// Those who may use it.
pub(super) fn authorized_users(entitlement: &mut Entitlement) -> &mut Vec<EntitlementPerson> {
    &mut entitlement.authorized_users
}

/// Adds people who may act for the holder; one who is there already gets the new relation.
pub(super) async fn add_delegates(call: &Call, request: &AddDelegatesRequest) -> Result<Entitlement> {
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        put(&mut entitlement.delegates, &request.delegates);
        Ok(())
    })
    .await
}

/// Takes people off; one who is not there is no matter.
pub(super) async fn remove(call: &Call, id: &str, list: List, people: &[String]) -> Result<Entitlement> {
    call.change::<Entitlement>(id, |entitlement| {
        list(entitlement).retain(|known| !people.contains(&known.id));
        Ok(())
    })
    .await
}

/// Puts one person in another's place.
pub(super) async fn replace(
    call: &Call,
    id: &str,
    list: List,
    gone: &str,
    new: Option<&EntitlementPerson>,
) -> Result<Entitlement> {
    let new = new.ok_or_else(|| Error::field("replacement", "name who comes"))?;
    // Somebody else comes, who was added today; the same person under another id keeps the day.
    let new = EntitlementPerson { added_on: Some(call.today()), ..new.clone() };
    call.change::<Entitlement>(id, |entitlement| swap(list(entitlement), gone, &new)).await
}

/// Knows a person by another id. One who is there under it already, or holds the plan, is not named a second time.
pub(super) async fn change_id(call: &Call, request: &ChangePersonRequest) -> Result<Entitlement> {
    let (from, to) = (&request.person_id, &request.new_person_id);
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        if entitlement.owner_id == *to {
            return Ok(());
        }
        for list in [&mut entitlement.authorized_users, &mut entitlement.delegates] {
            if list.iter().any(|known| known.id == *to) {
                continue;
            }
            for known in list.iter_mut().filter(|known| known.id == *from) {
                known.id.clone_from(to);
            }
        }
        Ok(())
    })
    .await
}

/// Gives it to another member; the people of the first holder are taken off.
pub(super) async fn reassign(call: &Call, request: ReassignOwnerRequest) -> Result<Entitlement> {
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        if entitlement.owner_id == request.new_owner_id {
            return Ok(());
        }
        entitlement.owner_id.clone_from(&request.new_owner_id);
        entitlement.authorized_users.clear();
        entitlement.delegates.clear();
        Ok(())
    })
    .await
}

/// Puts people on a list; one who is there already gets the new relation.
pub(super) fn put(list: &mut Vec<EntitlementPerson>, people: &[EntitlementPerson]) {
    for person in people {
        match list.iter_mut().find(|known| known.id == person.id) {
            // A name that is known is not lost by not being said again.
            Some(known) if person.name.is_empty() => known.permission_type = person.permission_type,
            Some(known) => known.clone_from(person),
            None => list.push(person.clone()),
        }
    }
}

fn swap(list: &mut Vec<EntitlementPerson>, gone: &str, new: &EntitlementPerson) -> Result<()> {
    let missing = || Error::new(ErrorReason::PersonNotOnEntitlement, "the identity is not on the entitlement");
    // Done before: the one who goes is gone and the one who comes is there.
    let is_new = |known: &EntitlementPerson| (&known.id, known.permission_type) == (&new.id, new.permission_type);
    if gone != new.id && !list.iter().any(|known| known.id == gone) && list.iter().any(is_new) {
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

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::RelationType;

    use super::*;

    fn person(id: &str, relation: RelationType) -> EntitlementPerson {
        EntitlementPerson { id: id.to_owned(), permission_type: relation.into(), ..EntitlementPerson::default() }
    }

    #[test]
    fn adding_somebody_again_changes_the_relation() {
        let mut list = vec![person("a", RelationType::Spouse)];
        put(&mut list, &[person("a", RelationType::Elder), person("b", RelationType::Dependent)]);
        assert_eq!(list, [person("a", RelationType::Elder), person("b", RelationType::Dependent)]);
    }

    #[test]
    fn a_replacement_takes_the_place_and_is_there_once() {
        let mut list = vec![person("a", RelationType::Spouse), person("b", RelationType::Dependent)];
        swap(&mut list, "b", &person("c", RelationType::Dependent)).unwrap();
        assert_eq!(list, [person("a", RelationType::Spouse), person("c", RelationType::Dependent)]);
        swap(&mut list, "b", &person("c", RelationType::Dependent)).unwrap();
        swap(&mut list, "c", &person("a", RelationType::Elder)).unwrap();
        assert_eq!(list, [person("a", RelationType::Elder)]);
        assert_eq!(swap(&mut list, "x", &person("y", RelationType::Elder)).unwrap_err().reason(), "PERSON_NOT_ON_ENTITLEMENT");
    }
}
