//! Products are edited part by part: several parts in one call, all or none, with one journal entry.

use pavise_testapp::{Engine, Rest, TestApp};
use serde_json::{Value, json};

use crate::scene::{actions, document, id, product, staff};

/// The calls of one kind of part.
struct Kind {
    /// The end of the calls' names: `Tiers`.
    name: &'static str,
    /// The product's list, or that of its first contract.
    list: &'static str,
    /// The request field with the parts, and with the keys of a removal.
    fields: (&'static str, &'static str),
    /// Three parts, and another content for the second.
    parts: [Value; 3],
    changed: Value,
    /// The field of a part that is its key.
    key: &'static str,
}

fn text(text: &str) -> Value {
    json!([{"locale": "en-US", "text": text}])
}

/// The kinds. `documents` are the old and the new one of contracts.
fn kinds(documents: &[String; 2]) -> Vec<Kind> {
    let document = |word: &str| if word == "old" { &documents[0] } else { &documents[1] };
    let tier = |id: &str, name: &str| json!({"id": id, "name": name, "coverage": "FAMILY"});
    let supplement = |id: &str, name: &str| json!({"id": id, "name": name});
    let benefit = |id: &str, summary: &str| json!({"id": id, "summaries": text(summary)});
    let contract = |id: &str, word: &str| json!({"id": id, "type": "AMENDMENT", "documentId": document(word)});
    let category = |id: &str, name: &str| json!({"id": id, "names": text(name)});
    let name = |locale: &str, text: &str| json!({"locale": locale, "text": text});
    let restriction = |region: &str, kind: &str| json!({"region": region, "type": kind});
    let variant = |region: &str, word: &str| json!({"region": region, "documentId": document(word)});
    let kind = |name, list, fields, key, parts, changed| Kind { name, list, fields, parts, changed, key };
    let ids = |make: &dyn Fn(&str, &str) -> Value| (["a", "b", "c"].map(|id| make(id, "old")), make("b", "new"));
    let regions = ["TX", "NY", "ON"];
    let (tiers, tier) = ids(&tier);
    let (supplements, supplement) = ids(&supplement);
    let (benefits, benefit) = ids(&benefit);
    let (contracts, contract) = ids(&contract);
    let (categories, category) = ids(&category);
    vec![
        kind("Tiers", "tiers", ("tiers", "tierIds"), "id", tiers, tier),
        kind("Supplements", "supplements", ("supplements", "supplementIds"), "id", supplements, supplement),
        kind("Benefits", "benefits", ("benefits", "benefitIds"), "id", benefits, benefit),
        kind("Contracts", "contracts", ("contracts", "contractIds"), "id", contracts, contract),
        kind("Categories", "categories", ("categories", "categoryIds"), "id", categories, category),
        kind(
            "FriendlyNames",
            "friendlyNames",
            ("friendlyNames", "locales"),
            "locale",
            ["en-US", "es-US", "fr-CA"].map(|locale| name(locale, "old")),
            name("es-US", "new"),
        ),
        kind(
            "Restrictions",
            "restrictions",
            ("restrictions", "regions"),
            "region",
            regions.map(|region| restriction(region, "ALLOWED")),
            restriction("NY", "NOT_ALLOWED"),
        ),
        kind(
            "StateVariants",
            "variants",
            ("stateVariants", "regions"),
            "region",
            regions.map(|region| variant(region, "old")),
            variant("NY", "new"),
        ),
    ]
}

/// A product with a contract, whose parts are edited.
struct Edited<'r> {
    rest: &'r Rest,
    path: String,
}

impl Edited<'_> {
    /// Makes a call, and answers the list that it edits, with ids taken out where another field is the key.
    async fn edit(&self, kind: &Kind, verb: &str, field: &str, values: Value) -> Result<Value, (String, Vec<String>)> {
        let request = json!({"contractId": "membership", field: values});
        let request = if kind.name == "StateVariants" { request } else { json!({field: request[field]}) };
        let answer = self.rest.post(&format!("{}/{verb}{}", self.path, kind.name), request).await;
        if answer.status.as_u16() != 200 {
            return Err((answer.reason().to_owned(), answer.fields().into_iter().map(str::to_owned).collect()));
        }
        let product = answer.json;
        let mut list = match kind.list {
            "variants" => product["contracts"][0]["variants"].clone(),
            list => product[list].clone(),
        };
        // The product begins with a tier and a contract.
        if let Some(parts) = list.as_array_mut() {
            parts.retain(|part| !["individual", "membership"].contains(&part["id"].as_str().unwrap()));
            let ids: Vec<Value> = parts.iter().map(|part| part["id"].clone()).collect();
            let is_repeated = ids.iter().enumerate().any(|(at, id)| ids[..at].contains(id));
            assert!(!is_repeated && ids.iter().all(|id| id != ""), "{ids:?}");
        }
        Ok(list)
    }
}

