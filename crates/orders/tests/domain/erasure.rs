//! One person's data: their export and their erasure, in rows, journals, lookups, kept answers and failed entries.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use pavise_kernel::common::v1::{
    Date, ErasedCounts, ExportPersonRequest, PersonalValue, RedactPersonRequest, RegionCode,
};
use pavise_kernel::store::{Cursor, Entry, FailedEntry};
use pavise_kernel::{Error, Result};
use pavise_orders::contract::v1::person_service_client::PersonServiceClient;
use pavise_orders::contract::v1::*;
use pavise_orders::contract::{ORDER_NOTE_TABLE, ORDER_TABLE};
use pavise_testkit::scene::request_with_key;

use crate::scene::{ALICE, PLATFORM, STAFF, Scene, draft, refusal_reason, request_by, scenes, user};

/// The parts of the values of Alice, in lower case.
const VALUES: [&str; 9] = [
    "zelda",
    "quillfeather",
    "zq@example.com",
    "5125550177",
    "heron wharf",
    "wilhelmina",
    "1987-06-05",
    "asked for",
    "removed",
];
/// A member of whom nothing goes away.
const BOB: &str = "User/bob";

fn zelda() -> OrderDraft {
    let person = PersonalInfo {
        first_name: "Zelda".into(),
        last_name: "Quillfeather".into(),
        email: "ZQ@example.com".into(),
        phone_number: "512 555 0177".into(),
        ..PersonalInfo::default()
    };
    let born = Some(Date { year: 1987, month: 6, day: 5 });
    let spouse =
        AuthorizedUser { first_name: "Wilhelmina".into(), birth_date: born, ..user(AuthorizedUserType::Spouse) };
    let address = pavise_kernel::common::v1::Address {
        address1: "17 Heron Wharf".into(),
        city: "Dallas".into(),
        locality: RegionCode::Tx.into(),
        postal_code: "75201".into(),
        ..Default::default()
    };
    OrderDraft {
        personal_info: Some(person),
        authorized_users: vec![spouse],
        address: Some(address),
        ..draft(RegionCode::Tx, &["legal"])
    }
}

async fn note(scene: &Scene, order: &Order, text: &str) -> OrderNote {
    let request = CreateOrderNoteRequest { order_id: order.id.clone(), text: text.into(), ..Default::default() };
    scene.notes().create_order_note(request_by(STAFF, request)).await.unwrap().into_inner()
}

/// An order that Alice began as a visitor, with notes, one of which is gone; and one of Bob.
async fn begin(scene: &Scene) -> (Order, Order) {
    let request = CreateAnonymousOrderRequest { order: Some(zelda()) };
    let visited = scene
        .orders()
        .create_anonymous_order(request_with_key("", "a key of a visitor", request))
        .await
        .unwrap()
        .into_inner();
    let request = AssignOwnerRequest { order_id: visited.id.clone(), identity_id: "alice".into() };
    let order = scene.orders().assign_owner(request_with_key(ALICE, "key-2", request)).await.unwrap().into_inner();
    note(scene, &order, "Zelda asked for a form").await;
    let removed = note(scene, &order, "removed").await;
    let request = DeleteOrderNoteRequest { order_id: order.id.clone(), order_note_id: removed.id.clone() };
    scene.notes().delete_order_note(request_by(STAFF, request)).await.unwrap();
    let mut other = draft(RegionCode::Tx, &["legal"]);
    other.personal_info = Some(PersonalInfo {
        first_name: "Robert".into(),
        last_name: "Otherwise".into(),
        email: "robert@example.com".into(),
        ..PersonalInfo::default()
    });
    let request = CreateOrderRequest { identity_id: "bob".into(), order: Some(other) };
    let other = scene.orders().create_order(request_with_key(BOB, "key-3", request)).await.unwrap().into_inner();
    note(scene, &other, "a note on Robert").await;
    let failed = FailedEntry {
        worker: "a worker".into(),
        clock: 1,
        entity_id: order.id.clone(),
        attempts: 20,
        next_at: 0,
        cause: "Quillfeather is no name".into(),
        parked: true,
        entry: Vec::new(),
    };
    let to = Cursor { clock: 1, epoch: "epoch".into() };
    assert!(scene.store().lease("a worker", "holder", Duration::from_secs(60)).await.unwrap());
    assert!(scene.store().advance("a worker", "holder", &to, &[failed]).await.unwrap());
    (order, other)
}

fn people(scene: &Scene) -> PersonServiceClient<pavise_kernel::peers::Transport> {
    PersonServiceClient::new(scene.transport())
}

