//! Carts and payment methods that belong to nobody, over REST: their ids, page tokens and what others see of them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_testapp::{Engine, Rest, TestApp, stock};
use serde_json::{Value, json};

const ADDRESS: &str = "visitor-of-today@example.com";

async fn visit(rest: &Rest) -> Value {
    let offer = json!({
        "brand": "pavise",
        "offerId": "20000000-0000-4000-8000-000000000001",
        "selections": [{"productId": "10000000-0000-4000-8000-000000000001", "tierId": "individual"}],
    });
    let buyer = json!({"firstName": "Vi", "lastName": "Leery", "email": ADDRESS});
    let order = json!({"channel": "BuyNow", "locality": "TX", "offers": [offer], "personalInfo": buyer});
    rest.post("/v2/orders", order).await.expect(200)
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_cart_is_reached_by_its_id_and_no_page_gives_that_away() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
        let (visitor, member) = (app.visitor(), app.rest(&TestApp::member("mallory")));
        let admin = app.rest(&TestApp::group_admin("ann", &["acme"]));
        let carts = [visit(&visitor).await, visit(&visitor).await, visit(&visitor).await];
        let id = text(&carts[1], "id");
        let path = format!("/v2/orders/{id}");
        let _ = visitor.get(&path).await.expect(200);

        // An administrator's searches, and members' lists, have no cart and no token.
        for search in [json!({"pageSize": 1}), json!({"text": "leery", "pageSize": 1}), json!({"email": "visitor"})] {
            let page = admin.post("/v2/orders/search", search).await.expect(200);
            assert_eq!(
                (page["orders"].as_array().map(Vec::len), text(&page, "nextPageToken")),
                (Some(0), ""),
                "{page}"
            );
        }
        let page = member.get("/v2/identities/mallory/orders?showTotal=true").await.expect(200);
        assert_eq!((page["orders"].as_array().map(Vec::len), &page["totalSize"]), (Some(0), &json!(0)));

        // A token of staff, who see the carts, tells nothing, and is good for that caller and that search alone.
        let (staff, other) = (
            app.rest(&TestApp::staff()),
            TestApp::with_permissions(pavise_kernel::caller::Realm::Internal, "other", &["*"]),
        );
        let search = |token: &str| json!({"text": "leery", "pageSize": 1, "pageToken": token});
        let page = staff.post("/v2/orders/search", search("")).await.expect(200);
        let token = text(&page, "nextPageToken").to_owned();
        let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        for readable in ["leery", "visitor", "example.com"].into_iter().chain(carts.iter().map(|cart| text(cart, "id")))
        {
            let found = bytes.windows(readable.len()).any(|part| part.eq_ignore_ascii_case(readable.as_bytes()));
            assert!(!found, "{readable} is in the token");
        }
        let mut changed = bytes.clone();
        changed[40] ^= 1;
        let guess = format!("{}0\0leery\0{id}", "0".repeat(16));
        for forged in [URL_SAFE_NO_PAD.encode(&changed), URL_SAFE_NO_PAD.encode(&guess), "bm90IG91cnM".to_owned()] {
            let refused = staff.post("/v2/orders/search", search(&forged)).await;
            assert_eq!((refused.status.as_u16(), refused.reason()), (400, "INVALID_PAGE_TOKEN"));
        }
        for rest in [app.rest(&other), app.rest(&TestApp::group_admin("ann", &["acme"]))] {
            let refused = rest.post("/v2/orders/search", search(&token)).await;
            assert_eq!((refused.status.as_u16(), refused.reason()), (400, "INVALID_PAGE_TOKEN"));
        }
        let elsewhere = json!({"text": "leer", "pageSize": 1, "pageToken": token});
        assert_eq!(staff.post("/v2/orders/search", elsewhere).await.reason(), "INVALID_PAGE_TOKEN");
        let _ = staff.post("/v2/orders/search", search(&token)).await.expect(200);

        // A neighbouring id finds nothing; the right one is good until somebody claims the cart.
        let neighbour = format!("{}{}", &id[..id.len() - 1], if id.ends_with('0') { '1' } else { '0' });
        for (guess, status) in [(neighbour.as_str(), 404), (&id[..18], 404), (id, 200)] {
            assert_eq!(visitor.get(&format!("/v2/orders/{guess}")).await.status, status, "{guess}");
        }
        let _ = member.post(&format!("{path}/assignOwner?identityId=mallory"), json!({})).await.expect(200);
        for rest in [&visitor, &app.rest(&TestApp::member("alice"))] {
            assert_eq!(rest.get(&path).await.status, 404);
            assert_eq!(rest.delete(&path).await.status, 404);
            assert_eq!(rest.put(&format!("{path}/offers"), json!({"offers": []})).await.status, 404);
        }
        let _ = member.get(&path).await.expect(200);
        app.finish().await;
    }
}
