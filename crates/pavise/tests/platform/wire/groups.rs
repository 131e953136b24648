//! Groups and launches, the same on every surface.

use pavise::demo::Story;
use pavise::wire::{Client, Failure, Refusal, Surface};
use pavise_catalog::demo::{BRAND, GROUP_US, PERSONAL_CANADA};
use serde_json::{Value, json};

async fn refused(client: &Client, name: &str, request: Value) -> Refusal {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => refusal,
        unexpected => panic!("{name}: {unexpected:?}"),
    }
}

/// Staff set a group up and cancel it; a member founds a business.
pub(super) async fn check(staff: &Client, member: &Client, surface: Surface, story: &Story) {
    groups(staff, member, surface).await;
    launches(staff, member, surface, &story.identity_id).await;
}

async fn groups(staff: &Client, member: &Client, surface: Surface) {
    let contact = json!({"type": "PRIMARY", "name": "Rosa Whitfield"});
    let draft = json!({"name": "Harbor", "countryIdentifier": "USA", "brand": BRAND, "effectiveDate": "2026-01-01",
        "payType": "SELF_PAY", "contacts": [contact]});
    let made = staff.call("groups.CreateGroup", json!({"group": draft})).await.unwrap().json;
    let of = |more: Value| {
        let mut request = json!({"groupId": made["id"]});
        request.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        request
    };
    assert_eq!((&made["status"], &made["groupId"]), (&json!("PENDING"), &made["id"]), "{surface:?}");
    let early = refused(staff, "groups.ActivateGroup", of(json!({}))).await;
    assert_eq!(
        (early.code.as_str(), early.reason.as_str()),
        ("FAILED_PRECONDITION", "GROUP_INCOMPLETE"),
        "{surface:?}"
    );
    let abroad = refused(staff, "groups.AddOfferIds", of(json!({"offerIds": [GROUP_US, PERSONAL_CANADA]}))).await;
    assert_eq!(
        (abroad.reason.as_str(), &*abroad.fields),
        ("INVALID_FIELD", &["offerIds[1]".to_owned()][..]),
        "{surface:?}"
    );
    staff.call("groups.AddOfferIds", of(json!({"offerIds": [GROUP_US]}))).await.unwrap();
    let period = json!({"source": "WEB", "month": "+1"});
    let ruled =
        staff.call("groups.AddRestrictedPeriods", of(json!({"restrictedPeriods": [period]}))).await.unwrap().json;
    assert_eq!(ruled["restrictedPeriods"][0]["month"], "+1", "{surface:?}: {ruled}");
    assert_eq!(staff.call("groups.ActivateGroup", of(json!({}))).await.unwrap().json["status"], "ACTIVE");
    let found = staff.call("groups.ListGroups", json!({"text": made["number"]})).await.unwrap().json;
    assert_eq!(found["groups"][0]["id"], made["id"], "{surface:?}: {found}");
    assert_eq!(refused(member, "groups.GetGroup", of(json!({}))).await.code, "PERMISSION_DENIED", "{surface:?}");
    let cancel = of(json!({"cancelReason": "WRITTEN_REQUEST_FROM_GROUP", "cancelledOn": "2099-12-31"}));
    let over = staff.call("groups.CancelGroup", cancel).await.unwrap().json;
    assert_eq!((&over["status"], &over["membersAfterCancel"]), (&json!("CANCELLED"), &json!("END")), "{surface:?}");
    staff.call("groups.DeleteGroup", of(json!({}))).await.unwrap();
    assert_eq!(refused(staff, "groups.GetGroup", of(json!({}))).await.reason, "NOT_FOUND", "{surface:?}");
}

async fn launches(staff: &Client, member: &Client, surface: Surface, owner: &str) {
    let made = member.call("launches.CreateLaunch", json!({"identityId": owner, "source": "wire"})).await.unwrap().json;
    let of = |field: &str, value: Value| json!({"identityId": owner, "launchId": made["id"], field: value});
    let foreign = refused(member, "launches.ChangeLaunchBusiness", of("businessId", json!("nothing"))).await;
    assert_eq!(&*foreign.fields, &["businessId".to_owned()][..], "{surface:?}");
    let owned = refused(member, "launches.ChangeLaunchOwner", of("newOwnerId", json!("somebody"))).await;
    assert_eq!(owned.reason, "REALM_NOT_ALLOWED", "{surface:?}");
    let list =
        staff.call("launches.ListLaunches", json!({"identityId": owner, "status": "CREATED"})).await.unwrap().json;
    assert_eq!(list["launches"][0]["id"], made["id"], "{surface:?}: {list}");
    let over =
        member.call("launches.DeleteLaunch", json!({"identityId": owner, "launchId": made["id"]})).await.unwrap().json;
    assert_eq!(over["status"], "DELETED", "{surface:?}");
}
