//! The workers make and fill profiles from the journals of other domains.

use pavise_kernel::common::v1::{Date, RelationType};
use pavise_members::contract::fulfillment::{
    Entitlement, Provision, ProvisionAuthorizedUser, ProvisionLine, ProvisionStatus,
};
use pavise_members::contract::identity::{Email, Identity, IdentityRealm};
use pavise_members::contract::orders::{Order, OrderStatus, PersonalInfo};
use pavise_members::contract::v1::*;
use pavise_members::contract::{actions, feeds};

use crate::scene::{ADA, BEN, PLATFORM, STAFF, Scene, into_answer, name, request_by, scene, scenes};

fn identity(id: &str, realm: IdentityRealm) -> Identity {
    let address = format!("{id}@example.com");
    Identity {
        id: id.into(),
        realm: realm.into(),
        emails: vec![Email { address, ..Email::default() }],
        ..Identity::default()
    }
}

fn person(id: &str, identity: &str, of: RelationType) -> ProvisionAuthorizedUser {
    ProvisionAuthorizedUser {
        id: id.into(),
        identity_id: identity.into(),
        relation_type: of.into(),
        first_name: identity.into(),
        last_name: "Lee".into(),
        birth_date: Some(Date { year: 2010, month: 6, day: 1 }),
        ..ProvisionAuthorizedUser::default()
    }
}

/// A family plan that "ada" bought for three others.
fn sale(scene: &Scene) {
    let buyer = PersonalInfo {
        first_name: "Ada".into(),
        last_name: "Lee".into(),
        email: "ada@example.com".into(),
        phone_number: "+15125550100".into(),
        ..PersonalInfo::default()
    };
    let order = Order {
        id: "o".into(),
        owner_id: "ada".into(),
        status: OrderStatus::Processing.into(),
        personal_info: Some(buyer),
        ..Order::default()
    };
    scene.happened(feeds::ORDERS, actions::order_audit::STATUS_CHANGED, &order);
    for one in ["ada", "ben", "cleo", "dan"] {
        scene.happened(feeds::IDENTITIES, actions::identity_audit::CREATED, &identity(one, IdentityRealm::User));
    }
    let provision = Provision {
        id: "p".into(),
        owner_id: "ada".into(),
        status: ProvisionStatus::IdentitiesAdded.into(),
        lines: vec![ProvisionLine::default()],
        authorized_users: vec![
            person("1", "ben", RelationType::Spouse),
            person("2", "cleo", RelationType::Dependent),
            person("3", "dan", RelationType::Dependent),
        ],
        ..Provision::default()
    };
    scene.happened(feeds::PROVISION, actions::provision::ADD_IDENTITY, &provision);
    let entitlement = Entitlement { owner_id: "ada".into(), created_at: Some(scene.now()), ..Entitlement::default() };
    scene.happened(feeds::ENTITLEMENTS, actions::entitlement::CREATED, &entitlement);
}

#[tokio::test]
async fn a_family_sale_makes_four_profiles_and_one_relation_of_four() {
    for scene in scenes().await {
        sale(&scene);
        scene.run().await;
        let ids = ["ada", "ben", "cleo", "dan"].map(str::to_owned).to_vec();
        let request = request_by(PLATFORM, GetThinProfilesRequest { ids });
        let thin = into_answer(scene.profiles().get_thin_profiles(request).await).unwrap();
        let names: Vec<&str> = thin.profiles.iter().map(|one| one.display_name.as_str()).collect();
        assert_eq!(names, ["Ada Lee", "ben Lee", "cleo Lee", "dan Lee"]);
        let ada = scene.profile(ADA, "ada").await.unwrap();
        assert_eq!((ada.emails.len(), ada.phone_numbers.len()), (1, 1), "the same address is there once");
        assert!(ada.entitlement_created_at.is_some());
        let cleo = scene.profile("User/cleo", "cleo").await.unwrap();
        assert_eq!(cleo.date_of_birth, Some(Date { year: 2010, month: 6, day: 1 }));
        let list =
            |person: &str| ListRelationsRequest { identity_id: person.into(), ..ListRelationsRequest::default() };
        let of_ben = into_answer(scene.relations().list_relations(request_by(BEN, list("ben"))).await).unwrap();
        assert_eq!(of_ben.relations.len(), 1, "the spouse reads the relation");
        let members: Vec<(&str, RelationType)> = of_ben.relations[0]
            .members
            .iter()
            .map(|member| (member.identity_id.as_str(), member.permission_type()))
            .collect();
        assert_eq!(
            members,
            [
                ("ada", RelationType::Primary),
                ("ben", RelationType::Spouse),
                ("cleo", RelationType::Dependent),
                ("dan", RelationType::Dependent)
            ]
        );
        assert!(scene.profile(BEN, "ada").await.is_err(), "but not the contact data of the buyer");
        assert!(
            scene.peers.names().contains(&("ada".to_owned(), "Ada Lee".to_owned())),
            "people are known by their name"
        );
    }
}

#[tokio::test]
async fn what_a_person_said_stays_and_programs_have_no_profile() {
    let scene = scene().await;
    let said = CreateProfileRequest { name: name("Augusta", "King"), ..CreateProfileRequest::default() };
    scene.person("ada", said).await;
    scene.happened(feeds::IDENTITIES, actions::identity_audit::CREATED, &identity("robot", IdentityRealm::Machine));
    sale(&scene);
    scene.run().await;
    assert_eq!(scene.profile(ADA, "ada").await.unwrap().display_name, "Augusta King");
    assert!(scene.profile(STAFF, "robot").await.is_err());
}

#[tokio::test]
async fn a_number_that_another_profile_has_is_left_out() {
    let scene = scene().await;
    let number = AccountIdentifier {
        r#type: AccountIdentifierType::Member.into(),
        value: "12345".into(),
        ..AccountIdentifier::default()
    };
    let has = CreateProfileRequest { account_identifiers: vec![number.clone()], ..CreateProfileRequest::default() };
    scene.person("ada", has).await;
    let fill = FillProfileRequest {
        identity_id: "ben".into(),
        account_identifiers: vec![number],
        ..FillProfileRequest::default()
    };
    let filled = into_answer(scene.profiles().fill_profile(request_by(PLATFORM, fill.clone())).await).unwrap();
    assert!(filled.account_identifiers.is_empty());
    let again = into_answer(scene.profiles().fill_profile(request_by(PLATFORM, fill)).await).unwrap();
    assert_eq!(again.version, filled.version, "nothing is new");
}
