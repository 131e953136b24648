//! Calls of profiles and relations at their documented paths: what stands in the query, and what in the body.

use http::Method;
use pavise_testapp::TestApp;
use serde_json::{Value, json};

/// Nobody signs in with it, so that the platform makes no profile for it.
const PERSON: &str = "70000000-0000-4000-8000-0000000000a1";
const FIRST: &str = "first.query@example.com";

fn address(line: &str) -> Value {
    json!({"address": {"address1": line, "city": "Austin", "locality": "TX", "postalCode": "78701"}})
}

/// Rule 261: the query says which item is replaced, and which service flag is taken back.
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_a_profile_name_their_item_in_the_query() {
    let app = TestApp::start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    let path = format!("/v1/identities/{PERSON}/profile");
    let profile = json!({
        "emails": [{"address": FIRST}],
        "phoneNumbers": [{"number": "512 555 0100"}],
        "addresses": [address("7 Main St")],
        "accountIdentifiers": [{"type": "member", "value": "12345"}],
        "serviceFlags": ["deaf", "blind"],
    });
    let made = staff.post(&path, profile).await.expect(200);
    for (call, key, list, body, field, expected) in [
        ("updateEmail", "emailId", "emails", json!({"address": "second@example.com"}), "address", "second@example.com"),
        (
            "updatePhoneNumber",
            "phoneNumberId",
            "phoneNumbers",
            json!({"number": "512 555 0101"}),
            "number",
            "+15125550101",
        ),
        (
            "updateAccountIdentifier",
            "accountIdentifierId",
            "accountIdentifiers",
            json!({"type": "associate", "value": "777"}),
            "key",
            "associate/777",
        ),
    ] {
        let id = made[list][0]["id"].as_str().unwrap();
        let without = staff.post(&format!("{path}/{call}"), body.clone()).await;
        assert_eq!((without.status.as_u16(), without.fields()), (400, vec![key]), "{call}: {}", without.json);
        let changed = staff.post(&format!("{path}/{call}?{key}={id}"), body).await.expect(200);
        assert_eq!((&changed[list][0]["id"], &changed[list][0][field]), (&json!(id), &json!(expected)), "{changed}");
        assert_eq!(changed[list].as_array().unwrap().len(), 1, "{call} replaces: {changed}");
    }
    let id = made["addresses"][0]["id"].as_str().unwrap();
    let moved = staff.post(&format!("{path}/updateAddress?addressId={id}"), address("8 Main St")).await.expect(200);
    assert_eq!(moved["addresses"][0]["address"]["address1"], "8 Main St", "{moved}");
    let gone = staff.send(Method::POST, &format!("{path}/removeServiceFlag?serviceFlag=deaf"), None).await.expect(200);
    assert_eq!(gone["serviceFlags"], json!(["blind"]), "{gone}");
    app.finish().await;
}

/// Rule 262: a preference is set by its key for the profile of an identity, and for an address without an identity.
#[tokio::test(flavor = "multi_thread")]
async fn a_preference_is_set_by_key_for_a_profile_and_for_an_address() {
    let app = TestApp::start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    let path = format!("/v1/identities/{PERSON}/profile");
    let _ = staff.post(&path, json!({"emails": [{"address": FIRST}]})).await.expect(200);
    let by_key = format!("{path}/communicationPreferences/newsletter");
    let set = staff.post(&by_key, json!({"channel": "EMAIL", "allowed": true})).await.expect(200);
    let kept = |profile: &Value| {
        let one = &profile["communicationPreferences"][0];
        (one["key"].clone(), one["channel"].clone(), one["allowed"].clone())
    };
    assert_eq!(kept(&set), (json!("newsletter"), json!("EMAIL"), json!(true)), "{set}");
    let by_address = format!("/v1/profile/{FIRST}/communicationPreferences/newsletter");
    let refused = app.visitor().post(&by_address, json!({"allowed": false})).await;
    assert_eq!(refused.reason(), "UNSUBSCRIBE_TOKEN_INVALID", "{}", refused.json);
    let answer = staff.post(&by_address, json!({"allowed": false})).await.expect(200);
    assert_eq!((&answer["key"], &answer["allowed"]), (&json!("newsletter"), &json!(false)), "{answer}");
    let read = staff.get(&path).await.expect(200);
    assert_eq!(kept(&read), (json!("newsletter"), json!("EMAIL"), json!(false)), "{read}");
    app.finish().await;
}

/// Rule 276: the query says who leaves a relation, who becomes its primary member or owner, and who is changed; of these
/// only a change has a body.
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_a_relation_name_their_person_in_the_query() {
    let app = TestApp::start().await.unwrap();
    let (staff, machine) = (app.rest(&TestApp::staff()), app.rest(&TestApp::machine()));
    let mut people = Vec::new();
    for name in ["ada", "ben", "cleo"] {
        let body = json!({"realm": "User", "emails": [format!("{name}.query@example.com")],
            "password": "correct horse battery"});
        let made = machine.post("/v1/identities", body).await.expect(200);
        people.push(made["id"].as_str().unwrap().to_owned());
    }
    let [ada, ben, cleo] = people.as_slice() else { unreachable!("three people") };
    let members =
        json!([{"identityId": ben, "permissionType": "SPOUSE"}, {"identityId": cleo, "permissionType": "DEPENDENT"}]);
    let family = json!({"type": "Family", "members": members});
    let made = staff.post(&format!("/v1/identities/{ada}/relations"), family).await.expect(200);
    let of = |owner: &str| format!("/v1/identities/{owner}/relations/{}", made["id"].as_str().unwrap());
    let post = async |path: String| staff.send(Method::POST, &path, None).await;
    for (call, key) in [
        ("changeOwner", "newOwnerId"),
        ("members/removeMember", "memberId"),
        ("members/updatePrimaryMember", "memberId"),
    ] {
        let without = post(format!("{}/{call}", of(ada))).await;
        assert_eq!((without.status.as_u16(), without.fields()), (400, vec![key]), "{call}: {}", without.json);
    }
    let update = format!("{}/members/updateMember?memberId={cleo}", of(ada));
    let changed = staff.post(&update, json!({"permissionType": "ELDER"})).await.expect(200);
    assert_eq!(changed["members"][2]["permissionType"], "ELDER", "{changed}");
    let first = post(format!("{}/members/updatePrimaryMember?memberId={ben}", of(ada))).await.expect(200);
    assert_eq!(
        (&first["ownerId"], &first["members"][1]["permissionType"]),
        (&json!(ben), &json!("PRIMARY")),
        "{first}"
    );
    let left = post(format!("{}/members/removeMember?memberId={ada}", of(ben))).await.expect(200);
    assert_eq!(left["members"].as_array().unwrap().len(), 2, "{left}");
    let given = post(format!("{}/changeOwner?newOwnerId={ada}", of(ben))).await.expect(200);
    assert_eq!(given["ownerId"], json!(ada), "{given}");
    app.finish().await;
}
