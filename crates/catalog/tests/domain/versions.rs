//! Versions of products (rules 172, 216): frozen at the first activation, on demand, and when an offer goes on sale.

use pavise_testapp::{Engine, Rest, TestApp};
use serde_json::{Value, json};

use crate::scene::{OFFERS, actions, active_product, id, offer, product, staff};

/// A kept benefit, active, with a waiting time.
async fn benefit(rest: &Rest, name: &str) -> String {
    let new = json!({"name": name, "internalName": name, "waitingDays": 30});
    let made = id(&rest.post("/v1/benefits", new).await.expect(200));
    let _ = rest.post(&format!("/v1/benefits/{made}/activate"), json!({})).await.expect(200);
    let fact = format!("/v1/benefits/{made}/updateProvisioningMetaData?key=sku&value=7");
    let _ = rest.post(&fact, json!({})).await.expect(200);
    made
}

/// The number of the newest version in an answer.
fn newest(answer: &Value) -> i64 {
    answer["productVersion"].as_i64().unwrap()
}

async fn version(rest: &Rest, path: &str) -> Value {
    rest.post(&format!("{path}/versionProduct"), json!({})).await.expect(200)
}

#[tokio::test]
async fn the_first_activation_freezes_version_1() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let path = format!("/v1/products/{}", id(&rest.post("/v1/products", product("legal")).await.expect(200)));
        assert_eq!(newest(&rest.get(&path).await.expect(200)), 0);
        let dry = rest.clone().with("pavise-validate-only", "true");
        assert_eq!(newest(&dry.post(&format!("{path}/activate"), json!({})).await.expect(200)), 1);
        assert_eq!(rest.get(&format!("{path}/productVersion/1")).await.reason(), "NOT_FOUND");
        let active = rest.post(&format!("{path}/activate"), json!({})).await.expect(200);
        assert_eq!(newest(&active), 1);
        assert_eq!(rest.get(&format!("{path}/productVersion/1")).await.expect(200)["product"], active);
        for call in ["deactivate", "activate"] {
            assert_eq!(newest(&rest.post(&format!("{path}/{call}"), json!({})).await.expect(200)), 1, "{call}");
        }
        let written = actions(&rest, "products", 0).await.0;
        let expected = ["CREATED", "ACTIVATED", "ACTIVATED", "DEACTIVATED", "ACTIVATED"];
        assert_eq!(written, expected, "the copy has an entry of its own");
        app.finish().await;
    }
}

