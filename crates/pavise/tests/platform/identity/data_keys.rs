//! The keys of sealed fields, which the platform's own processes ask for.

use serde_json::json;

use crate::identity::stage::Stage;

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (staff, machine) = (stage.staff.clone(), stage.machine.clone());
    let name = format!("p/{}", stage.fresh("person"));
    let of = json!({"names": [name]});
    let key = json!({"keys": [{"name": name, "master": "first", "wrapped": "c2VhbGVk"}]});
    stage.good(&machine, "data_keys.AddDataKeys", key.clone()).await;
    stage.bad(&staff, "data_keys.AddDataKeys", key.clone(), "REALM_NOT_ALLOWED").await;
    let found = stage.good(&machine, "data_keys.GetDataKeys", of.clone()).await;
    assert_eq!(
        (&found["keys"][0]["name"], &found["keys"][0]["wrapped"]),
        (&json!(name), &json!("c2VhbGVk")),
        "{found}"
    );
    stage.bad(&staff, "data_keys.GetDataKeys", of.clone(), "REALM_NOT_ALLOWED").await;

    let destroyed = json!({"names": [name], "at": "2026-03-31T12:00:00Z"});
    stage.good(&machine, "data_keys.DestroyDataKeys", destroyed.clone()).await;
    stage.bad(&staff, "data_keys.DestroyDataKeys", destroyed, "REALM_NOT_ALLOWED").await;
    // A destroyed key is never made again.
    stage.good(&machine, "data_keys.AddDataKeys", key).await;
    let found = stage.good(&machine, "data_keys.GetDataKeys", of).await;
    assert!(found["keys"][0]["wrapped"].as_str().is_none_or(str::is_empty), "{found}");
    let list = stage.good(&machine, "data_keys.ListDestroyedDataKeys", json!({"after": "", "limit": 1000})).await;
    assert!(list["keys"].as_array().unwrap().iter().any(|key| key["name"] == json!(name)), "{list}");
    stage.bad(&staff, "data_keys.ListDestroyedDataKeys", json!({"limit": 1}), "REALM_NOT_ALLOWED").await;
}
