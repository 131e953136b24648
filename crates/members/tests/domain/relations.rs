//! Relations and their members, through the calls, on both engines.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::RelationType;
use pavise_members::contract::v1::*;

use crate::scene::{ADA, BEN, STAFF, Scene, into_answer, refusal_reason, request_by, scene, scenes};

const CLEO: &str = "User/cleo";

fn member(identity: &str, of: RelationType) -> RelationMember {
    RelationMember { identity_id: identity.into(), permission_type: of.into(), ..RelationMember::default() }
}

async fn family(scene: &Scene) -> Relation {
    let request = CreateRelationRequest {
        identity_id: "ada".into(),
        r#type: RelationKind::Family.into(),
        alias: "The Lees".into(),
        members: vec![member("ben", RelationType::Spouse)],
    };
    into_answer(scene.relations().create_relation(request_by(STAFF, request)).await).unwrap()
}

fn field<T: std::fmt::Debug>(answer: Result<tonic::Response<T>, tonic::Status>) -> String {
    let error = into_answer(answer).unwrap_err();
    error.violations().first().map(|one| one.field.clone()).unwrap_or_else(|| panic!("{error:?}"))
}

#[tokio::test]
async fn people_of_a_relation_read_it_and_others_do_not_find_it() {
    for scene in scenes().await {
        let made = family(&scene).await;
        assert_eq!((made.owner_id.as_str(), made.members.len()), ("ada", 2));
        assert!(made.members.iter().all(|one| one.status() == MemberStatus::Active && one.since.is_some()));
        let mut relations = scene.relations();
        let of = |person: &str| GetRelationRequest { identity_id: person.into(), relation_id: made.id.clone() };
        for (who, person) in [(ADA, "ada"), (BEN, "ben"), (STAFF, "ada"), (STAFF, "ben")] {
            let read = into_answer(relations.get_relation(request_by(who, of(person))).await).unwrap();
            assert_eq!(read, made, "{who}");
        }
        assert_eq!(refusal_reason(relations.get_relation(request_by(CLEO, of("cleo"))).await), "NOT_FOUND");
        assert_eq!(refusal_reason(relations.get_relation(request_by(CLEO, of("ben"))).await), "NOT_THE_OWNER");
        let members = ListRelationMembersRequest { identity_id: "ben".into(), relation_id: made.id.clone() };
        let members = into_answer(relations.list_relation_members(request_by(BEN, members)).await).unwrap();
        assert_eq!(members.members.len(), 2);
        // One who does not belong to it now reads it no more.
        let left = UpdateMemberRequest {
            identity_id: "ada".into(),
            relation_id: made.id.clone(),
            member_id: "ben".into(),
            update: Some(MemberUpdate { status: MemberStatus::Inactive.into(), ..MemberUpdate::default() }),
        };
        let changed = into_answer(relations.update_member(request_by(STAFF, left)).await).unwrap();
        assert!(changed.members[1].until.is_some());
        assert_eq!(refusal_reason(relations.get_relation(request_by(BEN, of("ben"))).await), "NOT_FOUND");
        let list = ListRelationsRequest { identity_id: "ben".into(), ..ListRelationsRequest::default() };
        let listed = into_answer(relations.list_relations(request_by(BEN, list)).await).unwrap();
        assert!(listed.relations.is_empty());
    }
}

#[tokio::test]
async fn members_are_added_once_and_only_if_they_exist() {
    for scene in scenes().await {
        let made = family(&scene).await;
        let mut relations = scene.relations();
        let add = |one: RelationMember| AddMemberRequest {
            identity_id: "ada".into(),
            relation_id: made.id.clone(),
            member: Some(one),
        };
        let child = |who: &str| member(who, RelationType::Dependent);
        let _ = into_answer(relations.add_member(request_by(STAFF, add(child("cleo")))).await).unwrap();
        assert_eq!(field(relations.add_member(request_by(STAFF, add(child("cleo")))).await), "member.identity_id");
        assert_eq!(field(relations.add_member(request_by(STAFF, add(child("nobody")))).await), "member.identity_id");
        let second = add(member("dan", RelationType::Spouse));
        assert_eq!(field(relations.add_member(request_by(STAFF, second)).await), "member.permission_type");
        let account = add(member("dan", RelationType::SubAccount));
        assert_eq!(field(relations.add_member(request_by(STAFF, account)).await), "member.permission_type");
        assert_eq!(refusal_reason(relations.add_member(request_by(ADA, add(child("eve")))).await), "REALM_NOT_ALLOWED");
        let many = BulkAddMembersRequest {
            identity_id: "ada".into(),
            relation_id: made.id.clone(),
            members: (0..48).map(|at| child(&format!("c{at}"))).collect(),
        };
        assert_eq!(field(relations.bulk_add_members(request_by(STAFF, many.clone())).await), "members[47]");
        let fewer = BulkAddMembersRequest { members: many.members[..47].to_vec(), ..many };
        let full = into_answer(relations.bulk_add_members(request_by(STAFF, fewer)).await).unwrap();
        assert_eq!(full.members.len(), 50);
    }
}

