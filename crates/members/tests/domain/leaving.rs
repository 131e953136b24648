//! People who leave a relation are taken off the owner's plans.

use pavise_kernel::common::v1::RelationType;
use pavise_members::contract::fulfillment::{Entitlement, EntitlementPerson, EntitlementStatus};
use pavise_members::contract::v1::*;

use crate::scene::{STAFF, Scene, into_answer, request_by, scenes};

impl Scene {
    async fn relation_of(&self, kind: RelationKind, people: &[(&str, RelationType)]) -> Relation {
        let member = |(identity, of): &(&str, RelationType)| RelationMember {
            identity_id: (*identity).into(),
            permission_type: (*of).into(),
            ..RelationMember::default()
        };
        let request = CreateRelationRequest {
            identity_id: "ada".into(),
            r#type: kind.into(),
            members: people.iter().map(member).collect(),
            ..CreateRelationRequest::default()
        };
        into_answer(self.relations().create_relation(request_by(STAFF, request)).await).unwrap()
    }

    fn plan(&self, id: &str, owner: &str, people: &[&str]) {
        let person = |id: &&str| EntitlementPerson { id: (*id).into(), ..EntitlementPerson::default() };
        self.peers.has_plan(Entitlement {
            id: id.into(),
            owner_id: owner.into(),
            status: EntitlementStatus::Active.into(),
            authorized_users: people.iter().map(person).collect(),
            ..Entitlement::default()
        });
    }
}

#[tokio::test]
async fn who_leaves_a_relation_leaves_the_plans_of_its_owner() {
    for scene in scenes().await {
        let family = [
            ("ada", RelationType::Primary),
            ("ben", RelationType::Spouse),
            ("cyd", RelationType::Dependent),
            ("dan", RelationType::Dependent),
        ];
        let family = scene.relation_of(RelationKind::Family, &family).await;
        let business = [("ada", RelationType::Owner), ("ben", RelationType::SubAccount)];
        scene.relation_of(RelationKind::Business, &business).await;
        scene.plan("hers", "ada", &["ben", "cyd", "dan"]);
        scene.plan("another's", "eve", &["cyd"]);
        scene.run().await;
        assert_eq!(scene.peers.covered("hers"), ["ben", "cyd", "dan"], "nobody left");

        let (identity_id, relation_id) = ("ada".to_owned(), family.id.clone());
        let remove = RemoveMemberRequest { identity_id: identity_id.clone(), relation_id, member_id: "cyd".into() };
        let left = into_answer(scene.relations().remove_member(request_by(STAFF, remove)).await).unwrap();
        assert_eq!(left.left_ids, ["cyd"]);
        scene.run().await;
        assert_eq!(scene.peers.covered("hers"), ["ben", "dan"]);
        assert_eq!(scene.peers.covered("another's"), ["cyd"]);

        let update = |member: &str| UpdateMemberRequest {
            identity_id: identity_id.clone(),
            relation_id: family.id.clone(),
            member_id: member.into(),
            update: Some(MemberUpdate { status: MemberStatus::Inactive.into(), ..MemberUpdate::default() }),
        };
        for member in ["dan", "ben"] {
            let left = into_answer(scene.relations().update_member(request_by(STAFF, update(member))).await).unwrap();
            assert_eq!(left.left_ids, [member]);
        }
        scene.run().await;
        assert_eq!(scene.peers.covered("hers"), ["ben"], "he still belongs to her business");
    }
}
