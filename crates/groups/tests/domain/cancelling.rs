//! A group that is cancelled: the plans through it are scheduled to end on its day, and taken back with it (rules 205, 402).

use pavise_testapp::{Engine, TestApp, stock};
use serde_json::{Value, json};

use crate::enrolling::employer;
use crate::scene::{group, machine, on, path};

/// A subscription through a group.
async fn subscription(app: &TestApp, group: &Value, member: &str) -> Value {
    let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}});
    let card = machine(app).post(&format!("/v1/identities/{member}/paymentMethods"), card).await.expect(200);
    let money = json!({"currency": "USD", "amount": 2995});
    let item = json!({"type": "PRODUCT", "productId": "legal", "name": "Legal", "price": money});
    let body = json!({"groupId": group["id"], "offerId": "plans", "billingPeriod": "MONTHLY", "items": [item],
        "paymentMethodId": card["id"], "startedOn": "2026-01-01", "nextBillOn": "2099-01-01"});
    machine(app).post(&format!("/v1/identities/{member}/subscriptions"), body).await.expect(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn plans_end_with_the_group_and_go_on_with_it() {
    for engine in Engine::BOTH {
        let app = on(engine).start().await.unwrap();
        let staff = app.rest(&TestApp::staff());
        let harbor = group(&app, "harbor").await;
        let member = app.id();
        let plan = subscription(&app, &harbor, &member).await;
        let listed = staff.get(&path(&harbor, "subscriptions")).await.expect(200);
        assert_eq!(listed["subscriptions"][0]["id"], plan["id"]);
        assert_eq!(staff.delete(&path(&harbor, "")).await.reason(), "GROUP_HAS_MEMBERS");

        let cancel = |reason: &str, day: &str| json!({"cancelReason": reason, "cancelledOn": day, "membersAfterCancel": "MAY_GO_ON"});
        for (reason, day, field) in
            [("NONE", "2099-06-30", "cancelReason"), ("COMPANY_OPTION", "2020-01-01", "cancelledOn")]
        {
            let refused = staff.post(&path(&harbor, "cancel"), cancel(reason, day)).await;
            assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec![field]));
        }
        let over = staff.post(&path(&harbor, "cancel"), cancel("COMPANY_OPTION", "2099-06-30")).await.expect(200);
        assert_eq!((&over["status"], &over["cancelledOn"]), (&json!("CANCELLED"), &json!("2099-06-30")));
        let at = format!("/v1/identities/{member}/subscriptions/{}", plan["id"].as_str().unwrap());
        let until = async |wanted: Value| {
            app.eventually("the end of the plan", || async {
                let plan = staff.get(&at).await.expect(200);
                (plan["scheduledCancelOn"] == wanted).then_some(plan)
            })
            .await
        };
        let scheduled = until(json!("2099-06-30")).await;
        assert_eq!((&scheduled["status"], &scheduled["cancelReason"]), (&json!("ACTIVE"), &json!("GROUP_CANCELLED")));
        // A plan that was bought before is set up at its first use, and ends with the group, too.
        let late = app.id();
        let late = format!(
            "/v1/identities/{late}/subscriptions/{}",
            subscription(&app, &harbor, &late).await["id"].as_str().unwrap()
        );
        let late = app
            .eventually("the end of the late plan", || async {
                let plan = staff.get(&late).await.expect(200);
                plan["scheduledCancelOn"].is_string().then_some(plan)
            })
            .await;
        assert_eq!((&late["scheduledCancelOn"], &late["mayContinue"]), (&json!("2099-06-30"), &json!(true)));
        let _ = staff.post(&path(&harbor, "pending"), json!({})).await.expect(200);
        until(Value::Null).await;
        app.finish().await;
    }
}

