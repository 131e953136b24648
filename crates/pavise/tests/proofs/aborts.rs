//! Clients that go away in the middle of anything leave nothing behind that holds up others.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use pavise::demo::tell;
use pavise::wire::{Client, Surface};
use pavise::{domains, journal};
use pavise_catalog::demo::{BRAND, LEGACY_LEGAL, LEGAL, PERSONAL_CANADA, PERSONAL_US};
use pavise_kernel::store::Store;
use pavise_kernel::time::Ids;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::server::{self, Server};
use crate::{callers, journals, run_size, turn};

/// Journals that change by the day, by an administrator's hand, by an upload or by a vendor with an account, not by a sale.
const STILL: [&str; 11] = [
    "tokens",
    "applications",
    "invitations",
    "identity_merge",
    "files",
    "forms",
    "platform_workers",
    "hosted_entries",
    "vendor_events",
    "reconciliations",
    "repricings",
];

/// Somebody.
const MEMBER: &str = "01900000-0000-7000-8000-0000000000aa";

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_go_away_wedge_nothing() {
    let _turn = turn().await;
    let aborts = run_size(400, 2_000);
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let server = Server::start(&database);
    server.stock().await;
    let client =
        Client::new(&server.base, Surface::Grpc, &domains::pool(false).unwrap()).unwrap().with_token(&server::token());
    let dice = Ids::from_seed(5);
    let began = std::time::Instant::now();
    let gone = futures::stream::iter(0..aborts).map(|number| abort(number, &server.base, &client, &dice));
    let unfinished = gone.buffer_unordered(16).filter(|unfinished| std::future::ready(*unfinished)).count().await;
    let took = began.elapsed();
    let store = journals::open(&database).await;
    let before = heads(&store).await;
    let story = tell(&server.base, Surface::Rest, |_| ()).await.unwrap();
    let held = json!({"identityId": story.identity_id});
    let plans = client.call("entitlements.ListEntitlements", held).await.unwrap().json;
    let texts = json!([{"locale": "en-US", "text": "after"}]);
    let branch = json!([{"name": "branch", "value": "Dallas"}]);
    for (name, request) in [
        ("products.DeactivateProduct", json!({"productId": LEGACY_LEGAL})),
        // Also a write of reserved names.
        ("offers.UpdateOfferSiteName", json!({"brand": BRAND, "offerId": PERSONAL_US, "siteName": "after"})),
        ("offers.SetPendingApproval", json!({"brand": BRAND, "offerId": PERSONAL_CANADA})),
        (
            "application_settings.CreateApplicationSetting",
            json!({"identityId": MEMBER, "applicationName": "console", "name": "after", "settings": {"rows": 10}}),
        ),
        (
            "data_access.RecordDataAccesses",
            json!({"records": [{"id": "after", "ownerId": MEMBER, "readerId": "staff", "ownerCount": 1}]}),
        ),
        ("invoice_exports.CreateInvoiceExport", json!({"dueFrom": "2026-01-01", "dueUntil": "2026-01-31"})),
        (
            "credits.CreateCredit",
            json!({"identityId": MEMBER, "amount": {"currency": "USD", "amount": "100"}, "reason": "GOODWILL"}),
        ),
        ("user_state.CreateUserState", json!({"identityId": MEMBER, "application": "All"})),
        ("launches.CreateLaunch", json!({"identityId": MEMBER})),
        ("groups.CreateGroup", json!({"group": {"name": "after", "countryIdentifier": "USA", "brand": BRAND}})),
        ("product_families.CreateProductFamily", json!({"kind": "Books", "internalName": "after", "names": texts})),
        ("benefits.CreateBenefit", json!({"benefit": {"name": "after", "internalName": "after"}})),
        (
            "content.CreateContentType",
            json!({"key": "after", "variant": "PAGE", "siteType": "ALL", "fields": [{"key": "heading", "type": "TEXT"}]}),
        ),
        (
            "offer_maps.CreateOfferMap",
            json!({"brand": BRAND, "offerId": PERSONAL_CANADA, "billingProvider": "SYSTEM I"}),
        ),
        ("form_templates.CreateFormTemplate", json!({"name": "after", "titles": texts})),
        ("alerts.CreateAlertTemplate", json!({"key": "after", "titles": texts})),
        ("notifications.CreateSuppression", json!({"email": "after@example.com"})),
        ("scheduled_communications.PauseCommunicationWorker", json!({})),
        ("profiles.CreateProfile", json!({"identityId": MEMBER})),
        ("relations.CreateRelation", json!({"identityId": story.identity_id, "type": "Family"})),
        ("notes.CreateNote", json!({"identityId": MEMBER, "text": "after"})),
        (
            "amendments.CreateAmendment",
            json!({"identityId": story.identity_id, "entitlementId": plans["entitlements"][0]["id"], "title": "after", "documentId": "after", "effectiveOn": "2026-01-01"}),
        ),
        (
            "auto_comments.CreateAutoComment",
            json!({"identityId": MEMBER, "subjectType": "BRANCH", "subjectId": "dallas", "key": "BRANCH_ASSIGNED", "parameters": branch}),
        ),
        (
            "cohorts.CreateCohort",
            json!({"identityId": MEMBER, "type": "SHIELD_AT_WORK_BETA", "startsOn": "2026-01-01", "source": "after"}),
        ),
        ("businesses.CreateEmptyBusiness", json!({"identityId": MEMBER})),
        (
            "tax.SetTaxRate",
            json!({"locality": "TX", "component": "STATE", "category": "LEGAL", "ratePpm": 1234, "effectiveFrom": "2098-01-01"}),
        ),
    ] {
        client.call(name, request).await.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let item = json!({"id": "a", "type": "TEXT", "labels": texts});
    let content =
        json!({"titles": texts, "locales": ["en-US"], "pages": [{"id": "one", "titles": texts, "items": [item]}]});
    let question = json!({"name": "after", "kind": "SURVEY", "content": content});
    let question = client.call("questions.CreateQuestion", question).await.unwrap().json;
    let answer = json!({"userId": MEMBER, "questionId": question["id"]});
    client.call("answers.CreateAnswer", answer).await.unwrap();
    let benefit = json!({"benefit": {"name": "given", "internalName": "given"}});
    let benefit = client.call("benefits.CreateBenefit", benefit).await.unwrap().json;
    client.call("benefits.ActivateBenefit", json!({"benefitId": benefit["id"]})).await.unwrap();
    let gift = json!({"identityId": MEMBER, "name": "after", "benefitIds": [benefit["id"]], "source": "after"});
    client.call("benefit_cohorts.CreateBenefitCohort", gift).await.unwrap();
    enroll(&client, &story.identity_id).await;
    let after = heads(&store).await;
    let wedged: Vec<&str> = before
        .iter()
        .zip(&after)
        .filter(|(then, now)| now.1 <= then.1 && !STILL.contains(&then.0))
        .map(|(then, _)| then.0)
        .collect();
    assert!(wedged.is_empty(), "no write any more in {wedged:?}");
    drop(server);
    let entries = journals::sound(&store).await;
    println!(
        "{aborts} clients went away, {unfinished} of them before their answer, in {} ms; then {} services write, 0 wedged, {entries} journal entries, journals sound",
        took.as_millis(),
        after.len() - STILL.len()
    );
    assert!(unfinished * 2 > aborts && unfinished < aborts, "the times to go away are badly chosen");
}

/// An ACTIVE group with an employee, and the enrollment of a member.
async fn enroll(client: &Client, member: &str) {
    let draft = json!({"name": "works", "countryIdentifier": "USA", "brand": BRAND, "payType": "SELF_PAY",
        "effectiveDate": "2026-01-01", "contacts": [{"type": "PRIMARY", "name": "Rosa Whitfield"}]});
    let group = client.call("groups.CreateGroup", json!({"group": draft})).await.unwrap().json["id"].clone();
    client.call("groups.AddOfferIds", json!({"groupId": group, "offerIds": [PERSONAL_US]})).await.unwrap();
    client.call("groups.ActivateGroup", json!({"groupId": group})).await.unwrap();
    let employee = json!({"groupId": group, "number": "after", "firstName": "Ada", "lastName": "Stone"});
    client.call("employees.CreateEmployee", employee).await.unwrap();
    let enrollment = json!({"identityId": member, "groupId": group});
    client.call("group_enrollments.CreateGroupEnrollment", enrollment).await.unwrap();
}

async fn heads(store: &Arc<dyn Store>) -> Vec<(&'static str, i64)> {
    let mut heads = Vec::new();
    for name in journal::journals() {
        heads.push((name, store.head(name).await.unwrap().clock));
    }
    heads
}

/// Sends a request and goes away; whether that was before the answer came.
async fn abort(number: usize, base: &str, client: &Client, dice: &Ids) -> bool {
    let owner = format!("member-{number}");
    let patience = Duration::from_micros(dice.bits() % 80_000);
    if number.is_multiple_of(4) {
        // gRPC: the stream is reset.
        let request = json!({"identityId": owner, "paymentMethod": callers::card()});
        return tokio::time::timeout(patience, client.call("payment_methods.CreatePaymentMethod", request))
            .await
            .is_err();
    }
    let request = http(number, &owner);
    // Half of them end in the middle of the request.
    let cut = if number.is_multiple_of(2) {
        request.len()
    } else {
        usize::try_from(dice.bits() % u64::try_from(request.len()).unwrap()).unwrap()
    };
    let mut stream = TcpStream::connect(base.trim_start_matches("http://")).await.unwrap();
    stream.write_all(&request.as_bytes()[..cut]).await.unwrap();
    let mut answer = [0; 12];
    let answered = tokio::time::timeout(patience, stream.read_exact(&mut answer)).await.is_ok();
    // The requests are good ones: what is answered is answered well.
    assert!(!answered || answer.starts_with(b"HTTP/1.1 20"), "{request}: {}", String::from_utf8_lossy(&answer));
    !answered
}

/// A request of one of several kinds, as it is sent.
fn http(number: usize, owner: &str) -> String {
    let offer =
        json!({"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "individual"}]});
    let (path, body): (String, Value) = match number % 5 {
        0 => (format!("/v1/identities/{owner}/paymentMethods"), callers::card()),
        1 | 2 => (
            format!("/v1/identities/{owner}/orders"),
            json!({"offers": [offer], "locality": "TX", "channel": "BuyNow"}),
        ),
        3 => ("/v1/identities".to_owned(), json!({"realm": "User", "emails": [format!("{owner}@example.com")]})),
        _ => ("/v1/paymentMethods".to_owned(), callers::card()),
    };
    let (token, body) = (server::token(), body.to_string());
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\nidempotency-key: the key of {owner}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
