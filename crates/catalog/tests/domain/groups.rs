//! The groups through which offers are sold.

use pavise_testapp::{Engine, TestApp};
use serde_json::{Value, json};

use crate::scene::{NOBODY, OFFERS, active_product, end_group, group, id, offer, open_group, staff};

fn offer_of(product: &str, groups: &[&str]) -> Value {
    let mut draft = offer(&[product]);
    draft["channel"] = json!("GROUP");
    draft["country"] = json!("USA");
    draft["groupIds"] = json!(groups);
    draft
}

#[tokio::test]
async fn an_offer_names_groups_that_can_sell_it() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let product = active_product(&rest, "legal").await;
        for id in ["acme", "globex"] {
            group(&app, id).await;
        }
        let refused = rest.post(OFFERS, offer_of(&product, &[NOBODY, "acme", "nothing"])).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (400, "INVALID_FIELD"));
        assert_eq!(refused.fields(), ["offer.groupIds[0]", "offer.groupIds[2]"]);
        let path = format!("{OFFERS}/{}", id(&rest.post(OFFERS, offer_of(&product, &["acme"])).await.expect(200)));

        end_group(&app, "acme").await;
        let mut same = offer_of(&product, &["acme"]);
        same["market"] = json!("employer");
        let kept = rest.put(&path, same).await.expect(200);
        assert_eq!(kept["market"], "employer", "only what a change adds is asked about");
        let more = rest.put(&path, offer_of(&product, &["acme", "globex"])).await.expect(200);
        assert_eq!(more["groupIds"], json!(["acme", "globex"]));
        let unknown = rest.put(&path, offer_of(&product, &["acme", "globex", "nothing"])).await;
        assert_eq!(unknown.fields(), ["offer.groupIds[2]"]);
        let ended = rest.post(OFFERS, offer_of(&product, &["acme"])).await;
        assert_eq!(ended.fields(), ["offer.groupIds[0]"], "it ended");

        let migrate =
            |groups: &[&str]| json!({"id": "old-17", "status": "ENROLLABLE", "offer": offer_of(&product, groups)});
        let call = format!("{OFFERS}/migrate");
        assert_eq!(rest.post(&call, migrate(&["nothing"])).await.fields(), ["offer.groupIds[0]"]);
        let _ = rest.post(&call, migrate(&["globex"])).await.expect(200);
        end_group(&app, "globex").await;
        let _ = rest.post(&call, migrate(&["globex"])).await.expect(200);
        app.finish().await;
    }
}

#[tokio::test]
async fn an_offer_is_bought_through_a_group_while_that_is_active() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    for id in ["acme", "globex"] {
        group(&app, id).await;
    }
    let own = id(&rest.post(OFFERS, offer_of(&product, &["acme"])).await.expect(200));
    let other = id(&rest.post(OFFERS, offer_of(&product, &[])).await.expect(200));
    for offer in [&own, &other] {
        let _ = rest.post(&format!("{OFFERS}/{offer}/makeEnrollable"), json!({})).await.expect(200);
    }
    let price = async |offer: &str, group: &str| {
        let choice = json!({"selections": [{"productId": product, "tierId": "individual"}], "groupId": group,
            "locality": "TX"});
        let answer = app.visitor().post(&format!("{OFFERS}/{offer}/validateSelections"), choice).await.expect(200);
        let problems = answer["problems"].as_array().unwrap().iter();
        problems.map(|problem| problem["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(price(&own, "acme").await, ["GROUP_NOT_ALLOWED"], "the group is PENDING");
    open_group(&app, "acme", &[&other]).await;
    assert_eq!(price(&own, "acme").await, [""; 0], "the offer names the group");
    assert_eq!(price(&other, "acme").await, [""; 0], "the group names the offer");
    for group in ["globex", "nothing"] {
        assert_eq!(price(&own, group).await, ["GROUP_NOT_ALLOWED"], "{group}");
    }
    end_group(&app, "acme").await;
    for offer in [&own, &other] {
        assert_eq!(price(offer, "acme").await, ["GROUP_NOT_ALLOWED"], "the group is CANCELLED");
    }
    app.finish().await;
}
