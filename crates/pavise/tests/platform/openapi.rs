//! The OpenAPI document describes the server: it has every route, valid references and valid examples, and a running
//! platform answers as it says.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::body::{Body, to_bytes};
use http::{Method, Request, StatusCode};
use pavise_contract::Contract;
use pavise_openapi::Source;
use pavise_testapp::{Answer, Rest, TestApp, stock};
use serde_json::{Value, json};
use tower::ServiceExt as _;

mod schema;

use schema::problem;

/// The document of all services. It takes seconds, so that the tests share one.
static WHOLE: LazyLock<Value> = LazyLock::new(|| pavise::openapi::document(None).unwrap());

/// The document of each service that has paths: two services may have one path, on hosts of their own.
static BY_SERVICE: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let pool = pavise::domains::pool(true).unwrap();
    let contract = Contract::read(&pool).unwrap();
    let precedence = pavise::domains::precedence();
    let source = Source { pool: &pool, contract: &contract, precedence: &precedence, version: "1" };
    let names = contract.services.iter().map(|service| service.name.clone());
    names.filter_map(|name| Some((name.clone(), pavise_openapi::document(&source, Some(&name))?))).collect()
});

/// The value at a reference, or the value itself.
fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(path) => document.pointer(path.trim_start_matches('#')).unwrap_or(&Value::Null),
        None => value,
    }
}

/// Every object and list below a value, with where it stands.
fn walk<'v>(value: &'v Value, at: &str, seen: &mut impl FnMut(&str, &'v Value)) {
    seen(at, value);
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, inner)| walk(inner, &format!("{at}/{name}"), seen)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, inner)| walk(inner, &format!("{at}/{index}"), seen))
        }
        _ => {}
    }
}

