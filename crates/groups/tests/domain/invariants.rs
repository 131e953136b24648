//! Lists of a group: what does not fit is refused with its place (rules 156, 157, 158).

use pavise_testapp::{Engine, TestApp};
use serde_json::json;

use crate::scene::{group, offer, on, path};

#[tokio::test]
async fn splits_of_99_percent_and_an_offer_of_another_country_are_refused_with_their_place() {
    for engine in Engine::BOTH {
        let app = on(engine).without_workers().start().await.unwrap();
        let staff = app.rest(&TestApp::staff());
        let group = group(&app, "harbor").await;
        let agent = |id: &str, split: i32| json!({"associateId": id, "role": "WRITING_AGENT", "splitPercent": split, "startsOn": "2026-01-01"});
        let short = json!({"associates": [agent("ann", 60), agent("ben", 39)]});
        let refused = staff.post(&path(&group, "addAssociates"), short).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["associates"]));
        assert!(refused.json["message"].as_str().unwrap().contains("99 %"));
        let whole = json!({"associates": [agent("ann", 60), agent("ben", 40)]});
        assert_eq!(
            staff.post(&path(&group, "addAssociates"), whole).await.expect(200)["associates"][1]["splitPercent"],
            40
        );

        let (ours, theirs) = (offer(&app, "USA").await, offer(&app, "CAN").await);
        let refused = staff.post(&path(&group, "addOfferIds"), json!({"offerIds": [ours, theirs, "nothing"]})).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["offerIds[1]", "offerIds[2]"]));
        let _ = staff.post(&path(&group, "addOfferIds"), json!({"offerIds": [ours]})).await.expect(200);
        let abroad = staff.post(&path(&group, "updateCountryIdentifier"), json!({"countryIdentifier": "CAN"})).await;
        assert_eq!((abroad.status.as_u16(), abroad.fields()), (400, vec!["countryIdentifier"]));
        app.finish().await;
    }
}

#[tokio::test]
async fn a_window_ends_after_it_begins_and_a_source_has_one_active_period() {
    let app = on(Engine::Sqlite).without_workers().start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    let group = group(&app, "harbor").await;
    let window = json!({"openEnrollmentInfo": {"opensOn": "2026-11-30", "closesOn": "2026-11-01"}});
    let refused = staff.post(&path(&group, "updateOpenEnrollmentInfo"), window).await;
    assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["openEnrollmentInfo.closesOn"]));
    let period = |month: &str| json!({"restrictedPeriods": [{"source": "WEB", "month": month}]});
    let added = staff.post(&path(&group, "addRestrictedPeriods"), period("+1")).await.expect(200);
    let first = added["restrictedPeriods"][0].clone();
    assert_eq!((&first["status"], &first["month"]), (&json!("ACTIVE"), &json!("+1")));
    let refused = staff.post(&path(&group, "addRestrictedPeriods"), period("+2")).await;
    assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["restrictedPeriods[0].source"]));
    let rest =
        json!({"restrictedPeriods": [{"id": first["id"], "source": "WEB", "month": "+1", "status": "INACTIVE"}]});
    let _ = staff.post(&path(&group, "updateRestrictedPeriods"), rest).await.expect(200);
    let _ = staff.post(&path(&group, "addRestrictedPeriods"), period("current")).await.expect(200);
    app.finish().await;
}

#[tokio::test]
async fn a_division_that_something_names_stays_and_addresses_lie_in_the_country() {
    let app = on(Engine::Sqlite).without_workers().start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    let group = group(&app, "harbor").await;
    let period =
        json!({"name": "Night", "divisionId": "harbor-west", "deductionsPerYear": 26, "firstPayDate": "2026-01-02"});
    let _ = staff.post(&path(&group, "addPayPeriods"), json!({"payPeriods": [period]})).await.expect(200);
    let refused = staff.post(&path(&group, "removeDivisions"), json!({"ids": ["harbor-west"]})).await;
    assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["pay_periods[0].divisionId"]));
    let _ = staff.post(&path(&group, "removeDivisions"), json!({"ids": ["harbor-east"]})).await.expect(200);
    let at = |region: &str, code: &str| json!({"addresses": [{"type": "BILLING", "address": {"address1": "1 Main", "city": "X", "locality": region, "postalCode": code}}]});
    let refused = staff.post(&path(&group, "addAddresses"), at("ON", "M5V 2T6")).await;
    assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["addresses[0].address.country"]));
    let _ = staff.post(&path(&group, "addAddresses"), at("TX", "75201")).await.expect(200);
    assert_eq!(staff.post(&path(&group, "addAddresses"), at("TX", "75202")).await.reason(), "ITEM_EXISTS");
    let moved = staff.post(&path(&group, "updateAddresses"), at("OK", "73102")).await.expect(200);
    assert_eq!(moved["addresses"][0]["address"]["locality"], "OK");
    let removed = staff.post(&path(&group, "removeAddresses"), json!({"types": ["BILLING"]})).await.expect(200);
    assert!(removed["addresses"].as_array().is_none_or(Vec::is_empty));
    app.finish().await;
}

#[tokio::test]
async fn a_division_is_of_one_group_and_a_contact_keeps_its_identity() {
    for engine in Engine::BOTH {
        let app = on(engine).without_workers().start().await.unwrap();
        let staff = app.rest(&TestApp::staff());
        let (harbor, maple) = (group(&app, "harbor").await, group(&app, "maple").await);
        let taken = json!({"divisions": [{"id": "harbor-west", "name": "Ours"}]});
        let refused = staff.post(&path(&maple, "addDivisions"), taken).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "ALREADY_EXISTS"), "{}", refused.json);
        let odd = json!({"divisions": [{"id": "west side", "name": "West side"}]});
        let refused = staff.post(&path(&maple, "addDivisions"), odd).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["divisions[0].id"]));

        let contact = json!({"id": "desk", "type": "COMPANY", "name": "Front desk", "identityId": "ann"});
        let _ = staff.post(&path(&harbor, "addContacts"), json!({"contacts": [contact]})).await.expect(200);
        let renamed = json!({"contacts": [{"id": "desk", "type": "COMPANY", "name": "Reception"}]});
        let updated = staff.post(&path(&harbor, "updateContacts"), renamed).await.expect(200);
        let desk = updated["contacts"].as_array().unwrap().iter().find(|one| one["id"] == "desk").unwrap().clone();
        assert_eq!((&desk["name"], &desk["identityId"]), (&json!("Reception"), &json!("ann")));
        app.finish().await;
    }
}
