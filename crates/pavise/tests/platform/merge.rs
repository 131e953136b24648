//! Two members are one person: a merge moves the purchases of one to the other in every service, across restarts of the
//! platform, and an unmerge moves them back.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use pavise::domains;
use pavise_groups::contract::v1::EnrollEmployeeRequest;
use pavise_groups::contract::v1::employee_service_client::EmployeeServiceClient;
use pavise_kernel::time::{add_days, to_date};
use pavise_kernel::worker::Work;
use pavise_testapp::{Database, Engine, TestApp, TestAppBuilder, stock};
use serde_json::{Value, json};

use crate::files::keep_file;

const PASSWORD: &str = "correct horse battery";
/// The lists in which a member's things are, and what each is called there.
const LISTS: [(&str, &str); 5] =
    [("v2", "orders"), ("v1", "subscriptions"), ("v1", "entitlements"), ("v1", "paymentMethods"), ("v1", "invoices")];

fn platform(engine: Engine, database: &Database) -> TestAppBuilder {
    TestApp::on(engine).part(database, domains::every(), BTreeMap::new())
}

/// A member with a proved address.
async fn member(app: &TestApp, email: &str) -> String {
    let body = json!({"realm": "User", "emails": [email], "password": PASSWORD});
    app.rest(&TestApp::machine()).post("/v1/identities", body).await.expect(200)["id"].as_str().unwrap().to_owned()
}

/// Buys the legal plan, and waits until it is set up.
async fn buys(app: &TestApp, member: &str, tier: &str) {
    let rest = app.rest(&TestApp::member(member));
    let legal = json!({
        "brand": "pavise",
        "offerId": "20000000-0000-4000-8000-000000000001",
        "selections": [{"productId": "10000000-0000-4000-8000-000000000001", "tierId": tier}],
    });
    let order = json!({"channel": "BuyNow", "locality": "TX", "offers": [legal]});
    let order = rest.post(&format!("/v2/identities/{member}/orders"), order).await.expect(200);
    let card = json!({
        "type": "CREDIT_CARD",
        "vendor": "TEST",
        "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Bob Example"},
    });
    let card = rest.post(&format!("/v1/identities/{member}/paymentMethods"), card).await.expect(200);
    let order = format!("/v2/identities/{member}/orders/{}", order["id"].as_str().unwrap());
    let paid = json!({"paymentMethodId": card["id"]});
    let _ = rest.post(&format!("{order}/purchase"), paid).await.expect(200);
    let set_up = async || {
        let order = rest.get(&order).await.expect(200);
        (order["status"] == "PROVISIONED").then_some(())
    };
    app.eventually("the sale", set_up).await;
}

/// How many things of each kind a member has.
async fn things(app: &TestApp, member: &str) -> [usize; 5] {
    let staff = app.rest(&TestApp::staff());
    let mut counts = [0; 5];
    for (count, (version, list)) in counts.iter_mut().zip(LISTS) {
        let page = staff.get(&format!("/{version}/identities/{member}/{list}")).await.expect(200);
        *count = page[list].as_array().unwrap().len();
    }
    counts
}

/// Lets a member's plan cover somebody, and answers which plan that is.
async fn covers(app: &TestApp, member: &str, person: &str) -> String {
    let staff = app.rest(&TestApp::staff());
    let plans = staff.get(&format!("/v1/identities/{member}/entitlements")).await.expect(200);
    let plan = plans["entitlements"][0]["id"].as_str().unwrap().to_owned();
    let people = json!({"authorizedUsers": [{"id": person, "permissionType": "SPOUSE", "name": "Bob"}]});
    let _ = staff
        .post(&format!("/v1/identities/{member}/entitlements/{plan}/addAuthorizedUsers"), people)
        .await
        .expect(200);
    plan
}

/// The plans of others that cover somebody.
async fn covered_by(app: &TestApp, person: &str) -> Vec<String> {
    let page = app.rest(&TestApp::member(person)).get(&format!("/v1/identities/{person}/coverages")).await.expect(200);
    let coverages = page["coverages"].as_array().unwrap();
    assert!(coverages.iter().all(|coverage| coverage["relationType"] == "SPOUSE"), "{page:#}");
    coverages.iter().map(|coverage| coverage["entitlementId"].as_str().unwrap().to_owned()).collect()
}