async fn export(scene: &Scene, identity: &str) -> Vec<PersonalValue> {
    let (mut values, mut token) = (Vec::new(), String::new());
    loop {
        let request = ExportPersonRequest { identity_id: identity.into(), page_token: token };
        let answer = people(scene).export_person(request_by(PLATFORM, request)).await.unwrap().into_inner();
        values.extend(answer.values);
        token = answer.next_page_token;
        if token.is_empty() {
            return values;
        }
    }
}

async fn redact(scene: &Scene, identity: &str, preview: bool) -> Result<Vec<ErasedCounts>> {
    let (mut services, mut token) = (Vec::new(), String::new());
    loop {
        let request = RedactPersonRequest { identity_id: identity.into(), page_token: token, preview };
        let answer =
            people(scene).redact_person(request_by(PLATFORM, request)).await.map_err(Error::from)?.into_inner();
        services.extend(answer.services);
        token = answer.next_page_token;
        if token.is_empty() {
            return Ok(services);
        }
    }
}

/// The whole journal, as the database has it.
async fn entries(scene: &Scene) -> Vec<Entry> {
    scene.store().journal("orders", "", 0, 1000).await.unwrap().0
}

/// All that the database has: documents, lookups, kept answers, causes.
async fn stored(scene: &Scene, orders: &[&Order]) -> String {
    let store = scene.store();
    let mut all: Vec<String> = entries(scene).await.into_iter().map(|entry| entry.doc).collect();
    for table in [&ORDER_TABLE, &ORDER_NOTE_TABLE] {
        let rows = store.scan(table, "", 1000).await.unwrap();
        all.extend(rows.into_iter().map(|row| row.doc));
    }
    let ids: Vec<String> = orders.iter().map(|order| order.id.clone()).collect();
    all.extend(store.lookup_values(&ORDER_TABLE, &ids).await.unwrap().into_iter().map(|(.., value)| value));
    all.extend(store.failed_entries("", 100).await.unwrap().into_iter().map(|entry| entry.cause));
    all.join("\n").to_lowercase()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erased_person_is_nowhere_and_the_rest_stays() {
    for scene in scenes().await {
        let (order, other) = begin(&scene).await;
        let before = entries(&scene).await;
        let text = stored(&scene, &[&order, &other]).await;
        for value in VALUES.iter().filter(|value| !value.starts_with("1987")) {
            assert!(text.contains(value), "{value} is not there before");
        }
        let exported = export(&scene, "alice").await;
        let all: String = exported.iter().map(|value| format!("{}\n", value.value)).collect();
        for value in VALUES {
            assert!(
                all.to_lowercase().contains(&value.replace("5125550177", "+15125550177")),
                "{value} is not exported: {all}"
            );
        }
        assert!(
            exported.iter().all(|value| value.service == "orders" && !value.value.contains("Robert")),
            "{exported:#?}"
        );
        let of = |field: &str| exported.iter().find(|value| value.field == field).unwrap();
        assert_eq!((of("personalInfo.email").entity.as_str(), of("personalInfo.email").current), ("Order", true));
        assert_eq!(of("personalInfo.email").value, "ZQ@example.com");
        assert!(exported.iter().any(|value| value.value == "removed" && !value.current), "what is gone was there");

        let counted = redact(&scene, "alice", true).await.unwrap();
        assert_eq!(entries(&scene).await, before, "a preview writes nothing");
        let erased = redact(&scene, "alice", false).await.unwrap();
        let sum = |of: &[ErasedCounts], count: fn(&ErasedCounts) -> i64| of.iter().map(count).sum::<i64>();
        assert_eq!(sum(&erased, |one| one.entities), 3);
        assert_eq!(sum(&erased, |one| one.entries), 5, "two of the order, three of notes");
        assert_eq!(sum(&counted, |one| one.entries), sum(&erased, |one| one.entries));
        assert_eq!(sum(&erased, |one| one.answers), 2);
        assert_eq!(sum(&erased, |one| one.failed_entries), 1);
        let text = stored(&scene, &[&order, &other]).await;
        for value in VALUES {
            assert!(!text.contains(value), "{value} is left: {text}");
        }
        assert!(text.contains("robert@example.com") && text.contains("a note on robert"), "{text}");

        // All but the documents is as it was.
        let bare = |entries: Vec<Entry>| entries.into_iter().map(|entry| Entry { doc: String::new(), ..entry });
        let after = entries(&scene).await;
        assert!(bare(after.clone()).eq(bare(before.clone())));
        for (was, is) in before.iter().zip(&after).filter(|(was, _)| was.entity_id == other.id) {
            assert_eq!(was, is);
        }
        let read = scene.get(STAFF, &order).await.unwrap();
        let person = read.personal_info.clone().unwrap_or_default();
        assert_eq!((person.email.as_str(), person.last_name.as_str()), ("", ""));
        assert_eq!((read.totals, read.locality, read.version), (order.totals, order.locality, 2));
        assert_eq!(export(&scene, "alice").await, []);
        assert_eq!(redact(&scene, "alice", false).await.unwrap(), [], "a repeat finds nothing");

        // A repeat of a call does nothing again, and gets no answer.
        let request = CreateAnonymousOrderRequest { order: Some(zelda()) };
        let again = scene.orders().create_anonymous_order(request_with_key("", "a key of a visitor", request)).await;
        assert_eq!(refusal_reason(again), "PERSON_ERASED");
        assert_eq!(entries(&scene).await.len(), after.len());
        let failed = scene.store().failed_entries("", 10).await.unwrap();
        assert!(failed[0].parked && failed[0].attempts == 20 && failed[0].cause.contains("erased"), "{failed:?}");
        // The order goes on.
        scene
            .orders()
            .delete_order(request_by(ALICE, DeleteOrderRequest { order_id: order.id.clone() }))
            .await
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_meanwhile_is_found_by_the_next_round() {
    for scene in scenes().await {
        let (order, _) = begin(&scene).await;
        redact(&scene, "alice", false).await.unwrap();
        let request = PutAuthorizedUsersRequest {
            order_id: order.id.clone(),
            authorized_users: vec![user(AuthorizedUserType::Spouse)],
            ..PutAuthorizedUsersRequest::default()
        };
        scene.orders().put_authorized_users(request_by(ALICE, request)).await.unwrap();
        let erased = redact(&scene, "alice", false).await.unwrap();
        assert_eq!((erased.len(), erased[0].entries), (1, 1), "{erased:?}");
        assert!(!stored(&scene, &[&order]).await.contains("lee"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_point_and_begun_again_it_comes_to_the_same_end() {
    for (scene, whole) in scenes().await.into_iter().zip(scenes().await) {
        let (order, other) = begin(&scene).await;
        let (begun, _) = begin(&whole).await;
        // A point is a wait, and an engine that answers at once leaves none. Much to erase has many.
        for number in 0..20 {
            let text = format!("Zelda asked for form {number}");
            note(&scene, &order, &text).await;
            note(&whole, &begun, &text).await;
        }
        redact(&whole, "alice", false).await.unwrap();
        let expected = entries(&whole).await;
        // Each time the caller goes away a little later. The engine ends what it began.
        let mut kills = 0;
        while !unless_left(redact(&scene, "alice", false), kills).await {
            kills += 1;
        }
        redact(&scene, "alice", false).await.unwrap();
        assert!(kills > 5, "{kills} points");
        assert_eq!(entries(&scene).await, expected);
        let (left, right) = (stored(&scene, &[&order, &other]).await, stored(&whole, &[&order, &other]).await);
        assert_eq!(left, right);
        println!("killed at {kills} points");
    }
}

/// Whether the work ends before it was polled so often.
async fn unless_left<T>(work: impl Future<Output = Result<T>>, polls: usize) -> bool {
    let mut work = pin!(work);
    let mut left = polls;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        work.as_mut().poll(context).map(|done| done.is_ok())
    })
    .await
}

#[tokio::test]
async fn only_programs_ask_for_a_person() {
    for scene in scenes().await {
        for who in [ALICE, STAFF] {
            let request = || ExportPersonRequest { identity_id: "alice".into(), ..ExportPersonRequest::default() };
            let refused = people(&scene).export_person(request_by(who, request())).await.unwrap_err();
            assert_eq!(refused.code(), tonic::Code::PermissionDenied);
            let request = RedactPersonRequest { identity_id: "alice".into(), ..RedactPersonRequest::default() };
            let refused = people(&scene).redact_person(request_by(who, request)).await.unwrap_err();
            assert_eq!(refused.code(), tonic::Code::PermissionDenied);
        }
        for token in ["nowhere:1", "orders:-1", "orders", "orders:x"] {
            let request = RedactPersonRequest { identity_id: "alice".into(), page_token: token.into(), preview: false };
            let refused = people(&scene).redact_person(request_by(PLATFORM, request)).await;
            assert_eq!(refusal_reason(refused), "INVALID_PAGE_TOKEN", "{token}");
        }
        let none: BTreeSet<String> = export(&scene, "nobody").await.into_iter().map(|value| value.value).collect();
        assert!(none.is_empty());
    }
}
