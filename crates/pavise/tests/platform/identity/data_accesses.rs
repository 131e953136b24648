//! The record of reads of a member's personal data, which programs write and the member sees.

use serde_json::json;

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (ada, member) = stage.member().await;
    let (staff, machine) = (stage.staff.clone(), stage.machine.clone());
    let ids = [stage.fresh("read"), stage.fresh("read")];
    let record = |id: &str| {
        json!({
        "id": id,
        "ownerId": ada.id,
        "readerId": "a reader",
        "readerRealm": "Internal",
        "service": "orders",
        "call": "GetOrder",
        "entityType": "Order",
        "ownerCount": 1
        })
    };
    let records = json!({ "records": ids.each_ref().map(|id| record(id)) });
    let recorded = stage.good(&machine, "data_access.RecordDataAccesses", records.clone()).await;
    assert_eq!(recorded["recorded"], json!(2), "{recorded}");
    stage.bad(&staff, "data_access.RecordDataAccesses", records, "REALM_NOT_ALLOWED").await;

    let of = json!({"identityId": ada.id});
    let list = stage.good(&member, "data_access.ListDataAccesses", of.clone()).await;
    let shown = &list["dataAccesses"][0];
    assert_eq!(shown["call"], json!("GetOrder"), "{list}");
    assert!(shown["readerId"].as_str().is_none_or(str::is_empty), "a member does not learn who of the staff: {list}");
    let list = stage.good(&staff, "data_access.ListDataAccesses", of).await;
    assert_eq!(list["dataAccesses"][0]["readerId"], json!("a reader"), "{list}");
    stage.bad(&member, "data_access.ListDataAccesses", json!({"identityId": "another"}), "NOT_THE_OWNER").await;

    let one = json!({"identityId": ada.id, "dataAccessId": text(&shown["id"])});
    stage.good(&member, "data_access.GetDataAccess", one).await;
    let none = json!({"identityId": ada.id, "dataAccessId": "none"});
    stage.bad(&member, "data_access.GetDataAccess", none, "NOT_FOUND").await;
    stage.journal("data_access").await;
}