async fn done(app: &TestApp, merge: &Value, action: &str) -> Value {
    let staff = app.rest(&TestApp::staff());
    let path = format!("/v1/identities/merges/{}", merge["id"].as_str().unwrap());
    let ask = async || {
        let merge = staff.get(&path).await.expect(200);
        (merge["status"] != "IN_PROGRESS").then_some(merge)
    };
    let merge = app.eventually(action, ask).await;
    assert_eq!((merge["status"].as_str(), merge["action"].as_str()), (Some("COMPLETE"), Some(action)), "{merge:#}");
    merge
}

async fn signed_in(app: &TestApp, email: &str) -> String {
    let body = json!({"email": email, "password": PASSWORD});
    app.visitor().post("/v1/tokens", body).await.expect(200)["identityId"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_members_become_one_across_restarts_and_are_taken_apart_again() {
    for engine in Engine::BOTH {
        let database = Database::new(engine).await.unwrap();
        let app = platform(engine, &database).start().await.unwrap();
        stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
        let (ada, bob) = (member(&app, "ada@example.com").await, member(&app, "bob@example.com").await);
        buys(&app, &bob, "individual").await;
        // Carol's plan covers Bob, and Bob's covers Ada, who will hold Bob's plan after the merge.
        let carol = member(&app, "carol@example.com").await;
        buys(&app, &carol, "family").await;
        let (carols, bobs) = (covers(&app, &carol, &bob).await, covers(&app, &bob, &ada).await);
        assert_eq!((covered_by(&app, &bob).await, covered_by(&app, &ada).await), (vec![carols.clone()], vec![bobs]));
        let had = things(&app, &bob).await;
        assert!(had.iter().all(|count| *count > 0), "{had:?}");
        app.finish().await;

        // No worker runs when the merge is requested.
        let app = platform(engine, &database).without_workers().start().await.unwrap();
        let staff = app.rest(&TestApp::staff());
        let path = format!("/v1/identities/{ada}/merge?mergedIdentityId={bob}");
        let preview = staff.clone().with("pavise-validate-only", "true").post(&path, json!({})).await.expect(200);
        let found = |name: &str| {
            let processors = preview["processors"].as_array().unwrap();
            processors.iter().find(|one| one["processor"] == name).unwrap()["ids"].as_array().unwrap().len()
        };
        assert_eq!(["orders", "subscriptions", "entitlements", "payment_methods", "invoices"].map(found), had);
        let merge = staff.post(&path, json!({"reason": "the same person"})).await.expect(200);
        assert_eq!(merge["status"], "IN_PROGRESS");
        assert_eq!((things(&app, &ada).await, things(&app, &bob).await), ([0; 5], had));
        app.finish().await;

        let app = platform(engine, &database).start().await.unwrap();
        let merge = done(&app, &merge, "MERGE").await;
        assert_eq!((things(&app, &ada).await, things(&app, &bob).await), (had, [0; 5]));
        assert_eq!((covered_by(&app, &bob).await, covered_by(&app, &ada).await), (vec![], vec![carols.clone()]));
        assert_eq!(signed_in(&app, "bob@example.com").await, ada);
        let staff = app.rest(&TestApp::staff());
        let went = staff.get(&format!("/v1/identities/{bob}")).await.expect(200);
        assert_eq!(
            (went["status"].as_str(), went["merged"]["identityId"].as_str()),
            (Some("MERGED"), Some(ada.as_str()))
        );
        let feed = app.rest(&TestApp::staff()).with("host", "identity-merge.localhost");
        let entries = feed.get("/v1/identities/journal").await.expect(200);
        assert!(entries["entries"].as_array().unwrap().iter().all(|entry| entry["action"] == "MERGE"), "{entries:#}");

        let undo = format!("/v1/identities/{ada}/unmerge?mergeId={}", merge["id"].as_str().unwrap());
        let _ = staff.post(&undo, json!({"reason": "they are two after all"})).await.expect(200);
        done(&app, &merge, "UNMERGE").await;
        assert_eq!((things(&app, &ada).await, things(&app, &bob).await), ([0; 5], had));
        assert_eq!((covered_by(&app, &bob).await, covered_by(&app, &ada).await), (vec![carols], vec![]));
        assert_eq!(signed_in(&app, "bob@example.com").await, bob);
        app.finish().await;
    }
}

/// The things of an identity in every domain, by the processor that moves them in a merge.
async fn owned_entities(app: &TestApp, identity: &str) -> BTreeMap<&'static str, BTreeSet<String>> {
    let work = Work::new(&app.app.kernel, "test", String::new(), "");
    let mut held = BTreeMap::new();
    for owned_entity in app.app.kernel.owned_entities() {
        held.insert(
            owned_entity.processor,
            BTreeSet::from_iter(work.list_owned_entities(owned_entity, identity).await.unwrap()),
        );
    }
    held
}

/// Merges two identities and unmerges them. Answers the processors whose things were moved and came back.
async fn moved_and_returned(app: &TestApp, survivor: &str, merged: &str) -> BTreeSet<&'static str> {
    let staff = app.rest(&TestApp::staff());
    let before = (owned_entities(app, survivor).await, owned_entities(app, merged).await);
    let path = format!("/v1/identities/{survivor}/merge?mergedIdentityId={merged}");
    let merge = done(app, &staff.post(&path, json!({})).await.expect(200), "MERGE").await;
    let after = (owned_entities(app, survivor).await, owned_entities(app, merged).await);
    let mut moved = BTreeSet::new();
    for owned_entity in app.app.kernel.owned_entities().iter().filter(|owned_entity| owned_entity.transfer.is_some()) {
        let name = owned_entity.processor;
        let both: BTreeSet<_> = before.0[name].union(&before.1[name]).cloned().collect();
        assert_eq!((&after.0[name], after.1[name].len()), (&both, 0), "{name} went over");
        if !before.1[name].is_empty() {
            moved.insert(name);
        }
    }
    let path = format!("/v1/identities/{survivor}/unmerge?mergeId={}", merge["id"].as_str().unwrap());
    done(app, &staff.post(&path, json!({})).await.expect(200), "UNMERGE").await;
    assert_eq!((owned_entities(app, survivor).await, owned_entities(app, merged).await), before, "all came back");
    moved
}

