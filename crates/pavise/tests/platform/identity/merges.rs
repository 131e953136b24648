//! Two identities of one person become one.

use serde_json::{Value, json};

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (staff, machine) = (stage.staff.clone(), stage.machine.clone());
    let (ada, _) = stage.member().await;
    let (twin, _) = stage.member().await;
    let pair = json!({"identityId": ada.id, "mergedIdentityId": twin.id, "reason": "one person, two accounts"});
    let made = stage.good(&staff, "identity_merge.CreateIdentityMerge", pair).await;
    let same = json!({"identityId": ada.id, "mergedIdentityId": ada.id});
    stage.bad(&staff, "identity_merge.CreateIdentityMerge", same.clone(), "INVALID_FIELD").await;
    let id = text(&made["id"]);
    let of = |more: Value| {
        let mut request = json!({"mergeId": id});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    stage.good(&staff, "identity_merge.AddProcessorStatuses", of(json!({"processors": ["classic"]}))).await;
    stage.bad(&staff, "identity_merge.AddProcessorStatuses", of(json!({"processors": []})), "INVALID_FIELD").await;
    let go = json!({"identityId": ada.id, "mergedIdentityId": twin.id, "mergeId": id, "instruction": {"reason": "confirmed"}});
    stage.bad(&staff, "identity_merge.MergeIdentity", same, "INVALID_FIELD").await;
    stage.good(&staff, "identity_merge.MergeIdentity", go).await;
    let done = of(json!({"processor": "classic", "status": "OK"}));
    stage
        .bad(
            &staff,
            "identity_merge.UpdateProcessorStatus",
            of(json!({"processor": "nobody", "status": "OK"})),
            "PROCESSOR_UNKNOWN",
        )
        .await;
    stage.good(&machine, "identity_merge.UpdateProcessorStatus", done.clone()).await;
    until(stage, &id, "COMPLETE").await;
    stage.bad(&staff, "identity_merge.GetIdentityMerge", json!({"mergeId": "none"}), "NOT_FOUND").await;
    let found = stage.good(&staff, "identities.ListIdentities", json!({"email": twin.email})).await;
    assert_eq!(found["identities"][0]["id"], json!(ada.id), "her names came along: {found}");
    stage.bad(&staff, "identities.AbsorbIdentity", json!({"mergeId": id}), "REALM_NOT_ALLOWED").await;
    stage.bad(&machine, "identities.AbsorbIdentity", json!({"mergeId": id}), "IDENTITIES_NOT_MERGEABLE").await;
    stage.made_by_the_platform("identities.AbsorbIdentity");

    let back = json!({"identityId": ada.id, "mergedIdentityId": twin.id, "mergeId": id, "instruction": {"reason": "two people after all"}});
    stage
        .bad(&staff, "identity_merge.UnmergeIdentity", json!({"identityId": ada.id, "mergeId": "none"}), "NOT_FOUND")
        .await;
    stage.good(&staff, "identity_merge.UnmergeIdentity", back).await;
    stage.bad(&staff, "identities.ReleaseIdentity", json!({"mergeId": id}), "REALM_NOT_ALLOWED").await;
    stage.good(&machine, "identity_merge.UpdateProcessorStatus", done).await;
    until(stage, &id, "COMPLETE").await;
    stage.bad(&machine, "identities.ReleaseIdentity", json!({"mergeId": id}), "IDENTITIES_NOT_MERGEABLE").await;
    stage.made_by_the_platform("identities.ReleaseIdentity");
    let found = stage.good(&staff, "identities.ListIdentities", json!({"email": twin.email})).await;
    assert_eq!(found["identities"][0]["id"], json!(twin.id), "and went back: {found}");
    stage.journal("identity_merge").await;
}

/// Waits until a merge stands so.
async fn until(stage: &mut Stage<'_>, id: &str, status: &str) {
    let (platform, staff) = (stage.platform, stage.staff.clone());
    let stage = tokio::sync::Mutex::new(stage);
    let reached = || async {
        let merge = stage.lock().await.good(&staff, "identity_merge.GetIdentityMerge", json!({"mergeId": id})).await;
        (merge["status"] == json!(status)).then_some(())
    };
    platform.app().eventually("the merge", reached).await;
}
