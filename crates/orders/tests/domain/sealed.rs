//! The days of birth on orders, which are sealed in the database with the key of the person.

use pavise_kernel::common::v1::{Date, ReadJournalRequest};
use pavise_kernel::sealed::{Keys, MasterKeys};
use pavise_kernel::store::{Command, StoredRow, Write};
use pavise_kernel::time::{Ids, TestClock};
use pavise_kernel::{Error, Result};
use pavise_orders::contract::ORDER_TABLE;
use pavise_orders::contract::v1::*;
use pavise_testkit::scene::{Engine, MASTER, request_with_key};
use std::sync::Arc;

use crate::scene::{ALICE, JOURNAL, STAFF, Scene, mastered, refusal_reason, request_by, scenes, user};

const BORN: Date = Date { year: 1987, month: 6, day: 5 };

async fn put(scene: &Scene, order: &Order, born: Option<Date>, key: &str) -> Result<Order> {
    let spouse = AuthorizedUser { id: "spouse-1".into(), birth_date: born, ..user(AuthorizedUserType::Spouse) };
    let child = AuthorizedUser { id: "child-1".into(), ..user(AuthorizedUserType::Dependent) };
    let request = PutAuthorizedUsersRequest {
        order_id: order.id.clone(),
        authorized_users: vec![spouse, child],
        ..PutAuthorizedUsersRequest::default()
    };
    Ok(scene
        .orders()
        .put_authorized_users(request_with_key(ALICE, key, request))
        .await
        .map_err(Error::from)?
        .into_inner())
}

/// All documents of the order as the database has them: its row, and its journal.
async fn stored(scene: &Scene, order: &Order) -> Vec<String> {
    let row = scene.store().get(&ORDER_TABLE, &order.id).await.unwrap().unwrap();
    let (entries, _) = scene.store().journal("orders", &order.id, 0, 100).await.unwrap();
    entries.into_iter().map(|entry| entry.doc).chain([row.doc]).collect()
}