/// Gives a member an alert, a message in the application and a communication that waits.
async fn is_told(app: &TestApp, member: &str) {
    let staff = app.rest(&TestApp::staff());
    let title = json!([{"locale": "en-US", "text": "Hello"}]);
    let _ = staff.post(&format!("/v1/identities/{member}/alerts"), json!({"titles": title})).await.expect(200);
    let content = json!([{"type": "PULSE", "locale": "en-US", "subject": "Hello", "text": "Hello"}]);
    let template = json!({"key": "test.hello", "category": "ACCOUNT", "types": ["PULSE"], "contents": content});
    let _ = staff.post("/v1/notifications/templates", template).await.expect(200);
    let _ = staff.post("/v1/notifications/templates/test.hello/publish", json!({})).await.expect(200);
    let draft = json!({"templateKey": "test.hello"});
    let _ = staff.post(&format!("/v1/identities/{member}/notifications"), draft).await.expect(200);
    let later = add_days(to_date(app.now()), 100);
    let later = format!("{:04}-{:02}-{:02}T09:00:00Z", later.year, later.month, later.day);
    let waits = json!({"templateKey": "test.hello", "identityId": member, "deliverOn": later});
    let _ = staff.post("/v1/scheduledCommunications", waits).await.expect(200);
}

/// Gives a member an answer to a questionnaire, a file and a form.
async fn add_documents(app: &TestApp, member: &str) {
    let staff = app.rest(&TestApp::staff());
    let texts = |text: &str| json!([{"locale": "en-US", "text": text}]);
    let item = json!({"id": "a", "type": "TEXT", "labels": texts("a")});
    let pages = json!([{"id": "one", "titles": texts("One"), "items": [item]}]);
    let content = json!({"titles": texts("A survey"), "locales": ["en-US"], "pages": pages});
    let question = json!({"name": "merged-survey", "kind": "SURVEY", "content": content});
    let question = staff.post("/v1/questions", question).await.expect(200);
    let answer = json!({"questionId": question["id"], "values": [{"itemId": "a", "text": "x"}]});
    let _ = staff.post(&format!("/v1/users/{member}/answers"), answer).await.expect(200);
    let _ = keep_file(app, app.token(&TestApp::member(member)), "OTHER", "note.txt", "a note").await;
    let page = "<!DOCTYPE html><p>{{ first }}";
    let page = keep_file(app, app.token(&TestApp::staff()), "FORM", "will.html", page).await;
    let template = json!({
        "name": "merged-will",
        "titles": texts("Will"),
        "variants": [{"id": "any", "kind": "HTML", "fileId": page["id"]}],
        "fields": [{"field": "first", "itemId": "a"}],
    });
    let template = staff.post("/v1/formTemplates", template).await.expect(200);
    let publish = format!("/v1/formTemplates/{}/publish", template["id"].as_str().unwrap());
    let _ = staff.post(&publish, json!({})).await.expect(200);
    let form =
        json!({"identityId": member, "templateId": template["id"], "values": [{"field": "first", "text": "Bob"}]});
    let form = staff.post("/createForm", form).await.expect(200);
    // A worker prints it, or says that there is no browser. The merge comes after that.
    let path = format!("/identities/{member}/forms/{}", form["id"].as_str().unwrap());
    let ask = async || (staff.get(&path).await.expect(200)["status"] != "CREATED").then_some(());
    app.eventually("the form", ask).await;
}

