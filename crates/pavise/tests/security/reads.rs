//! Reads of a member's personal data by others are on the member's record.

use pavise_kernel::Caller;
use pavise_kernel::caller::Impersonator;
use pavise_testapp::{Engine, Rest, TestApp};
use serde_json::{Value, json};

use crate::browser::{EMAIL, sign_up};

/// The records of somebody's data, as that caller sees them, once there are so many.
async fn records(app: &TestApp, reader: &Rest, owner: &str, count: usize) -> Vec<Value> {
    let path = format!("/v1/identities/{owner}/dataAccesses");
    app.eventually("the record of the reads", || async {
        let listed = reader.get(&path).await.expect(200)["dataAccesses"].as_array().cloned().unwrap_or_default();
        assert!(listed.len() <= count, "{listed:#?}");
        (listed.len() == count).then_some(listed)
    })
    .await
}

async fn reads_are_on_record(engine: Engine) {
    let app = TestApp::on(engine).start().await.unwrap();
    let ada = sign_up(&app).await;
    let (own, staff) = (app.rest(&TestApp::member(&ada)), app.rest(&TestApp::staff()));
    let path = format!("/v1/identities/{ada}");
    // The owner's reads and those of programs are no reads by others.
    let _ = own.get(&path).await.expect(200);
    let _ = app.rest(&TestApp::machine()).get(&path).await.expect(200);
    assert_eq!(staff.get("/v1/identities/nobody").await.reason(), "NOT_FOUND");

    for _ in 0..3 {
        let _ = staff.clone().with("x-request-id", "read-1").get(&path).await.expect(200);
    }
    let [read] = records(&app, &own, &ada, 1).await.try_into().unwrap();
    assert_eq!((&read["service"], &read["call"]), (&json!("identities"), &json!("GetIdentity")), "{read}");
    assert_eq!((&read["entityType"], &read["readerRealm"]), (&json!("Identity"), &json!("Internal")), "{read}");
    assert_eq!((&read["requestId"], &read["ownerCount"]), (&json!("read-1"), &json!(1)), "{read}");
    assert!(
        read["readerId"].as_str().is_none_or(str::is_empty),
        "members do not learn who of the staff it was: {read}"
    );
    assert!(!read.to_string().contains(EMAIL), "the record has none of the data");
    let [seen] = records(&app, &staff, &ada, 1).await.try_into().unwrap();
    assert_eq!(seen["readerId"], "staff", "{seen}");

    // A read by an impersonator is on the owner's record all the same.
    let actor = Impersonator { identity: "eve".to_owned(), may_write: false, session: String::new() };
    let acting = app.rest(&Caller { actor: Some(actor), ..TestApp::member(&ada) });
    let _ = acting.get(&path).await.expect(200);
    let listed = records(&app, &staff, &ada, 2).await;
    let acted = listed.iter().find(|read| read["impersonated"] == true).unwrap();
    assert_eq!((&acted["readerId"], &acted["readerRealm"]), (&json!("eve"), &json!("User")), "{acted}");

    // A search shows the member, too.
    let searcher = TestApp::with_permissions(pavise_kernel::table::Realm::Internal, "sue", &["*"]);
    let found = app.rest(&searcher).post("/v1/identities/search", json!({"text": ada})).await.expect(200);
    assert_eq!(found["identities"][0]["id"], json!(ada), "{found}");
    let listed = records(&app, &staff, &ada, 3).await;
    assert!(listed.iter().any(|read| read["call"] == "SearchIdentities" && read["readerId"] == "sue"), "{listed:#?}");

    // A write that only asks whether it would pass, and the answer to its repeat, show the data without an entry.
    let writer = TestApp::with_permissions(pavise_kernel::table::Realm::Internal, "max", &["*"]);
    let (writer, change) = (app.rest(&writer), json!({"referrer": "a friend"}));
    let referrer = format!("{path}/updateReferrer");
    let _ = writer.clone().with("pavise-validate-only", "true").post(&referrer, change.clone()).await.expect(200);
    let listed = records(&app, &staff, &ada, 4).await;
    let tried = listed.iter().find(|read| read["readerId"] == "max").unwrap();
    assert_eq!((&tried["call"], &tried["entityType"]), (&json!("UpdateReferrer"), &json!("Identity")), "{tried}");
    let again = app.rest(&TestApp::with_permissions(pavise_kernel::table::Realm::Internal, "moe", &["*"]));
    let again = again.with("idempotency-key", "the same twice");
    let _ = again.clone().post(&referrer, change.clone()).await.expect(200);
    let _ = records(&app, &staff, &ada, 4).await;
    let _ = again.post(&referrer, change).await.expect(200);
    let listed = records(&app, &staff, &ada, 5).await;
    assert!(listed.iter().any(|read| read["readerId"] == "moe"), "{listed:#?}");

    // Nobody else sees the record, and nobody but the platform writes it.
    let other = app.rest(&TestApp::member("eve"));
    assert_eq!(other.get(&format!("{path}/dataAccesses")).await.reason(), "NOT_THE_OWNER");
    let made = json!({"records": [{"id": "x", "ownerId": ada, "readerId": "staff", "ownerCount": 1}]});
    for caller in [&own, &staff, &other] {
        assert_eq!(caller.post("/v1/dataAccesses", made.clone()).await.reason(), "REALM_NOT_ALLOWED");
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_by_others_are_on_the_members_record() {
    reads_are_on_record(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_by_others_are_on_the_members_record_on_postgres() {
    reads_are_on_record(Engine::Postgres).await;
}

/// The notes of a process that stops are handed over.
#[tokio::test(flavor = "multi_thread")]
async fn a_read_just_before_the_end_is_on_record() {
    let app = TestApp::start().await.unwrap();
    let ada = sign_up(&app).await;
    let _ = app.rest(&TestApp::staff()).get(&format!("/v1/identities/{ada}")).await.expect(200);
    let kernel = app.app.kernel.clone();
    assert_eq!(kernel.disclosures().count_waiting(), 1, "the note waits for more of them");
    app.finish().await;
    assert_eq!(kernel.disclosures().count_waiting(), 0);
    let head = kernel.store().head("data_access").await.unwrap();
    assert_eq!(head.clock, 1, "it is in the journal");
}
