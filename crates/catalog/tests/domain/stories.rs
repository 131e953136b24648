//! Stories of catalog staff: a price is raised by date.

use std::time::Duration;

use pavise_testapp::{Engine, TestApp};
use serde_json::{Value, json};

use crate::scene::{OFFERS, id, offer, product, staff};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// The price of the family tier by the month.
fn price(cents: i32) -> Value {
    let money = json!({"currency": "USD", "amount": cents});
    json!({"billingPeriod": "MONTHLY", "initial": money, "renewal": money})
}

fn family(prices: &[Value]) -> Value {
    json!({"id": "family", "name": "Family", "coverage": "FAMILY", "prices": prices})
}

#[tokio::test]
async fn a_price_changes_on_the_first_and_the_old_one_stays_shut() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().still().start().await.unwrap();
        let rest = staff(&app);
        let mut new = product("legal");
        new["tiers"] = json!([family(&[price(3495)])]);
        let product_id = id(&rest.post("/v1/products", new).await.expect(200));
        let path = format!("/v1/products/{product_id}");
        let _ = rest.post(&format!("{path}/activate"), json!({})).await.expect(200);
        let offer_id = id(&rest.post(OFFERS, offer(&[&product_id])).await.expect(200));
        let _ = rest.post(&format!("{OFFERS}/{offer_id}/readyForSale"), json!({})).await.expect(200);

        let (mut old, mut raised) = (price(3495), price(3695));
        old["effectiveUntil"] = json!("2026-01-31");
        raised["effectiveFrom"] = json!("2026-02-01");
        // A token of its own for each change: days pass between them.
        let put = |prices: &[Value]| {
            let (rest, path, body) = (staff(&app), format!("{path}/updateTiers"), json!({"tiers": [family(prices)]}));
            async move { rest.post(&path, body).await }
        };
        let _ = put(&[old.clone(), raised.clone()]).await.expect(200);

        let choice = json!([{"productId": product_id, "tierId": "family"}]);
        let draft = json!({"channel": "BuyNow", "locality": "TX",
            "offers": [{"brand": "pavise", "offerId": offer_id, "selections": choice}]});
        let order = || {
            let (visitor, draft) = (app.visitor(), draft.clone());
            async move { visitor.post("/v1/orders", draft).await.expect(200) }
        };
        let costs = |order: &Value| order["totals"]["subtotal"]["amount"].as_str().unwrap().to_owned();
        let clock = app.clock.as_ref().unwrap();
        clock.move_forward(30 * DAY);
        let eve = order().await;
        assert_eq!(costs(&eve), "3495", "on 31 January");
        clock.move_forward(DAY);
        assert_eq!(costs(&order().await), "3695", "on 1 February");
        let kept = staff(&app).get(&format!("/v1/orders/{}", id(&eve))).await.expect(200);
        assert_eq!(costs(&kept), "3495", "the older order");

        let mut open = old.clone();
        open["effectiveUntil"] = json!("2026-12-31");
        for prices in [vec![open, raised.clone()], vec![raised.clone()], vec![old.clone(), price(3995)]] {
            let refused = put(&prices).await;
            assert!(["PRICE_IN_FORCE", "INVALID_FIELD"].contains(&refused.reason()), "{}", refused.json);
        }
        let mut reopened = price(3495);
        reopened["effectiveUntil"] = json!("2026-01-30");
        assert_eq!(put(&[reopened, raised]).await.reason(), "PRICE_IN_FORCE", "nor is it shut earlier");
        app.finish().await;
    }
}