/// The parts of an answer that hold the fields of what was given.
fn hold(answer: &Value, given: &[&Value]) -> bool {
    let answer = answer.as_array().map(Vec::as_slice).unwrap_or_default();
    let holds =
        |(part, given): (&Value, &&Value)| given.as_object().unwrap().iter().all(|(name, value)| part[name] == *value);
    answer.len() == given.len() && answer.iter().zip(given).all(holds)
}

#[tokio::test]
async fn parts_of_every_kind_are_added_replaced_and_removed() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let mut new = product("legal");
        let documents = [document(&app, "old.pdf").await, document(&app, "new.pdf").await];
        new["contracts"] = json!([{"id": "membership", "type": "CONTRACT", "documentId": documents[0]}]);
        let path = format!("/v1/products/{}", id(&rest.post("/v1/products", new).await.expect(200)));
        let product = Edited { rest: &rest, path };
        let (_, mut clock) = actions(&rest, "products", 0).await;
        for kind in kinds(&documents) {
            let (name, [first, second, third], (field, keys)) = (kind.name, &kind.parts, kind.fields);
            let refused = |reason: &str, fields: &[&str]| {
                Err((reason.to_owned(), fields.iter().map(|&field| field.to_owned()).collect::<Vec<_>>()))
            };
            let added = product.edit(&kind, "add", field, json!([first, second])).await.unwrap();
            assert!(hold(&added, &[first, second]), "{name}: {added}");
            let again = product.edit(&kind, "add", field, json!([third, second, third])).await;
            let paths = [1, 2].map(|at| format!("{field}[{at}].{}", kind.key));
            assert_eq!(
                again,
                refused("ITEM_EXISTS", &[&paths[0], &paths[1]]),
                "{name}: the second is there, the third is named twice"
            );
            let changed = product.edit(&kind, "update", field, json!([kind.changed])).await.unwrap();
            assert!(hold(&changed, &[first, &kind.changed]), "{name}: {changed}");
            let unknown = product.edit(&kind, "update", field, json!([kind.changed, third])).await;
            assert_eq!(unknown, refused("ITEM_NOT_FOUND", &[&paths[0]]), "{name}");
            let missing = product.edit(&kind, "remove", keys, json!([first[kind.key], third[kind.key]])).await;
            assert_eq!(missing, refused("ITEM_NOT_FOUND", &[&format!("{keys}[1]")]), "{name}");
            let left = product.edit(&kind, "remove", keys, json!([first[kind.key]])).await.unwrap();
            assert!(hold(&left, &[&kind.changed]), "{name}: {left}");
            let unchanged = product.edit(&kind, "add", field, json!([])).await.unwrap();
            assert_eq!(unchanged, left, "{name}");
            let (written, next) = actions(&rest, "products", clock).await;
            assert_eq!(written, ["UPDATED"; 3], "{name}: one entry for each edit, and none for a refused one");
            clock = next;
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn areas_of_law_are_added_replaced_and_removed() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let path = format!("/v1/products/{}", id(&rest.post("/v1/products", product("legal")).await.expect(200)));
    let edit = |verb: &'static str, areas: Value| {
        let (rest, path) = (rest.clone(), format!("{path}/{verb}AreasOfLaw"));
        async move { rest.post(&path, json!({"areaOfLawIds": areas})).await }
    };
    assert_eq!(edit("add", json!(["FL", "BK"])).await.expect(200)["areaOfLawIds"], json!(["FL", "BK"]));
    assert_eq!(edit("add", json!(["IM", "FL"])).await.fields(), ["areaOfLawIds[1]"]);
    assert_eq!(edit("remove", json!(["IM"])).await.fields(), ["areaOfLawIds[0]"]);
    assert_eq!(edit("remove", json!(["FL"])).await.expect(200)["areaOfLawIds"], json!(["BK"]));
    assert_eq!(edit("update", json!(["IM", "CU"])).await.expect(200)["areaOfLawIds"], json!(["IM", "CU"]));
    assert_eq!(edit("update", json!(["IM", "IM"])).await.fields(), ["areaOfLawIds[1]"]);
    app.finish().await;
}

