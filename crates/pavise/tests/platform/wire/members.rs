//! Profiles and relations, the same on every surface.

use pavise::wire::{Client, Failure, Surface};
use pavise_testapp::{Platform, TestApp};
use serde_json::{Value, json};

/// The answer to a call, or the reason of its refusal and the fields.
async fn ask(client: &Client, name: &str, request: Value) -> Result<Value, (String, Vec<String>)> {
    match client.call(name, request).await {
        Ok(answer) => Ok(answer.json),
        Err(Failure::Refused(refusal)) => Err((refusal.reason, refusal.fields)),
        Err(other) => panic!("{name}: {other:?}"),
    }
}

/// A profile is made, refused with the paths of the request, changed, found, and named in a list; a relation has its people.
pub(super) async fn check(client: &Client, surface: Surface) {
    let person = format!("person-{surface:?}").to_lowercase();
    let call = async |name: &str, request: Value| ask(client, name, request).await;
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

/// A person of a relation: their identity, their address, and their calls.
struct Person {
    id: String,
    email: String,
    client: Client,
}

/// A family is made, joined, left and ended. The spouse reads it as long as it stands, and never how the buyer is reached.
pub(super) async fn relations(platform: &Platform, client: &Client, surface: Surface) {
    let app = platform.app();
    let [staff, machine] = [TestApp::staff(), TestApp::machine()].map(|caller| client.with_token(&app.token(&caller)));
    let mut people = Vec::new();
    for name in ["buyer", "spouse", "child"] {
        let email = format!("{name}-{surface:?}@example.com").to_lowercase();
        let new = json!({"realm": "User", "emails": [email], "password": "correct horse battery"});
        let made = ask(&machine, "identities.CreateIdentity", new).await.unwrap();
        let id = made["id"].as_str().unwrap().to_owned();
        let client = client.with_token(&app.token(&TestApp::member(&id)));
        people.push(Person { id, email, client });
    }
    let [buyer, spouse, child] = people.as_slice() else { panic!("three people") };
    let known = async || {
        let profile = ask(&staff, "profiles.GetProfile", json!({"identityId": buyer.id})).await.ok()?;
        profile.to_string().contains(&buyer.email).then_some(())
    };
    app.eventually("the buyer's profile with its address", known).await;

    let new = json!({"identityId": buyer.id, "type": "Family", "alias": "The Wires",
        "members": [{"identityId": spouse.id, "permissionType": "SPOUSE"}]});
    assert_eq!(ask(&buyer.client, "relations.CreateRelation", new.clone()).await.unwrap_err().0, "REALM_NOT_ALLOWED");
    let made = ask(&staff, "relations.CreateRelation", new).await.unwrap();
    let first = &made["members"][0];
    assert_eq!((&first["identityId"], &first["permissionType"]), (&json!(buyer.id), &json!("PRIMARY")), "{made}");
    let of = |person: &Person, more: Value| {
        let mut request = json!({"identityId": person.id, "relationId": made["id"]});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let add = || of(buyer, json!({"member": {"identityId": child.id, "permissionType": "DEPENDENT"}}));
    let joined = ask(&staff, "relations.AddMember", add()).await.unwrap();
    assert_eq!(joined["members"].as_array().unwrap().len(), 3, "{surface:?}: {joined}");
    let again = ask(&staff, "relations.AddMember", add()).await.unwrap_err();
    assert_eq!(again.1, ["member.identityId"], "{surface:?}");

    for person in &people {
        let read = ask(&person.client, "relations.GetRelation", of(person, json!({}))).await.unwrap();
        assert_eq!(read["members"], joined["members"], "{surface:?}: {read}");
        assert!(!read.to_string().contains('@'), "{surface:?}: nobody's address is in it: {read}");
    }
    let list = json!({"identityId": spouse.id});
    let page = ask(&spouse.client, "relations.ListRelations", list.clone()).await.unwrap();
    assert_eq!(page["relations"][0]["id"], made["id"], "{surface:?}: {page}");
    let members = ask(&spouse.client, "relations.ListRelationMembers", of(spouse, json!({}))).await.unwrap();
    assert_eq!(members["members"], joined["members"], "{surface:?}");
    // The relation is no way to the buyer's own data.
    for call in ["profiles.GetProfile", "identities.GetIdentity", "relations.ListRelations"] {
        let refused = ask(&spouse.client, call, json!({"identityId": buyer.id})).await.unwrap_err();
        assert!(["NOT_THE_OWNER", "NOT_FOUND"].contains(&refused.0.as_str()), "{surface:?} {call}: {refused:?}");
    }
    let title = json!({"references": [{"type": "Profile", "id": buyer.id}]});
    let titles = ask(&spouse.client, "members_titles.GetTitles", title).await.unwrap();
    assert_eq!((&titles["titles"], titles["notFound"].as_array().unwrap().len()), (&json!([]), 1), "{titles}");

    let leave = |who: &Person| of(buyer, json!({"memberId": who.id}));
    let primary = ask(&buyer.client, "relations.RemoveMember", leave(buyer)).await.unwrap_err();
    assert_eq!(primary.0, "PRIMARY_MEMBER_NEEDED", "{surface:?}");
    let foreign = ask(&spouse.client, "relations.RemoveMember", leave(child)).await.unwrap_err();
    assert_eq!(foreign.0, "NOT_THE_OWNER", "{surface:?}");
    let left = ask(&buyer.client, "relations.RemoveMember", leave(child)).await.unwrap();
    assert_eq!(left["members"].as_array().unwrap().len(), 2, "{surface:?}: {left}");
    let gone = ask(&child.client, "relations.GetRelation", of(child, json!({}))).await.unwrap_err();
    assert_eq!(gone.0, "NOT_FOUND", "{surface:?}: it is nothing to who left");

    let over = ask(&staff, "relations.RemoveRelation", of(buyer, json!({}))).await.unwrap();
    assert_eq!(over["status"], "REMOVED", "{surface:?}: {over}");
    let none = ask(&spouse.client, "relations.ListRelations", list).await.unwrap();
    assert_eq!(none["relations"], json!([]), "{surface:?}");
    let late = ask(&buyer.client, "relations.UpdateAlias", of(buyer, json!({"alias": "Late"}))).await.unwrap_err();
    assert_eq!(late.0, "STATUS_NOT_ALLOWED", "{surface:?}");
}
