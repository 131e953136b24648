//! Two profiles become one, and two again, on both engines.

use pavise_kernel::OwnerMove;
use pavise_kernel::common::v1::RelationType;
use pavise_kernel::worker::Work;
use pavise_members::contract::v1::*;

use crate::scene::{PLATFORM, STAFF, Scene, email, into_answer, name, phone, request_by, scenes};

async fn hand_over(scene: &Scene, processor: &str, id: &str, undone: bool) {
    let (from, to) = if undone { ("ada", "ben") } else { ("ben", "ada") };
    let work = Work::new(&scene.kernel, "test", format!("{undone}"), "");
    let thing = OwnerMove { merge: "m", undone, id, from, to };
    scene.move_to_owner(processor).move_to_owner(&work, &thing).await.unwrap();
}

/// A profile without what each change sets.
fn content(profile: Profile) -> Profile {
    Profile { version: 0, updated_at: None, ..profile }
}

#[tokio::test]
async fn two_profiles_merge_and_unmerge_byte_for_byte() {
    for scene in scenes().await {
        let number = |value: &str| AccountIdentifier {
            r#type: AccountIdentifierType::Member.into(),
            value: value.into(),
            ..AccountIdentifier::default()
        };
        let ada = CreateProfileRequest {
            name: name("Ada", "Lee"),
            emails: vec![email("ada@example.com")],
            account_identifiers: vec![number("1")],
            ..CreateProfileRequest::default()
        };
        let ben = CreateProfileRequest {
            name: name("Ben", "Lee"),
            emails: vec![email("ada@example.com"), email("ben@example.com")],
            phone_numbers: vec![phone("5125550101")],
            account_identifiers: vec![number("2")],
            employee_id: "E-1".into(),
            service_flags: vec![ServiceFlag::Blind.into()],
            ..CreateProfileRequest::default()
        };
        scene.person("ada", ada).await;
        scene.person("ben", ben).await;
        let read = async |person: &str| content(scene.profile(PLATFORM, person).await.unwrap());
        let before = (read("ada").await, read("ben").await);
        for _ in 0..2 {
            hand_over(&scene, "profiles", "ben", false).await;
        }
        let merged = read("ada").await;
        assert_eq!(merged.display_name, "Ada Lee", "single values of the survivor stay");
        assert_eq!((merged.employee_id.as_str(), merged.service_flags.len()), ("E-1", 1), "empty ones are filled");
        assert_eq!((merged.emails.len(), merged.phone_numbers.len(), merged.account_identifiers.len()), (2, 1, 2));
        let search = SearchProfilesRequest { text: "ben".into(), ..SearchProfilesRequest::default() };
        let found = into_answer(scene.profiles().search_profiles(request_by(STAFF, search)).await).unwrap();
        assert_eq!(found.profiles.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["ada"], "one person");
        for _ in 0..2 {
            hand_over(&scene, "profiles", "ben", true).await;
        }
        assert_eq!((read("ada").await, read("ben").await), before);
    }
}

#[tokio::test]
async fn a_merge_puts_the_survivor_into_the_place_of_the_merged_one() {
    for scene in scenes().await {
        let member = |identity: &str, of: RelationType| RelationMember {
            identity_id: identity.into(),
            permission_type: of.into(),
            ..RelationMember::default()
        };
        let request = CreateRelationRequest {
            identity_id: "ben".into(),
            r#type: RelationKind::Family.into(),
            members: vec![member("cleo", RelationType::Spouse)],
            ..CreateRelationRequest::default()
        };
        let made = into_answer(scene.relations().create_relation(request_by(STAFF, request)).await).unwrap();
        hand_over(&scene, "relations", &made.id, false).await;
        let read = async |owner: &str| {
            let request = GetRelationRequest { identity_id: owner.into(), relation_id: made.id.clone() };
            into_answer(scene.relations().get_relation(request_by(STAFF, request)).await)
        };
        let merged = read("ada").await.unwrap();
        assert_eq!((merged.owner_id.as_str(), merged.members[0].identity_id.as_str()), ("ada", "ada"));
        hand_over(&scene, "relations", &made.id, true).await;
        let back = read("ben").await.unwrap();
        assert_eq!((back.owner_id, back.members, back.merges.len()), (made.owner_id, made.members, 0));
    }
}
