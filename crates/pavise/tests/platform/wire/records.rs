//! Notes, amendments, auto comments and businesses of a member with a plan, the same on every surface.

use pavise::demo::Story;
use pavise::wire::{Client, Failure, Refusal, Surface};
use serde_json::{Value, json};

async fn refused(client: &Client, name: &str, request: Value) -> Refusal {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => refusal,
        unexpected => panic!("{name}: {unexpected:?}"),
    }
}

/// Staff and programs record something of the member, whose plan it is about.
pub(super) async fn check(staff: &Client, member: &Client, surface: Surface, story: &Story) {
    let held = json!({"identityId": story.identity_id});
    let held = staff.call("entitlements.ListEntitlements", held).await.unwrap().json;
    let plan = held["entitlements"][0]["id"].clone();
    notes(staff, member, surface, &story.identity_id, &plan).await;
    amendments(staff, member, surface, &story.identity_id, &plan).await;
    comments(staff, member, surface, &story.identity_id, &plan).await;
    businesses(staff, member, surface, &story.identity_id, &plan).await;
}

async fn notes(staff: &Client, member: &Client, surface: Surface, owner: &str, plan: &Value) {
    let write = |subject: &Value| json!({"identityId": owner, "subjectType": "ENTITLEMENT", "subjectId": subject, "text": " Called. ", "priority": "HIGH"});
    let note = staff.call("notes.CreateNote", write(plan)).await.unwrap().json;
    assert_eq!(
        (&note["text"], &note["priority"], &note["ownerId"]),
        (&json!("Called."), &json!("HIGH"), &json!(owner))
    );
    let foreign = refused(staff, "notes.CreateNote", write(&json!("nothing"))).await;
    assert_eq!((foreign.reason.as_str(), &*foreign.fields), ("INVALID_FIELD", &["subjectId".to_owned()][..]));
    let list = json!({"identityId": owner, "subjectType": "ENTITLEMENT"});
    let page = staff.call("notes.ListNotes", list.clone()).await.unwrap().json;
    assert_eq!(page["notes"][0]["id"], note["id"], "{surface:?}: {page}");
    assert_eq!(refused(member, "notes.ListNotes", list).await.reason, "REALM_NOT_ALLOWED", "{surface:?}");
    let one = json!({"noteId": note["id"]});
    staff.call("notes.DeleteNote", one.clone()).await.unwrap();
    assert_eq!(refused(staff, "notes.GetNote", one).await.reason, "NOT_FOUND", "{surface:?}");
}

async fn amendments(staff: &Client, member: &Client, surface: Surface, owner: &str, plan: &Value) {
    let write = |until: &str| json!({"identityId": owner, "entitlementId": plan, "title": "Trial defense", "documentId": "trial-1", "effectiveOn": "2026-03-01", "endsOn": until});
    let early = refused(staff, "amendments.CreateAmendment", write("2026-02-28")).await;
    assert_eq!((early.reason.as_str(), &*early.fields), ("INVALID_FIELD", &["endsOn".to_owned()][..]));
    let made = staff.call("amendments.CreateAmendment", write("2026-12-31")).await.unwrap().json;
    let list = member.call("amendments.ListAmendments", json!({"identityId": owner})).await.unwrap().json;
    assert_eq!(list["amendments"][0]["id"], made["id"], "{surface:?}: {list}");
    let one = json!({"amendmentId": made["id"]});
    assert_eq!(refused(member, "amendments.DeleteAmendment", one.clone()).await.reason, "REALM_NOT_ALLOWED");
    let deleted = staff.call("amendments.DeleteAmendment", one).await.unwrap().json;
    assert_eq!((&deleted["status"], &deleted["endsOn"]), (&json!("DELETED"), &json!("2026-12-31")), "{surface:?}");
}

async fn comments(staff: &Client, member: &Client, surface: Surface, owner: &str, plan: &Value) {
    let write = |parameters: Value| json!({"identityId": owner, "subjectType": "ENTITLEMENT", "subjectId": plan, "key": "PERSON_ADDED", "parameters": parameters});
    let (name, person) = (json!({"name": "plan", "value": "Legal"}), json!({"name": "person", "value": "Bo"}));
    let comment = staff.call("auto_comments.CreateAutoComment", write(json!([name, person]))).await.unwrap().json;
    let texts: Vec<_> = comment["texts"].as_array().unwrap().iter().map(|one| (&one["locale"], &one["text"])).collect();
    assert_eq!(texts[0], (&json!("en-US"), &json!("Bo is covered by Legal.")), "{surface:?}");
    assert_eq!(texts[3], (&json!("fr-CA"), &json!("Bo est couvert par Legal.")), "{surface:?}");
    let missing = refused(staff, "auto_comments.CreateAutoComment", write(json!([name]))).await;
    assert_eq!((missing.reason.as_str(), &*missing.fields), ("INVALID_FIELD", &["parameters".to_owned()][..]));
    let list = json!({"identityId": owner, "key": "PERSON_ADDED"});
    let page = staff.call("auto_comments.ListAutoComments", list.clone()).await.unwrap().json;
    assert_eq!(page["autoComments"][0]["id"], comment["id"], "{surface:?}: {page}");
    assert_eq!(refused(member, "auto_comments.ListAutoComments", list).await.reason, "REALM_NOT_ALLOWED");
}

async fn businesses(staff: &Client, member: &Client, surface: Surface, owner: &str, plan: &Value) {
    let number = |value: &str| json!([{"type": "EIN", "value": value}]);
    let write = |value: &str| json!({"identityId": owner, "name": "Bakery", "identifiers": number(value), "associatedEntitlementIds": [plan]});
    let wrong = refused(member, "businesses.CreateBusiness", write("00-3456789")).await;
    assert_eq!(
        (wrong.reason.as_str(), &*wrong.fields),
        ("INVALID_FIELD", &["identifiers[0].value".to_owned()][..]),
        "{surface:?}"
    );
    let made = member.call("businesses.CreateBusiness", write("12-3456789")).await.unwrap().json;
    assert_eq!(made["identifiers"][0]["value"], "123456789", "{surface:?}: {made}");
    let found = json!({"entitlementId": plan});
    let found = member.call("businesses.FindBusinessByEntitlementId", found).await.unwrap().json;
    assert_eq!(found["id"], made["id"], "{surface:?}: {found}");
    let one = json!({"businessId": made["id"]});
    let bare = refused(staff, "businesses.VerifyBusiness", one.clone()).await;
    assert_eq!((bare.code.as_str(), bare.reason.as_str()), ("FAILED_PRECONDITION", "BUSINESS_NOT_COMPLETE"));
    let closed = member.call("businesses.CloseBusiness", one.clone()).await.unwrap().json;
    assert_eq!(closed["status"], "CLOSED", "{surface:?}");
    let rename = json!({"businessId": made["id"], "name": "Books"});
    assert_eq!(refused(member, "businesses.UpdateBusinessName", rename).await.reason, "STATUS_NOT_ALLOWED");
    let opened = member.call("businesses.ReopenBusiness", one.clone()).await.unwrap().json;
    assert_eq!(opened["status"], "OPENED", "{surface:?}");
    member.call("businesses.DeleteBusiness", one.clone()).await.unwrap();
    assert_eq!(refused(member, "businesses.GetBusiness", one).await.reason, "NOT_FOUND", "{surface:?}");
}