#[tokio::test]
async fn a_version_is_made_only_of_what_changed() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let draft = format!("/v1/products/{}", id(&rest.post("/v1/products", product("draft")).await.expect(200)));
        assert_eq!(newest(&version(&rest, &draft).await), 1, "before it is sold");
        let _ = rest.post(&format!("{draft}/activate"), json!({})).await.expect(200);
        assert_eq!(newest(&version(&rest, &draft).await), 1, "activation found it frozen");

        let path = format!("/v1/products/{}", active_product(&rest, "legal").await);
        let known = rest.get(&path).await.expect(200);
        let (_, clock) = actions(&rest, "products", 0).await;
        assert_eq!(version(&rest, &path).await, known, "the newest is answered");
        assert!(actions(&rest, "products", clock).await.0.is_empty());
        let _ = rest.post(&format!("{path}/deactivate"), json!({})).await.expect(200);
        assert_eq!(newest(&version(&rest, &path).await), 1, "it is no other product off sale");
        let made = benefit(&rest, "will").await;
        let benefits = json!({"benefits": [{"id": "will", "benefitId": made}]});
        let _ = rest.post(&format!("{path}/addBenefits"), benefits).await.expect(200);
        assert_eq!(newest(&version(&rest, &path).await), 2);
        assert_eq!(newest(&version(&rest, &path).await), 2);
        let longer = json!({"name": "will", "internalName": "will", "waitingDays": 60});
        let _ = rest.put(&format!("/v1/benefits/{made}"), longer).await.expect(200);
        assert_eq!(newest(&version(&rest, &path).await), 3, "a benefit promises something else");
        for (number, days) in [(2, 30), (3, 60)] {
            let frozen = rest.get(&format!("{path}/productVersion/{number}")).await.expect(200);
            assert_eq!(frozen["benefits"][0]["waitingDays"], days, "version {number}");
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn an_offer_notes_the_versions_that_were_approved() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let (same, other) = (active_product(&rest, "same").await, active_product(&rest, "other").await);
        let path = format!("{OFFERS}/{}", id(&rest.post(OFFERS, offer(&[&same, &other])).await.expect(200)));
        let change = |taxable: bool| {
            let mut changed = product("other");
            changed["taxable"] = json!(taxable);
            changed["productGroup"] = json!(format!("group-{taxable}"));
            let (rest, path) = (rest.clone(), format!("/v1/products/{other}"));
            async move { rest.put(&path, changed).await.expect(200) }
        };
        let noted = |first: i32, second: i32| json!([{"productId": same, "productVersion": first}, {"productId": other, "productVersion": second}]);
        let _ = change(true).await;
        let dry = rest.clone().with("pavise-validate-only", "true");
        let tried = dry.post(&format!("{path}/readyForSale"), json!({})).await.expect(200);
        assert_eq!(tried["productVersions"], noted(1, 2));
        assert_eq!(newest(&rest.get(&format!("/v1/products/{other}")).await.expect(200)), 1, "a dry run");
        assert_eq!(rest.get(&path).await.expect(200)["productVersions"], json!([]));
        let sold = rest.post(&format!("{path}/readyForSale"), json!({})).await.expect(200);
        assert_eq!((&sold["status"], &sold["productVersions"]), (&json!("AVAILABLE_FOR_SALE"), &noted(1, 2)));
        assert_eq!(newest(&rest.get(&format!("/v1/products/{other}")).await.expect(200)), 2);
        let _ = change(false).await;
        assert_eq!(rest.get(&path).await.expect(200)["productVersions"], noted(1, 2), "nobody approved that yet");
        let enrollable = rest.post(&format!("{path}/makeEnrollable"), json!({})).await.expect(200);
        assert_eq!(enrollable["productVersions"], noted(1, 3));
        app.finish().await;
    }
}

#[tokio::test]
async fn members_read_the_version_that_they_bought_after_the_next_drops_a_benefit() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let (will, travel) = (benefit(&rest, "will").await, benefit(&rest, "travel").await);
        let mut new = product("legal");
        new["featureKeys"] = json!(["gunOwners"]);
        new["benefits"] = json!([{"id": "will", "benefitId": will}, {"id": "travel", "benefitId": travel}]);
        let path = format!("/v1/products/{}", id(&rest.post("/v1/products", new).await.expect(200)));
        let member = app.rest(&TestApp::member("anna"));
        let _ = version(&rest, &path).await;
        assert_eq!(member.get(&format!("{path}/productVersion/1")).await.reason(), "NOT_FOUND", "it was never sold");
        let _ = rest.get(&format!("{path}/productVersion/1")).await.expect(200);
        let _ = rest.post(&format!("{path}/activate"), json!({})).await.expect(200);
        let drop = json!({"benefitIds": ["travel"]});
        let _ = rest.post(&format!("{path}/removeBenefits"), drop).await.expect(200);
        assert_eq!(newest(&version(&rest, &path).await), 2);
        let admin = app.rest(&TestApp::group_admin("carol", &["globex"]));
        for (reader, staff) in [(&member, false), (&admin, false), (&rest, true)] {
            for (number, names) in [(1, vec!["will", "travel"]), (2, vec!["will"])] {
                let seen = reader.get(&format!("{path}/productVersion/{number}")).await.expect(200);
                let benefits = seen["benefits"].as_array().unwrap();
                assert_eq!(benefits.iter().map(|one| one["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
                assert_eq!(seen["product"]["benefits"].as_array().unwrap().len(), names.len());
                let text = seen.to_string();
                assert_eq!((text.contains("gunOwners"), text.contains("sku")), (staff, staff), "{text}");
            }
        }
        assert_eq!(app.visitor().get(&format!("{path}/productVersion/1")).await.reason(), "TOKEN_MISSING");
        let _ = rest.post(&format!("{path}/deactivate"), json!({})).await.expect(200);
        let _ = rest.delete(&path).await.expect(200);
        let _ = member.get(&format!("{path}/productVersion/1")).await.expect(200);
        app.finish().await;
    }
}