#[tokio::test]
async fn the_rules_of_a_product_name_the_fields_of_the_request() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let path = format!("/v1/products/{}", id(&rest.post("/v1/products", product("legal")).await.expect(200)));
    let price = &product("legal")["tiers"][0]["prices"][0];
    let tiers = json!([{"name": "No id", "coverage": "FAMILY"}, {"name": "Twice", "coverage": "FAMILY", "prices": [price, price]}]);
    let refused = rest.post(&format!("{path}/addTiers"), json!({"tiers": tiers})).await;
    assert_eq!((refused.reason(), refused.fields()), ("INVALID_FIELD", vec!["tiers[1].prices[1]"]));
    assert_eq!(rest.get(&path).await.expect(200)["tiers"].as_array().unwrap().len(), 1);
    let in_use = json!({"supplements": [{"id": "guns", "name": "Guns", "tierIds": ["individual"]}]});
    let _ = rest.post(&format!("{path}/addSupplements"), in_use).await.expect(200);
    let removed = rest.post(&format!("{path}/removeTiers"), json!({"tierIds": ["individual"]})).await;
    assert_eq!(removed.fields(), ["supplements[0].tierIds[0]"], "the product's own place: the request has none");
    let texan = document(&app, "texas.pdf").await;
    let elsewhere = json!({"contractId": "none", "stateVariants": [{"region": "TX", "documentId": texan}]});
    assert_eq!(rest.post(&format!("{path}/addStateVariants"), elsewhere).await.fields(), ["contractId"]);
    let nameless = json!({"restrictions": [{"type": "ALLOWED"}]});
    assert_eq!(rest.post(&format!("{path}/addRestrictions"), nameless).await.fields(), ["restrictions[0].region"]);
    app.finish().await;
}

#[tokio::test]
async fn one_call_edits_fifty_parts_and_a_product_has_a_hundred_benefits() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let path = format!("/v1/products/{}", id(&rest.post("/v1/products", product("legal")).await.expect(200)));
    let add = |count: usize| {
        let benefits = vec![json!({"summaries": text("help")}); count];
        let (rest, path) = (rest.clone(), format!("{path}/addBenefits"));
        async move { rest.post(&path, json!({"benefits": benefits})).await }
    };
    assert_eq!(add(51).await.fields(), ["benefits"]);
    let _ = add(50).await.expect(200);
    let full = add(50).await.expect(200);
    let ids: std::collections::BTreeSet<&str> =
        full["benefits"].as_array().unwrap().iter().map(|benefit| benefit["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 100, "each got an id of its own");
    assert_eq!(add(1).await.fields(), ["benefits"]);
    app.finish().await;
}

#[tokio::test]
async fn a_version_stays_as_it_was_frozen() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let product_id = id(&rest.post("/v1/products", product("legal")).await.expect(200));
        let path = format!("/v1/products/{product_id}");
        let first = rest.post(&format!("{path}/activate"), json!({})).await.expect(200);
        assert_eq!((&first["productVersion"], &first["version"]), (&json!(1), &json!("2")));
        let benefits = json!({"benefits": [{"id": "help", "summaries": text("help")}]});
        let _ = rest.post(&format!("{path}/addBenefits"), benefits).await.expect(200);
        let second = rest.post(&format!("{path}/versionProduct"), json!({})).await.expect(200);
        for (number, expected) in [(1, &first), (2, &second)] {
            let frozen = rest.get(&format!("{path}/productVersion/{number}")).await.expect(200);
            assert_eq!(frozen["product"], *expected, "version {number}");
            assert_eq!((&frozen["productId"], &frozen["productVersion"]), (&json!(product_id), &json!(number)));
        }
        assert_eq!(rest.get(&format!("{path}/productVersion/3")).await.reason(), "NOT_FOUND");
        assert_eq!(rest.get(&format!("{path}/productVersion/0")).await.fields(), ["version"]);
        assert_eq!(app.visitor().get(&format!("{path}/productVersion/1")).await.reason(), "TOKEN_MISSING");
        let (written, _) = actions(&rest, "products", 1).await;
        assert_eq!(
            written,
            ["ACTIVATED", "ACTIVATED", "UPDATED", "VERSIONED", "VERSIONED"],
            "the copy and the product"
        );
        app.finish().await;
    }
}
