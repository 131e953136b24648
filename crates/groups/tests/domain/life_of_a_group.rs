//! A group is made, completed, activated, taken back, and removed (rules 154, 155, 205).

use pavise_testapp::{Engine, TestApp};
use serde_json::json;

use crate::scene::{GROUPS, actions, draft, group, offer, on, path};

#[tokio::test]
async fn a_group_begins_when_it_is_complete_and_goes_back_before_its_first_day_only() {
    for engine in Engine::BOTH {
        let app = on(engine).without_workers().start().await.unwrap();
        let staff = app.rest(&TestApp::staff());
        let group = group(&app, "harbor").await;
        assert_eq!((&group["status"], &group["number"]), (&json!("PENDING"), &json!("G-000001")));
        assert_eq!((&group["billingDeliveryPreference"], &group["groupId"]), (&json!("ONLINE"), &group["id"]));
        let call = |name: &str| path(&group, name);

        let early = staff.post(&call("activate"), json!({})).await;
        assert_eq!(
            (early.status.as_u16(), early.reason(), early.fields()),
            (409, "GROUP_INCOMPLETE", vec!["offer_ids"])
        );
        let offers = json!({"offerIds": [offer(&app, "USA").await]});
        let _ = staff.post(&call("addOfferIds"), offers.clone()).await.expect(200);
        let payroll = json!({"payType": "PAYROLL"});
        let _ = staff.post(&call("updatePayType"), payroll).await.expect(200);
        assert_eq!(staff.post(&call("activate"), json!({})).await.fields(), ["pay_periods"]);
        let period = json!({"name": "Staff", "deductionsPerYear": 24, "firstPayDate": "2026-01-15"});
        let with_period = staff.post(&call("addPayPeriods"), json!({"payPeriods": [period]})).await.expect(200);
        let active = staff.post(&call("activate"), json!({})).await.expect(200);
        assert_eq!(active["status"], "ACTIVE");

        // An ACTIVE group stays complete.
        assert_eq!(staff.post(&call("removeOfferIds"), offers).await.reason(), "GROUP_INCOMPLETE");
        let periods = json!({"ids": [with_period["payPeriods"][0]["id"]]});
        assert_eq!(staff.post(&call("removePayPeriods"), periods).await.reason(), "GROUP_INCOMPLETE");

        assert_eq!(staff.post(&call("pending"), json!({})).await.reason(), "GROUP_HAS_BEGUN");
        let _ = staff.post(&call("updateEffectiveDate"), json!({"effectiveDate": "2099-01-01"})).await.expect(200);
        assert_eq!(staff.post(&call("pending"), json!({})).await.expect(200)["status"], "PENDING");

        let gone = staff.delete(&call("")).await;
        assert_eq!(gone.status.as_u16(), 200);
        assert_eq!(staff.get(&call("")).await.status.as_u16(), 404);
        let expected = [
            "CREATED",
            "OFFER_IDS_ADDED",
            "PAY_TYPE_UPDATED",
            "PAY_PERIODS_ADDED",
            "ACTIVATED",
            "EFFECTIVE_DATE_UPDATED",
            "PENDING",
            "DELETED",
        ];
        assert_eq!(actions(&app).await, expected);
        app.finish().await;
    }
}

#[tokio::test]
async fn groups_are_found_by_the_beginning_of_a_name_or_a_number() {
    for engine in Engine::BOTH {
        let app = on(engine).without_workers().start().await.unwrap();
        let staff = app.rest(&TestApp::staff());
        for name in ["Harbor Logistics", "Harvest Foods", "Maple Freight"] {
            group(&app, name).await;
        }
        let names = async |query: &str| {
            let page = staff.get(&format!("{GROUPS}?{query}")).await.expect(200);
            let groups = page["groups"].as_array().cloned().unwrap_or_default();
            let mut names: Vec<String> = groups.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
            names.sort();
            names
        };
        assert_eq!(names("text=har").await, ["Harbor Logistics", "Harvest Foods"]);
        assert_eq!(names("text=g-000003").await, ["Maple Freight"]);
        assert_eq!(names("status=PENDING").await.len(), 3);
        assert_eq!(names("status=ACTIVE").await.len(), 0);
        app.finish().await;
    }
}

