//! Watches of one order and of a member's orders.

use std::time::Duration;

use futures::StreamExt as _;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::numbers::Numbers;
use pavise_kernel::store::{Command, Outcome, Row, Write};
use pavise_kernel::table::Table;
use pavise_kernel::{Error, Result};
use pavise_orders::contract::TABLES;
use pavise_orders::contract::v1::order_service_client::OrderServiceClient;
use pavise_orders::contract::v1::{Order, WatchOrderRequest, WatchOrdersRequest};
use pavise_testkit::chance::Chance;
use pavise_testkit::runs;
use prost::Message as _;
use tonic::Streaming;

use crate::scene::{ALICE, MALLORY, STAFF, Scene, by, reason, scene, scenes};

/// The longest wait for an entry.
const SOON: Duration = Duration::from_secs(60);

fn table() -> &'static Table {
    TABLES.iter().map(|entry| entry.table).find(|table| table.message == "pavise.orders.v1.Order").unwrap()
}

/// Writes the next version of an order, and answers its clock.
async fn write(scene: &Scene, id: &str, owner: &str, version: i64) -> i64 {
    let at = scene.kernel.clock().now();
    let doc = format!(r#"{{"id":"{id}","ownerId":"{owner}","status":"OPEN","version":"{version}"}}"#);
    let (id, owner_id, status) = (id.to_owned(), owner.to_owned(), "OPEN".to_owned());
    let row = Row { id, owner_id, status, version, clock: 0, created_at: at, updated_at: at, doc };
    let expected = (version > 1).then_some(version - 1);
    let write = Write { table: table(), row, expected, removed: false, action: "UPDATED".into(), lookups: Vec::new() };
    let (actor, request_id) = ("staff".to_owned(), "r".to_owned());
    let (journal, subject) = (table().journal, String::new());
    let (conditions, numbers) = (Vec::new(), Numbers::default());
    let command =
        Command { journal, writes: vec![write], record: None, at, actor, subject, request_id, conditions, numbers };
    let outcome = scene.kernel.committer().submit(command).await.unwrap();
    let clock = if let Outcome::Committed(clock) = outcome { Some(clock) } else { None };
    clock.unwrap()
}

async fn watch(scene: &Scene, who: &str, order_id: &str, clock: i64) -> Result<Streaming<JournalEntry>> {
    let request = WatchOrderRequest {
        order_id: order_id.to_owned(),
        identity_id: "alice".to_owned(),
        clock,
        epoch: String::new(),
    };
    let mut client = OrderServiceClient::new(scene.transport());
    Ok(client.watch_order(by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn watch_all(scene: &Scene, who: &str, clock: i64) -> Result<Streaming<JournalEntry>> {
    let request = WatchOrdersRequest { identity_id: "alice".to_owned(), clock, epoch: String::new() };
    let mut client = OrderServiceClient::new(scene.transport());
    Ok(client.watch_orders(by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn next(stream: &mut Streaming<JournalEntry>) -> Option<Result<JournalEntry>> {
    let next = tokio::time::timeout(SOON, stream.next()).await.unwrap();
    next.map(|entry| entry.map_err(Error::from))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_watches_their_order_and_does_not_learn_who_worked_on_it() {
    for scene in scenes().await {
        write(&scene, "first", "alice", 1).await;
        write(&scene, "order", "alice", 1).await;
        let clock = write(&scene, "order", "alice", 2).await;
        let mut stream = watch(&scene, ALICE, "order", 0).await.unwrap();
        let entry = next(&mut stream).await.unwrap().unwrap();
        assert_eq!((entry.clock, entry.version, entry.entity_id.as_str()), (clock, 2, "order"), "its last change");
        assert_eq!((entry.actor.as_str(), entry.request_id.as_str()), ("", ""));
        let order = Order::decode(entry.entity.unwrap().value.as_slice()).unwrap();
        assert_eq!((order.id.as_str(), order.owner_id.as_str(), order.version), ("order", "alice", 2));
        write(&scene, "other", "alice", 1).await;
        write(&scene, "order", "alice", 3).await;
        assert_eq!(next(&mut stream).await.unwrap().unwrap().version, 3, "and not the other order");
        let mut staff = watch(&scene, STAFF, "order", 0).await.unwrap();
        assert_eq!(next(&mut staff).await.unwrap().unwrap().actor, "staff");
        assert_eq!(reason(watch(&scene, MALLORY, "order", 0).await), "NOT_THE_OWNER");
        assert_eq!(reason(watch(&scene, ALICE, "none", 0).await), "NOT_FOUND");
        assert_eq!(reason(watch(&scene, ALICE, "order", -1).await), "INVALID_FIELD");
        let unknown = WatchOrderRequest {
            order_id: "order".into(),
            identity_id: "alice".into(),
            clock: 1,
            epoch: "another".into(),
        };
        let mut client = OrderServiceClient::new(scene.transport());
        let mut restored = client.watch_order(by(ALICE, unknown)).await.unwrap().into_inner();
        assert_eq!(reason(next(&mut restored).await.unwrap()), "JOURNAL_EPOCH_CHANGED");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_ends_with_the_right_to_read_and_with_the_process() {
    let scene = scene().await;
    write(&scene, "order", "alice", 1).await;
    let (mut one, mut all) =
        (watch(&scene, ALICE, "order", 0).await.unwrap(), watch_all(&scene, ALICE, 0).await.unwrap());
    assert_eq!(next(&mut one).await.unwrap().unwrap().version, 1);
    write(&scene, "order", "bob", 2).await;
    assert_eq!(reason(next(&mut one).await.unwrap()), "NOT_FOUND");
    assert!(next(&mut one).await.is_none());
    write(&scene, "mine", "alice", 1).await;
    assert_eq!(next(&mut all).await.unwrap().unwrap().entity_id, "mine", "the order is bob's now");
    scene.kernel.stopping().cancel();
    assert!(next(&mut all).await.is_none());
}

/// The versions that a watch sent of each order.
type Seen = Vec<(String, i64)>;

/// Resumes a watch at random places until it has sent so many entries. Answers them, and how often it was resumed.
async fn resumed(scene: &Scene, of: Option<&str>, from: i64, count: usize, seed: u64) -> (Seen, usize) {
    let (mut chance, mut clock, mut seen, mut times) = (Chance::new(seed), from, Vec::new(), 0);
    while seen.len() < count {
        let mut stream = match of {
            Some(order) => watch(scene, ALICE, order, clock).await.unwrap(),
            None => watch_all(scene, ALICE, clock).await.unwrap(),
        };
        for _ in 0..chance.below(3).min(count - seen.len()) {
            let entry = next(&mut stream).await.unwrap().unwrap();
            assert!(entry.clock > clock, "{} comes after {clock}", entry.clock);
            clock = entry.clock;
            seen.push((entry.entity_id, entry.version));
        }
        times += 1;
    }
    (seen, times)
}

/// Watches are resumed again and again while others write: they lose nothing and repeat nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_is_resumed_again_and_again_is_complete() {
    let versions = i64::try_from(runs::size(80, 1_200)).unwrap();
    for scene in scenes().await {
        let from = write(&scene, "before", "alice", 1).await;
        for (order, owner) in [("a", "alice"), ("b", "alice"), ("c", "bob")] {
            write(&scene, order, owner, 1).await;
        }
        let writes = async |order: &str, owner: &str| {
            for version in 2..=versions {
                write(&scene, order, owner, version).await;
            }
        };
        let each = usize::try_from(versions).unwrap();
        let ((), (), (), one, all) = tokio::join!(
            writes("a", "alice"),
            writes("b", "alice"),
            writes("c", "bob"),
            resumed(&scene, Some("a"), from, each, 1),
            resumed(&scene, None, from, 2 * each, 2),
        );
        let of = |seen: &Seen, order: &str| {
            seen.iter().filter(|(id, _)| id == order).map(|(_, version)| *version).collect::<Vec<_>>()
        };
        let complete: Vec<i64> = (1..=versions).collect();
        assert_eq!((of(&one.0, "a"), one.0.len()), (complete.clone(), each));
        assert_eq!((of(&all.0, "a"), of(&all.0, "b")), (complete.clone(), complete));
        println!("resumed {} and {} times", one.1, all.1);
        assert!(one.1 + all.1 > each);
    }
}
