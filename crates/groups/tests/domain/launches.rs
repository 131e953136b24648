//! A member founds a business: with its business and an ACTIVE plan a launch is ACTIVE (rule 211).

use pavise_testapp::{Engine, TestApp};
use serde_json::{Value, json};

use crate::scene::{machine, on};

async fn plan(app: &TestApp, member: &str) -> Value {
    let held = json!({"productId": "launch", "tierId": "one", "name": "Launch", "family": "bus", "provisionId": app.id(), "orderId": "order"});
    machine(app).post(&format!("/v1/identities/{member}/entitlements"), held).await.expect(200)["id"].clone()
}

async fn business(app: &TestApp, member: &str) -> Value {
    machine(app).post("/v1/businesses", json!({"identityId": member, "name": "Bakery"})).await.expect(200)["id"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_launch_is_active_once_its_business_and_an_active_plan_are_there() {
    for engine in Engine::BOTH {
        let app = on(engine).start().await.unwrap();
        let (me, other) = (app.id(), app.id());
        let member = app.rest(&TestApp::member(&me));
        let list = format!("/v1/identities/{me}/launches");
        let launch = member.post(&list, json!({"source": "LaunchByLS"})).await.expect(200);
        assert_eq!(launch["status"], "CREATED");
        let at = format!("{list}/{}", launch["id"].as_str().unwrap());
        let (foreign, foreign_plan) = (business(&app, &other).await, plan(&app, &other).await);
        let refused = member.post(&format!("{at}/changeBusiness"), json!({"businessId": foreign})).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["businessId"]));
        let refused = member.post(&format!("{at}/changeEntitlement"), json!({"entitlementId": foreign_plan})).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["entitlementId"]));
        assert_eq!(app.rest(&TestApp::member(&other)).get(&at).await.status.as_u16(), 403);

        let (mine, my_plan) = (business(&app, &me).await, plan(&app, &me).await);
        let plan_at = format!("/v1/identities/{me}/entitlements/{}", my_plan.as_str().unwrap());
        let _ = machine(&app).post(&format!("{plan_at}/suspend"), json!({})).await.expect(200);
        let _ = member.post(&format!("{at}/changeBusiness"), json!({"businessId": mine})).await.expect(200);
        let waits =
            member.post(&format!("{at}/changeEntitlement"), json!({"entitlementId": my_plan})).await.expect(200);
        assert_eq!(waits["status"], "CREATED", "the plan is suspended");
        let _ = machine(&app).post(&format!("{plan_at}/activate"), json!({})).await.expect(200);
        app.eventually("the launch", || async {
            (member.get(&at).await.expect(200)["status"] == "ACTIVE").then_some(())
        })
        .await;
        let late = member.post(&format!("{at}/changeBusiness"), json!({"businessId": mine})).await;
        assert_eq!(late.reason(), "STATUS_NOT_ALLOWED");
        assert_eq!(member.delete(&at).await.expect(200)["status"], "DELETED");
        let whole = json!({"businessId": mine, "entitlementId": my_plan});
        let second = member.post(&list, whole).await.expect(200);
        let at = format!("{list}/{}", second["id"].as_str().unwrap());
        app.eventually("the second launch", || async {
            (member.get(&at).await.expect(200)["status"] == "ACTIVE").then_some(())
        })
        .await;
        let moved = json!({"newOwnerId": other});
        assert_eq!(member.post(&format!("{at}/changeOwner"), moved.clone()).await.status.as_u16(), 403);
        let moved = machine(&app).post(&format!("{at}/changeOwner"), moved).await.expect(200);
        assert_eq!(moved["ownerId"], other.as_str());
        app.finish().await;
    }
}
