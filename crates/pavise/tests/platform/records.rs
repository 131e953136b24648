//! The documented paths of businesses, notes, amendments and auto comments, over REST.

use http::Method;
use pavise_testapp::TestApp;
use serde_json::{Value, json};

const ME: &str = "01900000-0000-7000-8000-0000000000aa";

/// Rules 308, 309, 310 and 346.
#[tokio::test(flavor = "multi_thread")]
async fn a_business_is_made_edited_and_ended_by_its_documented_paths() {
    let app = TestApp::start().await.unwrap();
    let (member, staff) = (app.rest(&TestApp::member(ME)), app.rest(&TestApp::staff()));
    let cart = json!({"name": "Lee Bread", "email": "bread@example.com", "firstName": "Ada", "lastName": "Lee",
        "nationalIdentifier": "123456782", "phoneNumber": "416-555-0100",
        "address": {"address1": "1 Main Street", "locality": "ON", "postalCode": "M5V 2T6"}});
    let bought = json!({"identityId": ME, "businessInfo": cart});
    let bought = member.post("/v1/businesses/createFromCheckout", bought).await.expect(200);
    assert_eq!((&bought["identifiers"][0]["type"], &bought["phoneNumbers"][0]["type"]), (&json!("BN"), &json!("cell")));
    let _ = member.post("/v1/businesses", json!({"identityId": ME, "name": "Books"})).await.expect(200);
    let empty = member.post("/v1/businesses/createEmptyBusiness", json!({"identityId": ME})).await.expect(200);
    let path = format!("/v1/businesses/{}", empty["id"].as_str().unwrap());
    let address = json!({"address1": "1 Main Street", "locality": "TX", "postalCode": "78701"});
    for (section, body) in [
        ("name", json!({"name": "Bakery"})),
        ("doingBusinessAs", json!({"doingBusinessAs": "Bread & Butter"})),
        ("description", json!({"description": "Bread since 1999."})),
        ("registration", json!({"registration": "SERIES_LIMITED_LIABILITY_COMPANY"})),
        ("areaofbusiness", json!({"areaOfBusiness": "bakery"})),
        ("addresses", json!({"addresses": [{"address": address}]})),
        ("identifiers", json!({"identifiers": [{"type": "NAICS", "value": "311811"}]})),
        ("employeeTypes", json!({"employeeTypes": ["INDEPENDENT_CONTRACTOR", "EMPLOYEE"]})),
        ("phoneNumbers", json!({"phoneNumbers": [{"number": "512-555-0100", "type": "work"}]})),
        ("emails", json!({"emails": [{"address": "bread@example.com"}]})),
        ("onlinePresences", json!({"onlinePresences": [{"name": "website", "url": "https://bread.example.com"}]})),
        ("establishedDate", json!({"establishedDate": "1999-05-17"})),
        ("numberOfEmployees", json!({"numberOfEmployees": 12})),
        ("associatedEntitlementIds", json!({"associatedEntitlementIds": []})),
        ("isPrimarySourceOfIncome", json!({"isPrimarySourceOfIncome": true})),
    ] {
        let _ = member.post(&format!("{path}/{section}"), body).await.expect(200);
    }
    let act = async |rest: &pavise_testapp::Rest, call: &str| {
        rest.send(Method::POST, &format!("{path}/{call}"), None).await.expect(200)
    };
    let verified = act(&staff, "verify").await;
    assert_eq!(verified["addresses"][0]["address"]["country"], "USA", "{verified}");
    assert!(verified["verifiedAt"].is_string() && verified["verifiedById"] != "", "{verified}");
    assert_eq!(act(&member, "close").await["status"], "CLOSED");
    assert_eq!(act(&member, "reopen").await["status"], "OPENED");
    let stranger = format!("{path}/changeOwner");
    let _ = staff.post(&stranger, json!({"newOwnerId": "somebody"})).await.expect(200);
    assert_eq!(member.get(&path).await.reason(), "NOT_FOUND");
    let _ = staff.delete(&path).await.expect(200);
    for find in ["/v1/businesses/findByEntitlementId", "/findByEntitlementId"] {
        let answer = staff.get(&format!("{find}?entitlementId=nothing")).await;
        assert_eq!((answer.status.as_u16(), answer.reason()), (404, "NOT_FOUND"), "{find}");
        let unsaid = staff.get(find).await;
        assert_eq!((unsaid.status.as_u16(), unsaid.fields()), (400, vec!["entitlementId"]), "{find}");
    }
    let journal = staff.get("/v1/businesses/journal?limit=100").await.expect(200);
    let clock = staff.get("/v1/businesses/journal/maxClock").await.expect(200);
    let entries = journal["entries"].as_array().unwrap();
    assert_eq!(entries.last().map(|entry: &Value| &entry["clock"]), Some(&clock["maxClock"]), "rule 49");
    assert_eq!(entries.len(), 3 + 14 + 5, "an empty list of entitlements was empty before");
    app.finish().await;
}

/// One amendment has DELETE only: GET answers 405 and says so. `journal` beside it is no amendment.
#[tokio::test(flavor = "multi_thread")]
async fn literal_parts_of_a_path_win_and_a_path_says_its_verbs() {
    let app = TestApp::start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    let note = staff.post(&format!("/v1/identities/{ME}/notes"), json!({"text": "Called."})).await.expect(200);
    for journal in ["/v1/notes/journal", "/v1/amendments/journal", "/v1/autoComments/journal", "/v1/businesses/journal"]
    {
        let page = staff.get(journal).await.expect(200);
        assert!(page["maxClock"].is_string(), "{journal}: {page}");
        let _ = staff.get(&format!("{journal}/maxClock")).await.expect(200);
    }
    let path = format!("/v1/notes/{}", note["id"].as_str().unwrap());
    let _ = staff.post(&format!("{path}/updatePriority"), json!({"priority": "LOW"})).await.expect(200);
    let _ = staff.post(&format!("{path}/updateNote"), json!({"text": "Called twice."})).await.expect(200);
    let moved = staff.post(&format!("{path}/changeOwner"), json!({"newOwnerId": "bob"})).await.expect(200);
    assert_eq!((&moved["text"], &moved["priority"]), (&json!("Called twice."), &json!("LOW")));
    let _ = staff.delete(&path).await.expect(200);
    let one = staff.get("/v1/amendments/nothing").await;
    assert_eq!((one.status.as_u16(), one.reason()), (405, "METHOD_NOT_ALLOWED"));
    assert_eq!(one.headers["allow"], "DELETE, OPTIONS");
    app.finish().await;
}
