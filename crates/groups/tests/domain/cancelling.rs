//! A group that is cancelled: the plans through it are scheduled to end on its day, and taken back with it (rules 205, 402).

use pavise_testapp::{Engine, TestApp};
use serde_json::{Value, json};

use crate::scene::{group, machine, path};

/// A subscription through a group.
async fn subscription(app: &TestApp, group: &Value, member: &str) -> Value {
    let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}});
    let card = machine(app).post(&format!("/v1/identities/{member}/paymentMethods"), card).await.expect(200);
    let money = json!({"currency": "USD", "amount": 2995});
    let item = json!({"type": "PRODUCT", "productId": "legal", "name": "Legal", "price": money});
    let body = json!({"groupId": group["id"], "offerId": "plans", "billingPeriod": "MONTHLY", "items": [item],
        "paymentMethodId": card["id"], "startedOn": "2026-01-01"});
    machine(app).post(&format!("/v1/identities/{member}/subscriptions"), body).await.expect(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn plans_end_with_the_group_and_go_on_with_it() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).start().await.unwrap();
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
        let _ = staff.post(&path(&harbor, "pending"), json!({})).await.expect(200);
        until(Value::Null).await;
        app.finish().await;
    }
}
