//! Groups and launches, the same on every surface.

use pavise::demo::Story;
use pavise::wire::{Client, Failure, Refusal, Surface};
use pavise_catalog::demo::{BRAND, GROUP_US, LEGAL, PERSONAL_CANADA};
use serde_json::{Value, json};

async fn refused(client: &Client, name: &str, request: Value) -> Refusal {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => refusal,
        unexpected => panic!("{name}: {unexpected:?}"),
    }
}

/// Staff set a group up and cancel it; a member founds a business, and enrolls in a group.
pub(super) async fn check(staff: &Client, member: &Client, surface: Surface, story: &Story) {
    groups(staff, member, surface).await;
    enrollments(staff, member, surface, &story.identity_id).await;
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

async fn enrollments(staff: &Client, member: &Client, surface: Surface, owner: &str) {
    let contact = json!({"type": "PRIMARY", "name": "Rosa Whitfield"});
    let draft = json!({"name": "Works", "countryIdentifier": "USA", "brand": BRAND, "effectiveDate": "2026-01-01",
        "payType": "SELF_PAY", "contacts": [contact]});
    let group = staff.call("groups.CreateGroup", json!({"group": draft})).await.unwrap().json["id"].clone();
    staff.call("groups.AddOfferIds", json!({"groupId": group, "offerIds": [GROUP_US]})).await.unwrap();
    let begin = json!({"identityId": owner, "groupId": group, "jobTitle": "co-owner", "source": "LSWork"});
    let early = refused(member, "group_enrollments.CreateGroupEnrollment", begin.clone()).await;
    assert_eq!(
        (early.code.as_str(), early.reason.as_str()),
        ("FAILED_PRECONDITION", "GROUP_NOT_ACTIVE"),
        "{surface:?}"
    );
    staff.call("groups.ActivateGroup", json!({"groupId": group})).await.unwrap();
    let made = member.call("group_enrollments.CreateGroupEnrollment", begin).await.unwrap().json;
    assert_eq!(
        (&made["jobTitle"], &made["source"], &made["entrySource"]),
        (&json!("co-owner"), &json!("LSWork"), &json!("LS_AT_WORK")),
        "{surface:?}"
    );
    let of = |more: Value| {
        let mut request = json!({"identityId": owner, "enrollmentId": made["id"]});
        request.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        request
    };
    let selection = json!({"productId": LEGAL, "tierId": "family"});
    let foreign = json!({"offers": [{"offerId": PERSONAL_CANADA, "selections": [selection]}]});
    let foreign = refused(member, "group_enrollments.ChangeEnrollmentOffers", of(foreign)).await;
    assert_eq!(&*foreign.fields, &["offers[0].offerId".to_owned()][..], "{surface:?}");
    let child = json!({"type": "Dependent", "firstName": "Mia", "lastName": "Stone", "birthDate": "2015-06-01"});
    let open = member.call("group_enrollments.ChangeEnrollmentDependents", of(json!({"dependents": [child]}))).await;
    let open = open.unwrap().json;
    assert_eq!((&open["status"], &open["dependents"][0]["type"]), (&json!("OPEN"), &json!("Dependent")), "{surface:?}");
    let empty = refused(member, "group_enrollments.SubmitGroupEnrollment", of(json!({}))).await;
    assert_eq!(empty.reason, "ENROLLMENT_INCOMPLETE", "{surface:?}");
    let listed =
        member.call("group_enrollments.ListGroupEnrollments", json!({"identityId": owner})).await.unwrap().json;
    assert_eq!(listed["groupEnrollments"][0]["id"], made["id"], "{surface:?}: {listed}");
    let employee = json!({"groupId": group, "number": "E-1", "firstName": "Ada", "lastName": "Stone"});
    let employee = staff.call("employees.CreateEmployee", employee).await.unwrap().json;
    let leave = json!({"employeeId": employee["id"], "leaveFrom": "2026-02-01"});
    assert_eq!(refused(staff, "employees.StartEmployeeLeave", leave).await.reason, "STATUS_NOT_ALLOWED", "{surface:?}");
    let gone = json!({"employeeId": employee["id"], "terminatedOn": "2026-02-01"});
    let gone = staff.call("employees.TerminateEmployee", gone).await.unwrap().json;
    assert_eq!(gone["status"], "TERMINATED", "{surface:?}");
}
