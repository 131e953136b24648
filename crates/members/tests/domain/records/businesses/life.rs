//! Businesses are made, found, verified, closed, given away and deleted.

use pavise_kernel::common::v1::{GetMaxClockRequest, PhoneType};
use pavise_members::contract::v1::*;

use super::super::scene::{ALICE, MALLORY, PLATFORM, STAFF, fields, into_answer, refusal_reason, request_by, scenes};
use super::*;

/// Rules 12 and 190: it is tied to a member, and has its fifteen sections; rule 309: three ways to make one.
#[tokio::test]
async fn a_member_makes_a_business_of_fifteen_sections_or_of_none() {
    for scene in scenes().await {
        let business = make(&scene, ALICE, bakery()).await.unwrap();
        assert_eq!((business.owner_id.as_str(), business.status()), ("alice", BusinessStatus::Opened));
        assert_eq!(business.identifiers[0].value, "123456789");
        assert_eq!(
            (business.phone_numbers[0].number.as_str(), phone_type(&business)),
            ("+15125550100", PhoneType::Work)
        );
        assert!(business.phone_numbers[0].primary && business.addresses[0].primary, "the first is primary");
        assert!(!business.emails[0].primary && business.emails[1].primary, "the one that says so is");
        assert_eq!((business.number_of_employees, business.is_primary_source_of_income), (Some(0), Some(false)));
        assert_eq!(read(&scene, ALICE, &business.id).await.unwrap(), business);
        let request = CreateEmptyBusinessRequest { identity_id: "alice".into() };
        let empty = scene.businesses().create_empty_business(request_by(ALICE, request)).await.unwrap().into_inner();
        assert_eq!((empty.name.as_str(), empty.number_of_employees), ("", None));
        let cart = CheckoutBusinessInfo {
            name: "Lee Books".into(),
            address: Some(address("78702")),
            email: "books@example.com".into(),
            first_name: "Bo".into(),
            last_name: "Lee".into(),
            national_identifier: "12-3456789".into(),
            phone_number: "5125550101".into(),
            phone_type: PhoneType::Unspecified.into(),
        };
        let request = |ids: &[&str]| CreateBusinessFromCheckoutRequest {
            identity_id: "alice".into(),
            business_info: Some(cart.clone()),
            associated_entitlement_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        };
        let ask = |ids: &[&str]| request_by(PLATFORM, request(ids));
        let bought =
            into_answer(scene.businesses().create_business_from_checkout(ask(&["alice's plan"])).await).unwrap();
        assert_eq!((bought.name.as_str(), phone_type(&bought)), ("Lee Books", PhoneType::Cell));
        assert_eq!(
            (bought.identifiers[0].r#type(), bought.emails[0].contact_name.as_str()),
            (IdentifierType::Ein, "Bo Lee")
        );
        let foreign = scene.businesses().create_business_from_checkout(ask(&["alice's plan", "bob's plan"])).await;
        assert_eq!(fields(into_answer(foreign)), ["associated_entitlement_ids[1]"]);
        let all = list(&scene, ALICE, "alice", BusinessStatus::Unspecified).await.unwrap();
        assert_eq!(all, [bought, empty, business]);
    }
}

#[tokio::test]
async fn a_business_belongs_to_its_owner_alone() {
    for scene in scenes().await {
        let business = make(&scene, ALICE, bakery()).await.unwrap();
        let id = &business.id;
        assert_eq!(refusal_reason(make(&scene, MALLORY, bakery()).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(read(&scene, MALLORY, id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(rename(&scene, MALLORY, id, "Mine").await), "NOT_FOUND");
        assert_eq!(refusal_reason(close(&scene, MALLORY, id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(remove(&scene, MALLORY, id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(find(&scene, MALLORY, "alice's plan").await), "NOT_FOUND");
        assert_eq!(refusal_reason(list(&scene, MALLORY, "alice", BusinessStatus::Opened).await), "NOT_THE_OWNER");
        for who in ["GroupAdmin/ann/acme", "Partner/pat/+members.*"] {
            assert_eq!(refusal_reason(read(&scene, who, id).await), "REALM_NOT_ALLOWED", "{who}");
            assert_eq!(refusal_reason(make(&scene, who, bakery()).await), "REALM_NOT_ALLOWED", "{who}");
        }
        assert_eq!(read(&scene, "User/alice@sue:reads", id).await.unwrap(), business);
        assert_eq!(refusal_reason(rename(&scene, "User/alice@sue:reads", id, "Hers").await), "IMPERSONATION_DENIED");
        assert_eq!(refusal_reason(verify(&scene, ALICE, id).await), "REALM_NOT_ALLOWED");
        assert_eq!(refusal_reason(give(&scene, ALICE, id, "alice", "mallory").await), "REALM_NOT_ALLOWED");
    }
}

/// Rule 227: close and reopen change the status; rule 308: they and verify take no body.
#[tokio::test]
async fn a_closed_business_takes_nothing_but_reopen_another_owner_and_its_end() {
    for scene in scenes().await {
        let made = make(&scene, ALICE, bakery()).await.unwrap();
        let id = &made.id;
        assert_eq!(reopen(&scene, ALICE, id).await.unwrap(), made, "it is open already");
        let closed = close(&scene, ALICE, id).await.unwrap();
        assert_eq!(closed.status(), BusinessStatus::Closed);
        assert_eq!(close(&scene, ALICE, id).await.unwrap().version, closed.version, "it is closed already");
        assert_eq!(refusal_reason(rename(&scene, ALICE, id, "New").await), "STATUS_NOT_ALLOWED");
        assert_eq!(refusal_reason(verify(&scene, STAFF, id).await), "STATUS_NOT_ALLOWED");
        assert_eq!(list(&scene, ALICE, "alice", BusinessStatus::Opened).await.unwrap(), []);
        assert_eq!(refusal_reason(give(&scene, STAFF, id, "", "bob").await), "ENTITLEMENT_OF_ANOTHER");
        scene.plans.give("alice's plan", "bob");
        assert_eq!(give(&scene, STAFF, id, "alice", "bob").await.unwrap().owner_id, "bob");
        assert_eq!(refusal_reason(read(&scene, ALICE, id).await), "NOT_FOUND");
        assert_eq!(reopen(&scene, "User/bob", id).await.unwrap().status(), BusinessStatus::Opened);
        close(&scene, "User/bob", id).await.unwrap();
        remove(&scene, "User/bob", id).await.unwrap();
        assert_eq!(refusal_reason(read(&scene, STAFF, id).await), "NOT_FOUND");
        let expected = ["CREATED", "CLOSED", "OWNER_CHANGED", "REOPENED", "CLOSED", "DELETED"];
        assert_eq!(scene.actions(JOURNAL).await, expected);
        let ask = request_by(STAFF, GetMaxClockRequest {});
        assert_eq!(scene.businesses().get_max_clock(ask).await.unwrap().into_inner().max_clock, 6);
    }
}

/// Rule 310.
#[tokio::test]
async fn the_business_of_a_plan_is_the_open_one_that_was_made_last() {
    for scene in scenes().await {
        assert_eq!(refusal_reason(find(&scene, STAFF, "alice's plan").await), "NOT_FOUND");
        let first = make(&scene, ALICE, bakery()).await.unwrap();
        assert_eq!(find(&scene, ALICE, "alice's plan").await.unwrap(), first);
        let second = make(&scene, ALICE, bakery()).await.unwrap();
        assert_eq!(find(&scene, STAFF, "alice's plan").await.unwrap(), second);
        close(&scene, ALICE, &second.id).await.unwrap();
        assert_eq!(find(&scene, ALICE, "alice's plan").await.unwrap(), first);
        close(&scene, ALICE, &first.id).await.unwrap();
        assert_eq!(find(&scene, PLATFORM, "alice's plan").await.unwrap().id, second.id);
        assert_eq!(refusal_reason(find(&scene, ALICE, "bob's plan").await), "NOT_FOUND");
        assert_eq!(fields(find(&scene, ALICE, "").await), ["entitlement_id"]);
    }
}

#[tokio::test]
async fn staff_verify_a_business_until_what_they_saw_changes() {
    for scene in scenes().await {
        let bare = CreateBusinessRequest { registration: 0, addresses: Vec::new(), ..bakery() };
        let bare = make(&scene, ALICE, bare).await.unwrap();
        let refused = verify(&scene, STAFF, &bare.id).await.unwrap_err();
        assert_eq!(refused.reason(), "BUSINESS_NOT_COMPLETE");
        assert!(refused.message().contains("registration, addresses"), "{refused:?}");
        let business = make(&scene, ALICE, bakery()).await.unwrap();
        let verified = verify(&scene, STAFF, &business.id).await.unwrap();
        assert_eq!((verified.verified_at, verified.verified_by_id.as_str()), (Some(scene.now()), "staff"));
        let seen = read(&scene, ALICE, &business.id).await.unwrap();
        assert_eq!((seen.verified_at, seen.verified_by_id.as_str()), (verified.verified_at, ""), "who is for staff");
        let again = verify(&scene, "Internal/tom", &business.id).await.unwrap();
        assert_eq!((again.version, again.verified_by_id.as_str()), (verified.version, "staff"));
        let without = "Internal/sue/+members.businesses.read/+members.businesses.write";
        assert_eq!(refusal_reason(verify(&scene, without, &business.id).await), "PERMISSION_MISSING");
        let renamed = rename(&scene, ALICE, &business.id, "Lee Cakes LLC").await.unwrap();
        assert_eq!(renamed.verified_at, None, "staff saw another name");
        assert_eq!(read(&scene, STAFF, &business.id).await.unwrap().verified_by_id, "");
    }
}
