//! A status that a request names, the same on every surface.

use pavise::demo::Story;
use pavise::wire::{Client, Failure, Surface};
use serde_json::json;

/// A status that never follows is refused with those that do; a spelling that is only read filters as the written one.
pub(super) async fn check(client: &Client, surface: Surface, story: &Story) {
    let of_order = json!({"orderId": story.order_id});
    let list = client.call("provision.ListProvisions", of_order).await.unwrap().json;
    let provision = &list["provisions"][0];
    let back = json!({"provisionId": provision["id"], "status": "CREATED"});
    match client.call("provision.UpdateStatus", back).await {
        Err(Failure::Refused(refusal)) => {
            let said = (refusal.code.as_str(), refusal.reason.as_str());
            assert_eq!(said, ("FAILED_PRECONDITION", "STATUS_NOT_ALLOWED"), "{surface:?}: {refusal}");
        }
        other => panic!("{surface:?}: {other:?}"),
    }
    let unsaid = json!({"provisionId": provision["id"]});
    match client.call("provision.UpdateStatus", unsaid).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.fields, ["status"], "{surface:?}: {refusal}"),
        other => panic!("{surface:?}: {other:?}"),
    }
    for (status, count) in [("ACTIVE", story.entitlements), ("CANCELLED", 0), ("CANCELED", 0)] {
        let held = json!({"identityId": story.identity_id, "status": status});
        let held = client.call("entitlements.ListEntitlements", held).await.unwrap().json;
        assert_eq!(held["entitlements"].as_array().map_or(0, Vec::len), count, "{surface:?}: {held}");
    }
}