/// A program, with an application that acts for it.
async fn program(app: &TestApp, name: &str) -> String {
    let staff = app.rest(&TestApp::staff());
    let may = json!([{"application": "pavise", "permissions": ["orders.orders.read"]}]);
    let body = json!({"realm": "Machine", "usernames": [name], "permissions": may});
    let id = staff.post("/v1/identities", body).await.expect(200)["id"].as_str().unwrap().to_owned();
    let body = json!({"name": name, "permissions": may});
    let _ = staff.post(&format!("/v1/identities/{id}/applications"), body).await.expect(200);
    id
}

/// A note, an amendment, an auto comment and a business of a member with a plan. The last three are about the plan.
async fn add_records(app: &TestApp, member: &str) {
    let staff = app.rest(&TestApp::staff());
    let plans = staff.get(&format!("/v1/identities/{member}/entitlements")).await.expect(200);
    let plan = &plans["entitlements"][0]["id"];
    let of = |list: &str| format!("/v1/identities/{member}/{list}");
    let _ = staff.post(&of("notes"), json!({"text": "Called back."})).await.expect(200);
    let amendment =
        json!({"entitlementId": plan, "title": "More", "documentId": "more-1", "effectiveOn": "2026-01-01"});
    let _ = staff.post(&of("amendments"), amendment).await.expect(200);
    let parameters = json!([{"name": "plan", "value": "Legal"}]);
    let comment =
        json!({"subjectType": "ENTITLEMENT", "subjectId": plan, "key": "PLAN_ACTIVATED", "parameters": parameters});
    let _ = staff.post(&of("autoComments"), comment).await.expect(200);
    let business = json!({"identityId": member, "name": "Bakery", "associatedEntitlementIds": [plan]});
    let _ = staff.post("/v1/businesses", business).await.expect(200);
    let cohort = json!({"type": "SHIELD_AT_WORK_BETA", "startsOn": "2026-01-01", "source": "pilot"});
    let _ = staff.post(&of("cohorts"), cohort).await.expect(200);
    let credit = json!({"amount": {"currency": "USD", "amount": "100"}, "reason": "GOODWILL"});
    let _ = staff.post(&of("credits"), credit).await.expect(200);
    let benefit = staff.post("/v1/benefits", json!({"name": "Will", "internalName": "will"})).await;
    let benefit = benefit.expect(200)["id"].clone();
    let path = format!("/v1/benefits/{}/activate", benefit.as_str().unwrap());
    let _ = staff.post(&path, json!({})).await.expect(200);
    let _ = staff.post(&of("launches"), json!({"source": "merge"})).await.expect(200);
    work_for_a_group(app, member).await;
    let gift = json!({"name": "Amends", "benefitIds": [benefit], "source": "pilot"});
    let _ = staff.post(&of("benefitCohorts"), gift).await.expect(200);
}