#[tokio::test]
async fn the_primary_member_stays_until_another_is_named() {
    for scene in scenes().await {
        let made = family(&scene).await;
        let mut relations = scene.relations();
        let remove = |owner: &str, person: &str| RemoveMemberRequest {
            identity_id: owner.into(),
            relation_id: made.id.clone(),
            member_id: person.into(),
        };
        let answer = relations.remove_member(request_by(ADA, remove("ada", "ada"))).await;
        assert_eq!(refusal_reason(answer), "PRIMARY_MEMBER_NEEDED");
        let name = |person: &str| UpdatePrimaryMemberRequest {
            identity_id: "ada".into(),
            relation_id: made.id.clone(),
            member_id: person.into(),
        };
        assert_eq!(field(relations.update_primary_member(request_by(STAFF, name("cleo"))).await), "member_id");
        let changed = into_answer(relations.update_primary_member(request_by(STAFF, name("ben"))).await).unwrap();
        assert_eq!(changed.owner_id, "ben");
        let left = into_answer(relations.remove_member(request_by(BEN, remove("ben", "ada"))).await).unwrap();
        assert_eq!(left.members.len(), 1);
    }
}

#[tokio::test]
async fn a_relation_changes_its_kind_its_owner_and_ends_for_good() {
    let scene = scene().await;
    let made = family(&scene).await;
    let mut relations = scene.relations();
    let id = || made.id.clone();
    let kind =
        UpdateTypeRequest { identity_id: "ada".into(), relation_id: id(), r#type: RelationKind::Business.into() };
    let business = into_answer(relations.update_type(request_by(STAFF, kind)).await).unwrap();
    assert_eq!(business.members[0].permission_type(), RelationType::Owner);
    let owner = |owner: &str| ChangeRelationOwnerRequest {
        identity_id: "ada".into(),
        relation_id: id(),
        new_owner_id: owner.into(),
    };
    assert_eq!(field(relations.change_relation_owner(request_by(STAFF, owner("nobody"))).await), "new_owner_id");
    let given = into_answer(relations.change_relation_owner(request_by(STAFF, owner("zoe"))).await).unwrap();
    let people: Vec<&str> = given.members.iter().map(|one| one.identity_id.as_str()).collect();
    assert_eq!((given.owner_id.as_str(), people), ("zoe", vec!["zoe", "ben"]));
    let alias = UpdateAliasRequest { identity_id: "zoe".into(), relation_id: id(), alias: "Zoe & Co".into() };
    let _ = into_answer(relations.update_alias(request_by("User/zoe", alias.clone())).await).unwrap();
    let remove = RemoveRelationRequest { identity_id: "zoe".into(), relation_id: id() };
    let ended = into_answer(relations.remove_relation(request_by(STAFF, remove)).await).unwrap();
    assert_eq!(ended.status(), RelationStatus::Removed);
    assert_eq!(refusal_reason(relations.update_alias(request_by("User/zoe", alias)).await), "STATUS_NOT_ALLOWED");
    let entries = scene.read_journal("/pavise.members.v1.RelationService/ReadJournal").await;
    let actions: Vec<&str> = entries.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["CREATED", "UPDATED_TYPE", "OWNER_CHANGED", "UPDATED_ALIAS", "REMOVED"]);
}

/// Rules 135 and 377: ten types, SUB_ACCOUNT in businesses only; rule 378: Family, Business and Associate are what people
/// have in common, and not what one is to another.
#[tokio::test]
async fn relations_of_three_kinds_have_people_of_ten_types() {
    let types: Vec<RelationType> = (1..).map_while(|number| RelationType::try_from(number).ok()).collect();
    let words: BTreeSet<&str> = types.iter().map(|one| one.spelling()).collect();
    let documented = [
        "PRIMARY",
        "SPOUSE",
        "DEPENDENT",
        "NORMAL_USER",
        "OWNER",
        "CO_OWNER",
        "SECONDARY",
        "TERTIARY",
        "ELDER",
        "SUB_ACCOUNT",
    ];
    assert_eq!(words, BTreeSet::from(documented));
    let kinds: Vec<RelationKind> = (1..).map_while(|number| RelationKind::try_from(number).ok()).collect();
    assert_eq!(kinds.iter().map(|one| one.spelling()).collect::<Vec<_>>(), ["Family", "Business", "Associate"]);
    for scene in scenes().await {
        let mut relations = scene.relations();
        for kind in &kinds {
            let (primary, foreign) = if *kind == RelationKind::Business {
                (RelationType::Owner, vec![RelationType::Primary])
            } else {
                (RelationType::Primary, vec![RelationType::Owner, RelationType::SubAccount])
            };
            let others = types.iter().filter(|one| **one != primary && !foreign.contains(one));
            let request = CreateRelationRequest {
                identity_id: "ada".into(),
                r#type: (*kind).into(),
                members: others.map(|one| member(&one.spelling().to_lowercase(), *one)).collect(),
                ..CreateRelationRequest::default()
            };
            let made = into_answer(relations.create_relation(request_by(STAFF, request)).await).unwrap();
            assert_eq!((made.r#type(), made.members[0].permission_type()), (*kind, primary));
            let kept: BTreeSet<&str> = made.members.iter().map(|one| one.permission_type().spelling()).collect();
            assert_eq!(kept.len(), types.len() - foreign.len(), "{kept:?}");
            for of in foreign {
                let add = AddMemberRequest {
                    identity_id: "ada".into(),
                    relation_id: made.id.clone(),
                    member: Some(member("zoe", of)),
                };
                assert_eq!(field(relations.add_member(request_by(STAFF, add)).await), "member.permission_type");
            }
        }
    }
}