/// A second process, which has opened no key yet.
fn keys(scene: &Scene) -> Keys {
    let clock = Arc::new(TestClock::at(1));
    Keys::new(scene.database().key_store().clone(), MasterKeys::new(MASTER, None), Ids::from_seed(9), clock)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_of_birth_lies_sealed_in_rows_and_journals() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await;
        let written = put(&scene, &order, Some(BORN), "key-1").await.unwrap();
        assert_eq!(written.authorized_users[0].birth_date, Some(BORN));
        let docs = stored(&scene, &order).await;
        assert_eq!(docs.len(), 3);
        assert!(docs.iter().all(|doc| !doc.contains("1987")), "{docs:?}");
        assert_eq!(docs.iter().filter(|doc| doc.contains("p/alice")).count(), 2, "{docs:?}");
        // Readers of the domain see the day.
        assert_eq!(scene.get(ALICE, &order).await.unwrap().authorized_users[0].birth_date, Some(BORN));
        let entries = scene.read_journal(JOURNAL).await;
        let seen: Order = pavise_kernel::worker::decode_entity(entries.last().unwrap()).unwrap().unwrap();
        assert_eq!(seen.authorized_users[0].birth_date, Some(BORN));
        // A repeat gets the kept answer, which is sealed, too.
        let again = put(&scene, &order, Some(BORN), "key-1").await.unwrap();
        assert_eq!(again, written);
        assert_eq!(stored(&scene, &order).await, docs, "a repeat writes nothing");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_destroyed_key_erases_the_day_everywhere_and_is_never_made_again() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await;
        put(&scene, &order, Some(BORN), "key-1").await.unwrap();
        let destroyed =
            scene.kernel.field_sealer().unwrap().data_keys().unwrap().destroy_keys(&["p/alice".to_owned()]).await;
        destroyed.unwrap();
        let read = scene.get(ALICE, &order).await.unwrap();
        assert_eq!((read.authorized_users[0].birth_date, read.authorized_users.len()), (None, 2));
        let entries = scene.read_journal(JOURNAL).await;
        let seen: Order = pavise_kernel::worker::decode_entity(entries.last().unwrap()).unwrap().unwrap();
        assert_eq!(seen.authorized_users[0].birth_date, None);
        assert_eq!(refusal_reason(put(&scene, &order, Some(BORN), "key-2").await), "PERSON_ERASED");
        let repeated = put(&scene, &order, Some(BORN), "key-1").await.unwrap();
        assert_eq!(repeated.authorized_users[0].birth_date, None, "kept answers have it no more");
        put(&scene, &order, None, "key-3").await.unwrap();
        keys(&scene).destroy_keys(&["p/alice".to_owned()]).await.unwrap();
        // Before it serves, a process takes the ciphertext out of a database that is older than the erasure.
        assert!(stored(&scene, &order).await.iter().any(|doc| doc.contains("p/alice")));
        assert!(stored(&scene, &order).await.iter().any(|doc| doc.contains("Lee")));
        assert!(scene.erase_again().await.unwrap() > 0);
        assert!(stored(&scene, &order).await.iter().all(|doc| !doc.contains("p/alice") && !doc.contains("Lee")));
        assert_eq!(
            list_seen(&scene).await.last().unwrap().authorized_users.len(),
            2,
            "the people, without their names"
        );
        assert_eq!(scene.erase_again().await.unwrap(), 0, "the database knows all who were erased");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_master_key_only_what_is_sealed_is_refused() {
    for engine in Engine::BOTH {
        let scene = mastered(engine, None).await;
        let order = scene.order(&["legal"]).await;
        let refused = put(&scene, &order, Some(BORN), "key-1").await.unwrap_err();
        assert_eq!(refused.reason(), "NOT_CONFIGURED");
        assert!(refused.message().contains("--key-secret"), "{}", refused.message());
        let without = put(&scene, &order, None, "key-2").await.unwrap();
        assert_eq!(scene.get(ALICE, &order).await.unwrap(), without, "the rest is served");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_rewrapped_while_calls_flow_and_the_old_secret_may_go() {
    for engine in Engine::BOTH {
        let both = MasterKeys::new("the master key that comes", Some(MASTER));
        let old = mastered(engine, Some(MasterKeys::new(MASTER, None))).await;
        let order = old.order(&["legal"]).await;
        put(&old, &order, Some(BORN), "key-1").await.unwrap();
        let clock = || Arc::new(TestClock::at(1));
        let store = || old.database().key_store().clone();
        let changed = Keys::new(store(), both.clone(), Ids::from_seed(9), clock());
        // Calls of a process that wraps with the old secret, or with both, are served all the time.
        let calls = async {
            for at in 0..20 {
                put(&old, &order, Some(BORN), &format!("during-{at}")).await.unwrap();
            }
        };
        let (rotated, ()) = tokio::join!(changed.rewrap_keys(|_| {}), calls);
        assert!(rotated.unwrap() >= 1);
        assert_eq!(changed.rewrap_keys(|_| {}).await.unwrap(), 0, "all are wrapped with the new one");
        let left = old.database().key_store().wrapped_otherwise(both.id(), "", 10).await.unwrap();
        assert_eq!(left, [], "the old secret opens nothing more");
        let alone = Keys::new(store(), MasterKeys::new("the master key that comes", None), Ids::from_seed(9), clock());
        assert_eq!(alone.rewrap_keys(|_| {}).await.unwrap(), 0);
        let third = Keys::new(store(), MasterKeys::new("a third one", None), Ids::from_seed(9), clock());
        assert!(third.rewrap_keys(|_| {}).await.is_err());
        assert_eq!(old.get(ALICE, &order).await.unwrap().authorized_users[0].birth_date, Some(BORN));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_written_plain_is_sealed_and_the_rest_stays_as_it_is() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await;
        // An earlier version of the platform wrote plain documents: a command that is not sealed does the same.
        let row = scene.store().get(&ORDER_TABLE, &order.id).await.unwrap().unwrap();
        let plain = |version: i64, born: &str| {
            let user =
                format!(r#"{{"id":"1","type":"SPOUSE","firstName":"Bo","lastName":"Lee","birthDate":"{born}"}}"#);
            let mut doc: serde_json::Value = serde_json::from_str(&row.doc).unwrap();
            doc["authorizedUsers"] = serde_json::from_str(&format!("[{user}]")).unwrap();
            doc["version"] = version.to_string().into();
            let row = StoredRow { version, doc: doc.to_string(), ..row.clone() };
            let action = "AUTHORIZED_USERS_UPDATED".to_owned();
            let (table, expected) = (&ORDER_TABLE, Some(version - 1));
            let write = Write { table, row, expected, removed: false, action, lookups: Vec::new() };
            Command { journal: "orders", writes: vec![write], at: 1, ..Command::default() }
        };
        for (version, born) in [(2, "1987-06-04"), (3, "1987-06-05")] {
            scene.kernel.committer().submit(plain(version, born)).await.unwrap();
        }
        let before: Vec<Order> = list_seen(&scene).await;
        assert_eq!(stored(&scene, &order).await.iter().filter(|doc| doc.contains("1987")).count(), 3);
        assert_eq!(scene.rewrite_earlier().await.unwrap(), 3);
        let docs = stored(&scene, &order).await;
        assert!(docs.iter().all(|doc| !doc.contains("1987")), "{docs:?}");
        assert_eq!(list_seen(&scene).await, before, "readers see the same as before");
        assert_eq!(scene.get(ALICE, &order).await.unwrap().authorized_users[0].birth_date, Some(BORN));
        assert_eq!(scene.rewrite_earlier().await.unwrap(), 0, "a repeat does nothing");
        // It goes on from where it stood.
        scene.kernel.committer().submit(plain(4, "1987-06-06")).await.unwrap();
        assert_eq!(scene.rewrite_earlier().await.unwrap(), 2);
    }
}

/// The orders in the journal, as its readers get them.
async fn list_seen(scene: &Scene) -> Vec<Order> {
    let entries = scene.read_journal(JOURNAL).await;
    entries.iter().map(|entry| pavise_kernel::worker::decode_entity(entry).unwrap().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_see_the_year_and_are_told_the_day_for_a_reason() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await;
        let born = |order: &Order| order.authorized_users[0].birth_date;
        put(&scene, &order, Some(BORN), "key-1").await.unwrap();
        let year = Date { month: 0, day: 0, ..BORN };
        assert_eq!(born(&scene.get(STAFF, &order).await.unwrap()), Some(year));
        assert_eq!(born(&scene.get(ALICE, &order).await.unwrap()), Some(BORN), "who gave it sees it");
        let page = scene.orders().read_journal(request_by(STAFF, ReadJournalRequest::default())).await.unwrap();
        let entries = page.into_inner().entries;
        let entry: Order = pavise_kernel::worker::decode_entity(entries.last().unwrap()).unwrap().unwrap();
        assert_eq!(born(&entry), Some(year), "journals show staff no more");

        let reveal = async |who: &str, reason: &str| {
            let request = RevealOrderRequest { order_id: order.id.clone(), reason: reason.into() };
            let answer = scene.orders().reveal_order(request_with_key(who, "key-reveal", request)).await;
            answer.map(tonic::Response::into_inner).map_err(Error::from)
        };
        let noted = || {
            scene
                .kernel
                .disclosures()
                .take_oldest(100)
                .into_iter()
                .filter(|read| !read.reason.is_empty())
                .collect::<Vec<_>>()
        };
        assert_eq!(refusal_reason(reveal(STAFF, " ").await), "INVALID_FIELD");
        assert_eq!(refusal_reason(reveal(ALICE, "mine").await), "REALM_NOT_ALLOWED");
        assert!(noted().is_empty());
        // No answer is kept: another reason with the same key is no other request of a known key.
        for reason in ["the insurer asks", "the court asks"] {
            assert_eq!(born(&reveal(STAFF, reason).await.unwrap()), Some(BORN));
        }
        let noted = noted();
        assert_eq!(noted.len(), 2, "each one is noted: {noted:?}");
        assert!(noted.iter().all(|read| (read.rpc, read.owner.as_str()) == ("RevealOrder", "alice")));
        assert_eq!((noted[0].reason.as_str(), noted[1].reason.as_str()), ("the insurer asks", "the court asks"));
    }
}