/// A member works for a group, and begins their enrollment in it.
async fn work_for_a_group(app: &TestApp, member: &str) {
    let staff = app.rest(&TestApp::staff());
    let draft = json!({"name": "Harbor", "countryIdentifier": "USA", "brand": "pavise", "payType": "SELF_PAY",
        "effectiveDate": "2026-01-01", "contacts": [{"type": "PRIMARY", "name": "Rosa Whitfield"}]});
    let group = staff.post("/v1/groups", draft).await.expect(200)["id"].clone();
    let at = format!("/v1/groups/{}", group.as_str().unwrap());
    let offers = json!({"offerIds": ["20000000-0000-4000-8000-000000000001"]});
    let _ = staff.post(&format!("{at}/addOfferIds"), offers).await.expect(200);
    let _ = staff.post(&format!("{at}/activate"), json!({})).await.expect(200);
    let employee = json!({"number": "E-1", "firstName": "Bob", "lastName": "Example"});
    let employee = staff.post(&format!("{at}/employees"), employee).await.expect(200);
    let request = EnrollEmployeeRequest {
        employee_id: employee["id"].as_str().unwrap().to_owned(),
        identity_id: member.to_owned(),
        enrolled_on: Some(to_date(app.now())),
    };
    let mut employees = EmployeeServiceClient::new(app.channel("groups", &TestApp::machine()));
    employees.enroll_employee(request).await.unwrap();
    let enrollment = json!({"groupId": group});
    let _ = staff.post(&format!("/v1/identities/{member}/groupEnrollments"), enrollment).await.expect(200);
}

/// An outside program cannot take the name of a processor of the platform.
async fn check_taken_names(app: &TestApp, survivor: &str, merged: &str) {
    let staff = app.rest(&TestApp::staff());
    let pair = json!({"identityId": survivor, "mergedIdentityId": merged});
    let plan = staff.post("/v1/identities/merges", pair).await.expect(200);
    let path = format!("/v1/identities/merges/{}/addProcessorStatuses", plan["id"].as_str().unwrap());
    for owned_entity in app.app.kernel.owned_entities() {
        let _ = staff.post(&path, json!({"processors": [owned_entity.processor]})).await.expect(400);
    }
    let _ = staff.post(&path, json!({"processors": ["loyalty"]})).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_aggregate_that_the_contract_moves_goes_over_and_comes_back() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).start().await.unwrap();
        stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
        let (ada, bob) = (member(&app, "ada@example.com").await, member(&app, "bob@example.com").await);
        buys(&app, &bob, "individual").await;
        let state = json!({"application": "IDShield"});
        let _ =
            app.rest(&TestApp::member(&bob)).post(&format!("/v1/identities/{bob}/userStates"), state).await.expect(200);
        add_records(&app, &bob).await;
        is_told(&app, &bob).await;
        add_documents(&app, &bob).await;
        check_taken_names(&app, &ada, &bob).await;
        let (one, other) = (program(&app, "one").await, program(&app, "other").await);
        let mut moved = moved_and_returned(&app, &ada, &bob).await;
        moved.extend(moved_and_returned(&app, &one, &other).await);
        let declared = app.app.kernel.owned_entities().iter().filter(|owned_entity| owned_entity.transfer.is_some());
        let declared: BTreeSet<_> = declared.map(|owned_entity| owned_entity.processor).collect();
        assert_eq!(moved, declared, "an aggregate that says move in on_merge needs a specimen in this test");
        app.finish().await;
    }
}
