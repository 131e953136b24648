//! Groups in any state, and short names for calls.

use pavise_testapp::{Engine, Rest, TestApp, TestAppBuilder};
use pavise_testkit::logs;
use serde_json::{Value, json};

pub(crate) const GROUPS: &str = "/v1/groups";
pub(crate) const PASSWORD: &str = "correct horse battery";

/// Personal data in the tests: no log has them.
const PERSONAL: [&str; 7] = [
    "ada.stone@example.com",
    "bob@example.com",
    "rosa@example.com",
    "rosa whitfield",
    "ada stone",
    "1987-05-04",
    "1986-01-02",
];

/// The platform on an engine, whose logs are watched for personal data.
pub(crate) fn on(engine: Engine) -> TestAppBuilder {
    PERSONAL.into_iter().for_each(logs::known_in_any_case);
    TestApp::on(engine).watch_logs()
}

/// Staff with the platform's own rights, who need no second proof.
pub(crate) fn machine(app: &TestApp) -> Rest {
    app.rest(&TestApp::machine())
}

/// A new group in the United States whose members pay by themselves.
pub(crate) fn draft(name: &str) -> Value {
    let division = |part: &str| format!("{}-{part}", name.replace(' ', "-"));
    json!({
        "name": name,
        "countryIdentifier": "USA",
        "brand": "pavise",
        "effectiveDate": "2020-01-01",
        "payType": "SELF_PAY",
        "numberOfEmployees": 40,
        "divisions": [{"id": division("west"), "name": "West"}, {"id": division("east"), "name": "East"}],
        "contacts": [{"type": "PRIMARY", "name": "Rosa Whitfield", "email": "rosa@example.com"}],
    })
}

/// A new group, PENDING.
pub(crate) async fn group(app: &TestApp, name: &str) -> Value {
    app.rest(&TestApp::staff()).post(GROUPS, draft(name)).await.expect(200)
}

/// The path of a call on a group.
pub(crate) fn path(group: &Value, call: &str) -> String {
    let id = group["id"].as_str().unwrap();
    if call.is_empty() { format!("{GROUPS}/{id}") } else { format!("{GROUPS}/{id}/{call}") }
}

/// An offer that nobody has approved yet, made for a country.
pub(crate) async fn offer(app: &TestApp, country: &str) -> String {
    let draft = json!({"names": [{"locale": "en-US", "text": "Plans"}], "channel": "GROUP", "country": country});
    let made = app.rest(&TestApp::staff()).post("/v1/brands/pavise/offers", draft).await.expect(200);
    made["id"].as_str().unwrap().to_owned()
}

/// An administrator of groups without a role, who can sign in by their name.
pub(crate) async fn administrator(app: &TestApp, name: &str) -> String {
    let wanted = json!({"realm": "GroupAdmin", "usernames": [name], "password": PASSWORD});
    machine(app).post("/v1/identities", wanted).await.expect(200)["id"].as_str().unwrap().to_owned()
}

/// Signs somebody in, and answers the caller of their token.
pub(crate) async fn sign_in(app: &TestApp, name: &str) -> Rest {
    let asked = json!({"username": name, "password": PASSWORD});
    let opened = app.visitor().post("/v1/tokens", asked).await.expect(200);
    let token = opened["accessToken"].as_str().unwrap().to_owned();
    app.visitor().with("authorization", &format!("Bearer {token}"))
}

/// The actions in the journal of groups, in order.
pub(crate) async fn actions(app: &TestApp) -> Vec<String> {
    let page = app.rest(&TestApp::staff()).get("/v1/groups/journal?clock=0").await.expect(200);
    page["entries"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap().to_owned()).collect()
}