/// An entitlement that the subscription pays for, through the group.
async fn entitlement(app: &TestApp, group: &Value, member: &str, plan: &Value) -> Value {
    let held = json!({"productId": "legal", "name": "Legal", "subscriptionId": plan["id"], "groupId": group["id"]});
    machine(app).post(&format!("/v1/identities/{member}/entitlements"), held).await.expect(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_twelve_members_goes_on_at_their_own_cost() {
    for engine in Engine::BOTH {
        let app = on(engine).start().await.unwrap();
        let staff = app.rest(&TestApp::staff());
        stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
        let harbor = employer(&app, "harbor", json!({"payType": "FRINGE"})).await;
        let mut members = Vec::new();
        for _ in 0..12 {
            let member = app.id();
            let plan = subscription(&app, &harbor, &member).await;
            let held = entitlement(&app, &harbor, &member, &plan).await;
            let at = format!("/v1/identities/{member}/subscriptions/{}", plan["id"].as_str().unwrap());
            members.push((member, at, plan, held));
        }
        let (me, at, plan, held) = &members[0];
        let member = app.rest(&TestApp::member(me));
        let own = json!({"paymentMethodId": plan["paymentMethodId"]});
        let early = member.post(&format!("{at}/continue"), own.clone()).await;
        assert_eq!((early.status.as_u16(), early.reason()), (409, "SUBSCRIPTION_NOT_CONTINUABLE"));

        let cancel =
            json!({"cancelReason": "COMPANY_OPTION", "cancelledOn": "2099-07-01", "membersAfterCancel": "MAY_GO_ON"});
        let _ = staff.post(&path(&harbor, "cancel"), cancel).await.expect(200);
        app.eventually("the end of all twelve", || async {
            let plans = staff.get(&path(&harbor, "subscriptions?pageSize=50")).await.expect(200);
            let plans = plans["subscriptions"].as_array().unwrap();
            let ends = |plan: &&Value| plan["scheduledCancelOn"] == "2099-07-01" && plan["mayContinue"] == true;
            (plans.iter().filter(ends).count() == 12).then_some(())
        })
        .await;

        // Nobody goes on for others, or with the card of others.
        let (other, ..) = &members[1];
        let refused = app.rest(&TestApp::member(other)).post(&format!("{at}/continue"), own.clone()).await;
        assert_eq!(refused.status.as_u16(), 403);
        let foreign = json!({"paymentMethodId": members[1].2["paymentMethodId"]});
        let refused = member.post(&format!("{at}/continue"), foreign).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (404, "NOT_FOUND"));

        let goes_on = member.post(&format!("{at}/continue"), own.clone()).await.expect(200);
        assert_eq!(
            (&goes_on["status"], &goes_on["paidToDate"], &goes_on["nextBillOn"], &goes_on["billCycleDay"]),
            (&json!("ACTIVE"), &json!("2099-06-30"), &json!("2099-07-01"), &json!(1))
        );
        assert_eq!((&goes_on["groupId"], &goes_on["mayContinue"]), (&json!(""), &json!(false)));
        for gone in ["scheduledCancelOn", "cancelReason", "employerPaysUntil"] {
            assert!(goes_on[gone].is_null(), "{gone}: {goes_on}");
        }
        let held_at = format!("/v1/identities/{me}/entitlements/{}", held["id"].as_str().unwrap());
        let kept = app
            .eventually("the entitlement leaves the group", || async {
                let held = member.get(&held_at).await.expect(200);
                (held["groupId"] == "").then_some(held)
            })
            .await;
        assert_eq!((&kept["status"], &kept["endsOn"]), (&json!("ACTIVE"), &Value::Null));
        let again = member.post(&format!("{at}/continue"), own).await;
        assert_eq!(again.reason(), "SUBSCRIPTION_NOT_CONTINUABLE");

        // The group comes back: who went on stays out of it.
        let _ = staff.post(&path(&harbor, "pending"), json!({})).await.expect(200);
        app.eventually("the others go on with the group", || async {
            let plans = staff.get(&path(&harbor, "subscriptions?pageSize=50")).await.expect(200);
            let plans = plans["subscriptions"].as_array().unwrap();
            let goes_on = |plan: &&Value| plan["scheduledCancelOn"].is_null() && plan["mayContinue"] == false;
            (plans.len() == 11 && plans.iter().filter(goes_on).count() == 11).then_some(())
        })
        .await;
        app.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_name_no_group_that_is_not_active_on_a_subscription() {
    let app = on(Engine::Sqlite).start().await.unwrap();
    let (staff, pending) = (app.rest(&TestApp::staff()), group(&app, "harbor").await);
    let member = machine(&app).post("/v1/identities", json!({"realm": "User", "emails": ["ada@example.com"]})).await;
    let member = member.expect(200)["id"].as_str().unwrap().to_owned();
    let money = json!({"currency": "USD", "amount": 2995});
    let item = json!({"type": "PRODUCT", "productId": "legal", "name": "Legal", "price": money});
    for group in [json!("nothing"), pending["id"].clone()] {
        let body = json!({"groupId": group, "offerId": "plans", "billingPeriod": "MONTHLY", "items": [item]});
        let refused = staff.post(&format!("/v1/identities/{member}/subscriptions"), body).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["groupId"]), "{group}");
    }
    app.finish().await;
}