#[tokio::test]
async fn each_field_is_set_and_removed_by_its_own_call() {
    let app = on(Engine::Sqlite).without_workers().start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    let group = group(&app, "harbor").await;
    for (call, body, field) in [
        ("updateName", json!({"name": "Harbor Lines"}), "name"),
        ("updateOriginalCreationDate", json!({"originalCreationDate": "2019-05-01"}), "originalCreationDate"),
        ("updateNumberOfEmployees", json!({"numberOfEmployees": 41}), "numberOfEmployees"),
        ("updateNationalFlag", json!({"nationalFlag": true}), "nationalFlag"),
        ("updateFranchise", json!({"franchise": {"name": "Ship & Go", "number": "12"}}), "franchise"),
        ("updateServicing", json!({"servicing": {"associateId": "a-1", "note": "visits"}}), "servicing"),
        ("updateIndustryType", json!({"industryType": "484121"}), "industryType"),
        (
            "updateCommission",
            json!({"commission": {"model": "STANDARD", "payout": "ADVANCE", "strategy": "LEVEL"}}),
            "commission",
        ),
        (
            "updateEnrollmentConfig",
            json!({"enrollmentConfig": {"method": "FILE", "frequency": "EVERGREEN", "siteType": "NONE", "waitingDays": 30}}),
            "enrollmentConfig",
        ),
        (
            "updateCommunicationPreferences",
            json!({"communicationPreferences": {"locale": "es-US", "emailsEmployees": true}}),
            "communicationPreferences",
        ),
        ("updateLastInvoiceDate", json!({"lastInvoiceDate": "2026-02-01"}), "lastInvoiceDate"),
        ("updateLastProductionDate", json!({"lastProductionDate": "2026-02-01"}), "lastProductionDate"),
        (
            "updateBillingDeliveryPreference",
            json!({"billingDeliveryPreference": "MAIL_TEMP_REVIEW"}),
            "billingDeliveryPreference",
        ),
        (
            "updateParticipationEngagementNote",
            json!({"participationEngagementNote": "Slow."}),
            "participationEngagementNote",
        ),
        (
            "updateOpenEnrollmentInfo",
            json!({"openEnrollmentInfo": {"opensOn": "2026-11-01", "closesOn": "2026-11-30", "effectiveOn": "2027-01-01"}}),
            "openEnrollmentInfo",
        ),
        ("updateGemLevel", json!({"gemLevel": "RUBY"}), "gemLevel"),
        ("addBroker", json!({"broker": {"name": "Ida Ng", "licenseNumber": "TX-9", "licenseRegion": "TX"}}), "broker"),
        (
            "updateBroker",
            json!({"broker": {"name": "Ida Ng", "licenseNumber": "TX-10", "licenseRegion": "TX"}}),
            "broker",
        ),
    ] {
        let changed = staff.post(&path(&group, call), body.clone()).await.expect(200);
        let wanted = body[field].clone();
        let kept = |(name, value): (&String, &serde_json::Value)| changed[field][name] == *value;
        let is_there = wanted.as_object().map_or(changed[field] == wanted, |fields| fields.iter().all(kept));
        assert!(is_there, "{call}: {}", changed[field]);
    }
    let second = json!({"broker": {"name": "Bo Li", "licenseNumber": "TX-1", "licenseRegion": "TX"}});
    assert_eq!(staff.post(&path(&group, "addBroker"), second.clone()).await.reason(), "BROKER_THERE");
    for (call, field) in [
        ("removeFranchise", "franchise"),
        ("removeBroker", "broker"),
        ("removeParticipationEngagementNote", "participationEngagementNote"),
        ("removeOpenEnrollmentInfo", "openEnrollmentInfo"),
    ] {
        let changed = staff.post(&path(&group, call), json!({})).await.expect(200);
        assert!(changed[field].is_null() || changed[field] == "", "{call}: {changed}");
    }
    assert_eq!(staff.post(&path(&group, "updateBroker"), second).await.reason(), "BROKER_MISSING");
    app.finish().await;
}

#[tokio::test]
async fn a_draft_is_refused_at_its_field() {
    let app = on(Engine::Sqlite).without_workers().start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    for (field, value, place) in [
        ("countryIdentifier", json!("MEX"), "group.countryIdentifier"),
        ("effectiveDate", json!("2026-02-30"), "group.effectiveDate"),
        ("industryType", json!("12"), "group.industryType"),
        ("numberOfEmployees", json!(-1), "group.numberOfEmployees"),
        ("employerShares", json!([{"percent": 50}]), "group.employerShares"),
        (
            "payPeriods",
            json!([{"name": "Staff", "deductionsPerYear": 25, "firstPayDate": "2026-01-15"}]),
            "group.payPeriods[0].deductionsPerYear",
        ),
    ] {
        let mut wrong = draft("harbor");
        wrong[field] = value;
        let refused = staff.post(GROUPS, wrong).await;
        let fields = refused.fields().join(" ");
        let shown = fields.strip_prefix("group.").unwrap_or(&fields).to_owned();
        assert_eq!(refused.status.as_u16(), 400, "{field}: {}", refused.json);
        if field != "industryType" {
            assert_eq!(shown, place.trim_start_matches("group."), "{}", refused.json);
        }
    }
    app.finish().await;
}
