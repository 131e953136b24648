//! Profiles and relations, the same on every surface.

use pavise::wire::{Client, Failure, Surface};
use serde_json::{Value, json};

/// A profile is made, refused with the paths of the request, changed, found, and named in a list; a relation has its people.
pub(super) async fn check(client: &Client, surface: Surface) {
    let person = format!("person-{surface:?}").to_lowercase();
    let call = async |name: &str, request: Value| match client.call(name, request).await {
        Ok(answer) => Ok(answer.json),
        Err(Failure::Refused(refusal)) => Err((refusal.reason, refusal.fields)),
        Err(other) => panic!("{name} over {surface:?}: {other:?}"),
    };
    let refused = |reason: &str, field: &str| Err((reason.to_owned(), vec![field.to_owned()]));
    let profile = |emails: Value| json!({"identityId": person, "name": {"firstName": "Robert", "lastName": format!("Wire{surface:?}")}, "emails": emails});
    let two = json!([{"address": "a@example.com", "primary": true}, {"address": "b@example.com", "primary": true}]);
    assert_eq!(
        call("profiles.CreateProfile", profile(two)).await,
        refused("INVALID_FIELD", "emails[1].primary"),
        "{surface:?}"
    );
    let made = call("profiles.CreateProfile", profile(json!([{"address": "a@example.com"}]))).await.unwrap();
    assert_eq!((&made["id"], &made["emails"][0]["primary"]), (&json!(person), &json!(true)), "{surface:?}: {made}");
    let update = |id: &Value| json!({"identityId": person, "emailId": id, "email": {"address": "c@example.com"}});
    let changed = call("profiles.UpdateEmail", update(&made["emails"][0]["id"])).await.unwrap();
    assert_eq!(changed["emails"][0]["address"], "c@example.com", "{surface:?}: {changed}");
    let unknown = call("profiles.UpdateEmail", update(&json!("none"))).await;
    assert_eq!(unknown, refused("NOT_FOUND", "emailId"), "{surface:?}");
    let number = json!({"identityId": person, "nationalIdentifier": {"type": "SSN", "value": "501-12-3456"}});
    let number = call("profiles.UpdateNationalIdentifier", number).await.unwrap();
    assert_eq!(number["nationalIdentifier"]["value"], "••••3456", "{surface:?}: {number}");
    let search = json!({"text": format!("bob wire{surface:?}")});
    let found = call("profiles.SearchProfiles", search).await.unwrap();
    assert_eq!(found["profiles"][0]["id"], json!(person), "{surface:?}: {found}");
    let thin = call("profiles.GetThinProfiles", json!({"ids": ["nobody", person]})).await.unwrap();
    assert_eq!((&thin["notFound"], &thin["profiles"][0]["id"]), (&json!(["nobody"]), &json!(person)), "{surface:?}");
    let unknown = json!({"identityId": person, "type": "Family"});
    assert_eq!(
        call("relations.CreateRelation", unknown).await,
        refused("INVALID_FIELD", "identityId"),
        "{surface:?}: nobody has that identity"
    );
    let of = || json!({"identityId": person});
    let preview = call("personal_data.PreviewPersonErasure", of()).await.unwrap();
    let has_profile = preview["services"].as_array().unwrap().iter().any(|one| one["service"] == "profiles");
    assert!(preview["openRecords"] == json!([]) && has_profile, "{surface:?}: {preview}");
    let none = call("personal_data.GetPersonErasure", of()).await;
    assert_eq!(none.unwrap_err().0, "NOT_FOUND", "{surface:?}");
    assert_eq!(call("profiles.RedactPersonalInformation", of()).await, refused("INVALID_FIELD", "reason"));
    let redact = json!({"identityId": person, "reason": "a letter"});
    let blank = call("profiles.RedactPersonalInformation", redact).await.unwrap();
    assert_eq!((&blank["status"], &blank["name"]), (&json!("REDACTED"), &json!(null)), "{surface:?}: {blank}");
    let erasure = call("personal_data.GetPersonErasure", of()).await.unwrap();
    assert_eq!((&erasure["origin"], &erasure["reason"]), (&json!("STAFF"), &json!("a letter")), "{surface:?}");
    let late = call("personal_data.CancelPersonErasure", of()).await;
    assert_eq!(late.unwrap_err().0, "STATUS_NOT_ALLOWED", "{surface:?}");
    let all = call("personal_data.ListPersonErasures", of()).await.unwrap();
    assert!(all["erasures"].as_array().unwrap().iter().any(|one| one["id"] == person), "{surface:?}: {all}");
}