/// `/v1/orders/{order_id}` and `/v1/orders/{orderId}` are the same path.
fn shape(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn every_route_of_the_contract_is_in_the_document_of_its_service() {
    let contract = Contract::read(&pavise::domains::pool(false).unwrap()).unwrap();
    let all: Vec<String> = WHOLE["paths"].as_object().unwrap().keys().map(|path| shape(path)).collect();
    let mut routes = 0;
    for service in contract.services.iter().filter(|one| one.methods.iter().any(|method| !method.bindings.is_empty())) {
        let own = &BY_SERVICE[&service.name];
        let paths: BTreeMap<String, &Value> =
            own["paths"].as_object().unwrap().iter().map(|(path, item)| (shape(path), item)).collect();
        for method in &service.methods {
            for binding in &method.bindings {
                let item = paths.get(&shape(&binding.path));
                let verb = binding.verb.as_str().to_ascii_lowercase();
                let operation = item.map_or(&Value::Null, |item| &item[verb.as_str()]);
                let id = operation["operationId"].as_str().unwrap_or_default();
                assert!(id.starts_with(&format!("{}_", service.name)), "{verb} {} is missing: {id}", binding.path);
                assert!(
                    all.contains(&shape(&binding.path)),
                    "{} is missing in the document of all services",
                    binding.path
                );
                assert_eq!(operation["x-permission"].as_str().unwrap_or_default(), method.access.permission, "{id}");
                routes += 1;
            }
        }
    }
    assert!(routes > 300, "only {routes} routes were found");
    let own = pavise::openapi::document(Some("orders")).unwrap();
    assert_eq!(own["paths"], BY_SERVICE["orders"]["paths"]);
    assert!(pavise::openapi::document(Some("nothing")).is_err());
    println!("{routes} routes");
}

#[test]
fn every_reference_leads_somewhere_and_every_example_is_valid() {
    let document = &*WHOLE;
    let (mut references, mut examples, mut wrong) = (0, 0, Vec::new());
    let mut ids = Vec::new();
    walk(document, "", &mut |at, value| {
        if let Some(path) = value["$ref"].as_str() {
            references += 1;
            if document.pointer(path.trim_start_matches('#')).is_none_or(Value::is_null) {
                wrong.push(format!("{at}: {path} leads nowhere"));
            }
        }
        ids.extend(value["operationId"].as_str().filter(|_| at.starts_with("/paths") && !at.contains("/links/")));
    });
    let operations = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), operations, "two operations have one id");
    let counted = |id: &&&str| id.rsplit('_').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    assert_eq!(ids.iter().find(counted), None, "an id that counts changes when a path is added before it");
    for id in ["orders_getOrder", "orders_getOrder_v2GroupsIdentities", "subscriptions_cancelSubscription_groups"] {
        assert!(ids.binary_search(&id).is_ok(), "{id} is not there");
    }
    walk(document, "", &mut |at, value| {
        if let Some(id) = value["operationId"].as_str().filter(|_| at.contains("/links/"))
            && ids.binary_search(&id).is_err()
        {
            wrong.push(format!("{at}: there is no operation {id}"));
        }
    });
    let mut check = |at: &str, schema: &Value, example: &Value| {
        examples += 1;
        if let Some(problem) = problem(document, schema, example) {
            wrong.push(format!("{at}: {problem} in {example}"));
        }
    };
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        for example in schema["examples"].as_array().into_iter().flatten() {
            check(name, &json!({"$ref": format!("#/components/schemas/{name}")}), example);
        }
    }
    for (name, response) in document["components"]["responses"].as_object().unwrap() {
        let content = &response["content"]["application/json"];
        for example in content["examples"].as_object().into_iter().flatten() {
            check(name, &content["schema"], &example.1["value"]);
        }
    }
    for (path, operation) in operations_of(document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = resolved(document, parameter);
            if parameter["in"] != "header" && !parameter["example"].is_null() {
                check(path, &parameter["schema"], &parameter["example"]);
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(references > 1000 && examples > 1000, "{references} references, {examples} examples");
    println!("{references} references, {examples} examples");
}

#[test]
fn every_refusal_has_an_example_of_each_of_its_reasons() {
    let document = &*WHOLE;
    let (mut reasons, mut wrong) = (0, Vec::new());
    for (path, operation) in operations_of(document) {
        let id = &operation["operationId"];
        for (status, response) in operation["responses"].as_object().unwrap() {
            let response = resolved(document, response);
            let examples = response["content"]["application/json"]["examples"].as_object();
            if status.starts_with(['4', '5']) && response["x-reasons"].as_array().is_none_or(Vec::is_empty) {
                wrong.push(format!("{path} {id}: {status} has no reason"));
            }
            for reason in response["x-reasons"].as_array().into_iter().flatten() {
                reasons += 1;
                let example =
                    examples.and_then(|examples| examples.get(reason.as_str()?)).map(|example| &example["value"]);
                let shown = example.map(|example| (example["code"].to_string(), &example["details"][0]["reason"]));
                if shown.as_ref().is_none_or(|(code, shown)| code != status || *shown != reason) {
                    wrong.push(format!("{path} {id}: {status} has no example of {reason}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(reasons > 1_000, "only {reasons} reasons were found");
    println!("{reasons} reasons of refusals, each with an example");
}

#[test]
fn a_write_that_something_follows_from_may_say_that_it_is_not_configured() {
    let contract = Contract::read(&pavise::domains::pool(false).unwrap()).unwrap();
    // The paths of a call are `orders_getOrder`, `orders_getOrder_v2` and so on.
    let say = |document: &Value, call: &str| -> Vec<bool> {
        let of_call = |id: &str| id.strip_prefix(call).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
        let operations =
            operations_of(document).filter(|(_, operation)| operation["operationId"].as_str().is_some_and(of_call));
        let says = |operation: &Value| {
            let refusals = operation["responses"].as_object().unwrap().values();
            let reasons = |response| resolved(document, response)["x-reasons"].as_array().into_iter().flatten();
            refusals.flat_map(reasons).any(|reason| reason == "NOT_CONFIGURED")
        };
        operations.map(|(_, operation)| says(operation)).collect()
    };
    let mut followed = 0;
    for (service, method) in contract.methods().filter(|(_, method)| !method.bindings.is_empty()) {
        let follows = contract.aggregates.get(&method.about()).is_some_and(|aggregate| aggregate.options.consequences);
        let (first, rest) = method.descriptor.name().split_at(1);
        let call = format!("{}_{}{rest}", service.name, first.to_lowercase());
        let said = say(&BY_SERVICE[&service.name], &call);
        assert_eq!(said.len(), method.bindings.len(), "{call}");
        if follows && !method.reads() {
            assert!(said.iter().all(|says| *says), "{call} does not say that it may be NOT_CONFIGURED");
            followed += 1;
        }
        if method.declared() && method.reads() {
            assert!(
                !said.iter().any(|says| *says),
                "{call} only reads what is there, and says that it may be NOT_CONFIGURED"
            );
        }
    }
    assert!(followed > 10, "only {followed} such writes");
}

fn operations_of(document: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let items = document["paths"].as_object().into_iter().flatten();
    items.flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().map(move |(_, operation)| (path.as_str(), operation))
    })
}

/// A call as an operation's examples make it.
struct Made {
    path: String,
    body: Option<Value>,
}

fn made(document: &Value, path: &str, operation: &Value) -> Made {
    let mut path = path.to_owned();
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let parameter = resolved(document, parameter);
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let encoded =
            |value: &Value| text(value).replace('@', "%40").replace('+', "%2B").replace(' ', "%20").replace(':', "%3A");
        let (name, example) = (parameter["name"].as_str().unwrap_or_default(), &parameter["example"]);
        match parameter["in"].as_str() {
            Some("path") => path = path.replace(&format!("{{{name}}}"), &encoded(example)),
            Some("query") if example.is_array() => {
                query.extend(example.as_array().into_iter().flatten().map(|one| format!("{name}={}", encoded(one))));
            }
            Some("query") if !example.is_null() => query.push(format!("{name}={}", encoded(example))),
            _ => {}
        }
    }
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    let schema = resolved(document, &operation["requestBody"]["content"]["application/json"]["schema"]);
    let body = schema["examples"].get(0).cloned();
    Made { path, body }
}

/// The difference of an answer from the document; nothing where there is none.
fn wrong_with(document: &Value, operation: &Value, answer: &Answer) -> Option<String> {
    let said = resolved(document, &operation["responses"][answer.status.as_str()]);
    if said.is_null() {
        return Some(format!("{} is not in the document: {}", answer.status, answer.json));
    }
    if answer.status.is_server_error() {
        return Some(format!("{}: {}", answer.status, answer.json));
    }
    let reasons = said["x-reasons"].as_array();
    if reasons.is_some_and(|reasons| reasons.iter().all(|reason| reason != answer.reason())) {
        return Some(format!("{} is none of the reasons of {}", answer.reason(), answer.status));
    }
    let schema = &said["content"]["application/json"]["schema"];
    if schema.is_null() {
        let is_file = said["content"].as_object().is_some_and(|kinds| !kinds.is_empty());
        return (!is_file && !answer.body.is_empty()).then(|| "there is a body".to_owned());
    }
    problem(document, schema, &answer.json)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_platform_answers_is_what_the_document_says() {
    let app = TestApp::start().await.unwrap();
    stock(|domain| app.channel(domain, &TestApp::staff())).await.unwrap();
    let document = &*WHOLE;
    let callers: [Rest; 4] =
        [app.rest(&TestApp::staff()), app.rest(&TestApp::machine()), app.rest(&TestApp::member("ada")), app.visitor()];
    let mut answers: BTreeMap<u16, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap() {
            let call = made(document, path, operation);
            let verb: Method = verb.to_ascii_uppercase().parse().unwrap();
            for caller in &callers {
                let answer = caller.send(verb.clone(), &call.path, call.body.clone()).await;
                *answers.entry(answer.status.as_u16()).or_default() += 1;
                if let Some(problem) = wrong_with(document, operation, &answer) {
                    wrong.push(format!("{verb} {}: {problem}", call.path));
                }
            }
        }
    }
    // A public call may still demand a token, depending on the request.
    let partner =
        app.visitor().post("/v1/identities", json!({"realm": "Partner", "emails": ["bob@example.com"]})).await;
    assert_eq!(partner.reason(), "TOKEN_MISSING");
    let problem = wrong_with(document, &document["paths"]["/v1/identities"]["post"], &partner);
    wrong.extend(problem.map(|problem| format!("a Partner by nobody: {problem}")));
    println!("answers by status: {answers:?}");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(answers.get(&200).is_some_and(|count| *count > 100), "{answers:?}");
    app.finish().await;
}

/// The reasons for refusals because of data that an example cannot contain.
const OF_DATA: [&str; 27] = [
    "group_id: names no group",
    "is no day of the last week or of the next year",
    "is no group that is ACTIVE",
    "is no entitlement of the member",
    "the code is not good",
    "the offer is not sold through this group",
    "successor_id: names no product",
    "there is no such family",
    "there is no such benefit",
    "there is no such type",
    "the brand has no such offer",
    "has no such field",
    "is for texts and rich texts only",
    "names none of those that are there",
    "names nobody",
    "the product has no version",
    "names no template",
    "must not be in the past",
    "there is no such questionnaire",
    "pages of this host are not printed",
    "the file is empty",
    "names no file of the container",
    "names no business of the member",
    "names no plan of the member",
    "is no invoice of the member",
    "is the old price",
    "at the earliest",
];

/// No example writes: its changes must not spoil another.
#[tokio::test(flavor = "multi_thread")]
async fn every_example_can_be_sent_as_it_is() {
    let app = TestApp::start().await.unwrap();
    stock(|domain| app.channel(domain, &TestApp::staff())).await.unwrap();
    let document = &*WHOLE;
    let (mut sent, mut wrong) = (0, Vec::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap() {
            let call = made(document, path, operation);
            let verb: Method = verb.to_ascii_uppercase().parse().unwrap();
            // A call that proves something takes no validate-only. The proofs of the examples are wrong, so it writes nothing.
            let dry = operation["parameters"].to_string().contains("/ValidateOnly");
            for caller in [TestApp::staff(), TestApp::machine()] {
                let rest = app.rest(&caller);
                let rest = if dry { rest.with("pavise-validate-only", "true") } else { rest };
                let answer = rest.send(verb.clone(), &call.path, call.body.clone()).await;
                let text = answer.json.to_string();
                sent += 1;
                if answer.status == StatusCode::BAD_REQUEST && !OF_DATA.iter().any(|said| text.contains(said)) {
                    wrong.push(format!("{verb} {}: {text} to {}", call.path, call.body.clone().unwrap_or_default()));
                }
            }
        }
    }
    println!("{sent} examples sent");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    app.finish().await;
}

#[tokio::test]
async fn the_document_is_kept_and_asked_for_again_only_when_it_changed() {
    let router = pavise::openapi::router();
    let get = async |path: &str, name: &str, value: &str| {
        let request = Request::get(path).header(name, value).body(Body::empty()).unwrap();
        let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
        (parts.status, parts.headers, to_bytes(body, 32 << 20).await.unwrap())
    };
    let (status, headers, plain) = get("/openapi/tax.json", "accept", "*/*").await;
    let served: Value = serde_json::from_slice(&plain).unwrap();
    assert_eq!((status, served["openapi"].as_str()), (StatusCode::OK, Some("3.1.0")));
    let etag = headers["etag"].to_str().unwrap().to_owned();
    let (_, headers, gzip) = get("/openapi/tax.json", "accept-encoding", "br, gzip").await;
    assert!(headers["content-encoding"] == "gzip" && gzip.len() * 3 < plain.len());
    assert_eq!(get("/openapi/tax.json", "if-none-match", &etag).await.0, StatusCode::NOT_MODIFIED);
    let (_, _, list) = get("/openapi/services.json", "accept", "*/*").await;
    let list: Value = serde_json::from_slice(&list).unwrap();
    assert!(
        list["services"].as_array().unwrap().contains(&json!("orders")) && !list.to_string().contains("test_vendor")
    );
    for nothing in ["/openapi/nothing.json", "/openapi/test_vendor.json", "/openapi/orders"] {
        assert_eq!(get(nothing, "accept", "*/*").await.0, StatusCode::NOT_FOUND, "{nothing}");
    }
}

#[test]
fn a_decimal_number_has_the_bounds_of_its_rules() {
    let document = &*WHOLE;
    let most = document.pointer("/components/schemas/QuestionBoundsInput/properties/most").unwrap();
    let number = &most["anyOf"][0];
    assert_eq!((number["minimum"].as_f64(), number["maximum"].as_f64()), (Some(-1e12), Some(1e12)), "{most}");
}

#[test]
fn a_number_whose_rules_list_others_than_0_must_be_sent() {
    let document = &*WHOLE;
    let mut schemas = document["components"]["schemas"].as_object().unwrap().values();
    let period = schemas.find(|one| one["properties"]["deductionsPerYear"]["enum"].is_array()).unwrap();
    assert!(period["required"].as_array().unwrap().contains(&json!("deductionsPerYear")), "{period}");
    assert_eq!(period["properties"]["deductionsPerYear"]["enum"], json!([12, 24, 26, 52, "12", "24", "26", "52"]));
}
