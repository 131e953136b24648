//! Watches of one order and of a member's orders.

use std::time::Duration;

use futures::StreamExt as _;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::numbers::NumberPlan;
use pavise_kernel::store::{Command, Outcome, StoredRow, Write};
use pavise_kernel::table::Table;
use pavise_kernel::{Error, Result};
use pavise_orders::contract::TABLES;
use pavise_orders::contract::v1::order_service_client::OrderServiceClient;
use pavise_orders::contract::v1::{Order, WatchGroupOrdersRequest, WatchOrderRequest, WatchOrdersRequest};
use pavise_testkit::chance::SeededRandom;
use pavise_testkit::runs;
use prost::Message as _;
use tonic::Streaming;

use crate::scene::{ALICE, MALLORY, STAFF, Scene, refusal_reason, request_by, scene, scenes};

/// The longest wait for an entry.
const SOON: Duration = Duration::from_secs(60);

pub(crate) fn table() -> &'static Table {
    TABLES.iter().map(|entry| entry.table).find(|table| table.message == "pavise.orders.v1.Order").unwrap()
}

/// Writes the next version of an order, and answers its clock.
async fn write(scene: &Scene, id: &str, owner: &str, version: i64) -> i64 {
    write_in(scene, "", (id, owner), version).await
}

/// Writes the next version of an order of a group, and answers its clock.
async fn write_in(scene: &Scene, group: &str, order: (&str, &str), version: i64) -> i64 {
    write_at(scene, (group, ""), order, version).await
}

/// Writes the next version of an order of a group and a division, and answers its clock.
async fn write_at(scene: &Scene, (group, division): (&str, &str), (id, owner): (&str, &str), version: i64) -> i64 {
    let at = scene.kernel.business_clock().now();
    let field = |name: &str, id: &str| if id.is_empty() { String::new() } else { format!(r#","{name}":"{id}""#) };
    let (group, division) = (field("groupId", group), field("divisionId", division));
    let doc = format!(r#"{{"id":"{id}","ownerId":"{owner}","status":"OPEN","version":"{version}"{group}{division}}}"#);
    let (id, owner_id, status) = (id.to_owned(), owner.to_owned(), "OPEN".to_owned());
    let row = StoredRow { id, owner_id, status, version, clock: 0, created_at: at, updated_at: at, doc };
    let expected = (version > 1).then_some(version - 1);
    let write = Write { table: table(), row, expected, removed: false, action: "UPDATED".into(), lookups: Vec::new() };
    let (actor, request_id) = ("staff".to_owned(), "r".to_owned());
    let (journal, subject) = (table().journal, String::new());
    let (conditions, numbers) = (Vec::new(), NumberPlan::default());
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
    Ok(client.watch_order(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn watch_all(scene: &Scene, who: &str, clock: i64) -> Result<Streaming<JournalEntry>> {
    let request = WatchOrdersRequest { identity_id: "alice".to_owned(), clock, epoch: String::new() };
    let mut client = OrderServiceClient::new(scene.transport());
    Ok(client.watch_orders(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn watch_group(scene: &Scene, who: &str, group: &str, clock: i64) -> Result<Streaming<JournalEntry>> {
    let request = WatchGroupOrdersRequest { group_id: group.to_owned(), clock, epoch: String::new() };
    let mut client = OrderServiceClient::new(scene.transport());
    Ok(client.watch_group_orders(request_by(who, request)).await.map_err(Error::from)?.into_inner())
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
        assert_eq!(refusal_reason(watch(&scene, MALLORY, "order", 0).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(watch(&scene, ALICE, "none", 0).await), "NOT_FOUND");
        assert_eq!(refusal_reason(watch(&scene, ALICE, "order", -1).await), "INVALID_FIELD");
        let unknown = WatchOrderRequest {
            order_id: "order".into(),
            identity_id: "alice".into(),
            clock: 1,
            epoch: "another".into(),
        };
        let mut client = OrderServiceClient::new(scene.transport());
        let mut restored = client.watch_order(request_by(ALICE, unknown)).await.unwrap().into_inner();
        assert_eq!(refusal_reason(next(&mut restored).await.unwrap()), "JOURNAL_EPOCH_CHANGED");
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
    assert_eq!(refusal_reason(next(&mut one).await.unwrap()), "NOT_FOUND");
    assert!(next(&mut one).await.is_none());
    write(&scene, "mine", "alice", 1).await;
    assert_eq!(next(&mut all).await.unwrap().unwrap().entity_id, "mine", "the order is bob's now");
    scene.kernel.stop_token().cancel();
    assert!(next(&mut all).await.is_none());
}

const BOSS: &str = "GroupAdmin/boss/acme";

#[tokio::test(flavor = "multi_thread")]
async fn the_people_of_a_group_watch_its_orders_by_their_roles() {
    for scene in scenes().await {
        write_in(&scene, "acme", ("old", "alice"), 1).await;
        let service = "GroupAdmin/sue/globex/acme:CUSTOMER_SERVICE_REPRESENTATIVE";
        let mut streams = Vec::new();
        for who in [BOSS, service, STAFF] {
            streams.push(watch_group(&scene, who, "acme", 0).await.unwrap());
        }
        write(&scene, "private", "alice", 1).await;
        write_in(&scene, "globex", ("theirs", "boss"), 1).await;
        write_in(&scene, "acme", ("ours", "bob"), 1).await;
        write_in(&scene, "globex", ("ours", "bob"), 2).await;
        let clock = write_in(&scene, "acme", ("ours", "bob"), 3).await;
        for (at, stream) in streams.iter_mut().enumerate() {
            let [first, second] = [next(stream).await.unwrap().unwrap(), next(stream).await.unwrap().unwrap()];
            let seen = [&first, &second].map(|entry| (entry.entity_id.as_str(), entry.version));
            assert_eq!(seen, [("ours", 1), ("ours", 3)], "and not the version of the other group");
            assert_eq!((second.clock, second.actor.as_str()), (clock, if at == 2 { "staff" } else { "" }));
            let order = Order::decode(first.entity.unwrap().value.as_slice()).unwrap();
            assert_eq!((order.owner_id.as_str(), order.group_id.as_str()), ("bob", "acme"));
        }
        let mut resumed = watch_group(&scene, BOSS, "acme", clock - 1).await.unwrap();
        assert_eq!(next(&mut resumed).await.unwrap().unwrap().clock, clock);
        for (who, expected) in [
            ("GroupAdmin/otto/globex", "NOT_THE_OWNER"),
            ("GroupAdmin/fay/acme:FILE_ADMINISTRATOR", "ROLE_MISSING"),
            (ALICE, "REALM_NOT_ALLOWED"),
        ] {
            assert_eq!(refusal_reason(watch_group(&scene, who, "acme", 0).await), expected, "{who}");
        }
        assert_eq!(refusal_reason(watch_group(&scene, STAFF, "", 0).await), "INVALID_FIELD");
        let unknown = WatchGroupOrdersRequest { group_id: "acme".into(), clock: 1, epoch: "another".into() };
        let mut client = OrderServiceClient::new(scene.transport());
        let mut restored = client.watch_group_orders(request_by(BOSS, unknown)).await.unwrap().into_inner();
        assert_eq!(refusal_reason(next(&mut restored).await.unwrap()), "JOURNAL_EPOCH_CHANGED");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_people_of_a_division_watch_its_orders_alone() {
    for scene in scenes().await {
        let service = "GroupAdmin/wes/DIVISION=west@acme:CUSTOMER_SERVICE_REPRESENTATIVE";
        let mut streams = Vec::new();
        for who in [service, "GroupAdmin/ann/DIVISION=west@acme"] {
            streams.push(watch_group(&scene, who, "acme", 0).await.unwrap());
        }
        write_in(&scene, "acme", ("whole", "alice"), 1).await;
        write_at(&scene, ("acme", "east"), ("east", "bob"), 1).await;
        write_at(&scene, ("globex", "west"), ("theirs", "bob"), 1).await;
        write_at(&scene, ("acme", "west"), ("west", "bob"), 1).await;
        for stream in &mut streams {
            assert_eq!(next(stream).await.unwrap().unwrap().entity_id, "west");
        }
        for (who, expected) in [
            ("GroupAdmin/gus/DIVISION=west@globex", "NOT_THE_OWNER"),
            ("GroupAdmin/fay/DIVISION=west@acme:FILE_ADMINISTRATOR", "ROLE_MISSING"),
        ] {
            assert_eq!(refusal_reason(watch_group(&scene, who, "acme", 0).await), expected, "{who}");
        }
    }
}

/// Callers with random roles watch a group while orders move between groups. Each gets what a plain model of the entries
/// says, in order, and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn no_watch_sends_an_order_of_another_group() {
    for scene in scenes().await {
        let mut chance = SeededRandom::new(7);
        let groups = ["acme", "acm", "globex", ""];
        let from = write(&scene, "before", "alice", 1).await;
        let (mut versions, mut written) = ([0; 12], Vec::new());
        for _ in 0..runs::run_size(150, 5_000) {
            let order = chance.next_below(versions.len());
            let (id, group) = (format!("o-{order}"), groups[chance.next_below(groups.len())]);
            versions[order] += 1;
            let clock = write_in(&scene, group, (&id, "alice"), versions[order]).await;
            written.push((clock, group));
        }
        // An entry of each group ends the comparison.
        for (at, group) in groups.iter().enumerate() {
            written.push((write_in(&scene, group, (&format!("last-{at}"), "alice"), 1).await, *group));
        }
        for held in ["acme", "acm/globex", "acme/acm", "globex:CUSTOMER_SERVICE_REPRESENTATIVE/acme:FILE_ADMINISTRATOR"]
        {
            let who = format!("GroupAdmin/ann/{held}");
            for group in ["acme", "acm", "globex", "initech"] {
                let role = held.split('/').find(|one| one.split(':').next() == Some(group));
                let refused = match role {
                    None => Some("NOT_THE_OWNER"),
                    Some(role) if role.ends_with(":FILE_ADMINISTRATOR") => Some("ROLE_MISSING"),
                    Some(_) => None,
                };
                if let Some(refused) = refused {
                    assert_eq!(
                        refusal_reason(watch_group(&scene, &who, group, from).await),
                        refused,
                        "{who} in {group}"
                    );
                    continue;
                }
                let model: Vec<i64> = written.iter().filter(|(_, of)| *of == group).map(|(clock, _)| *clock).collect();
                let mut stream = watch_group(&scene, &who, group, from).await.unwrap();
                let mut seen = Vec::new();
                while seen.len() < model.len() {
                    let entry = next(&mut stream).await.unwrap().unwrap();
                    let order = Order::decode(entry.entity.unwrap().value.as_slice()).unwrap();
                    assert_eq!(order.group_id, group, "{who}");
                    seen.push(entry.clock);
                }
                assert_eq!(seen, model, "{who} in {group}");
            }
        }
    }
}

/// The versions that a watch sent of each order.
type Seen = Vec<(String, i64)>;

/// The part of the orders that a watch follows.
#[derive(Clone, Copy)]
enum Followed {
    One(&'static str),
    Mine,
    Group,
}

/// Resumes a watch at random places until it has sent so many entries. Answers them, and how often it was resumed.
async fn resumed(scene: &Scene, of: Followed, from: i64, count: usize, seed: u64) -> (Seen, usize) {
    let (mut chance, mut clock, mut seen, mut times) = (SeededRandom::new(seed), from, Vec::new(), 0);
    while seen.len() < count {
        let mut stream = match of {
            Followed::One(order) => watch(scene, ALICE, order, clock).await.unwrap(),
            Followed::Mine => watch_all(scene, ALICE, clock).await.unwrap(),
            Followed::Group => watch_group(scene, BOSS, "acme", clock).await.unwrap(),
        };
        for _ in 0..chance.next_below(3).min(count - seen.len()) {
            let entry = next(&mut stream).await.unwrap().unwrap();
            assert!(entry.clock > clock, "{} comes after {clock}", entry.clock);
            clock = entry.clock;
            seen.push((entry.entity_id, entry.version));
        }
        times += 1;
    }
    (seen, times)
}

/// Watches are resumed again and again while others write: they lose nothing and repeat nothing. The long form resumes
/// each watch more than a thousand times.
#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_is_resumed_again_and_again_is_complete() {
    let versions = i64::try_from(runs::run_size(80, 1_200)).unwrap();
    for scene in scenes().await {
        let from = write(&scene, "before", "alice", 1).await;
        for (order, owner, group) in [("a", "alice", "acme"), ("b", "alice", ""), ("c", "bob", "acme")] {
            write_in(&scene, group, (order, owner), 1).await;
        }
        let writes = async |order: &str, owner: &str, group: &str| {
            for version in 2..=versions {
                write_in(&scene, group, (order, owner), version).await;
            }
        };
        let each = usize::try_from(versions).unwrap();
        let ((), (), (), one, mine, group) = tokio::join!(
            writes("a", "alice", "acme"),
            writes("b", "alice", ""),
            writes("c", "bob", "acme"),
            resumed(&scene, Followed::One("a"), from, each, 1),
            resumed(&scene, Followed::Mine, from, 2 * each, 2),
            resumed(&scene, Followed::Group, from, 2 * each, 3),
        );
        let of = |seen: &Seen, order: &str| {
            seen.iter().filter(|(id, _)| id == order).map(|(_, version)| *version).collect::<Vec<_>>()
        };
        let complete: Vec<i64> = (1..=versions).collect();
        for (watch, orders) in [(&one.0, &["a"][..]), (&mine.0, &["a", "b"]), (&group.0, &["a", "c"])] {
            for order in orders {
                assert_eq!(of(watch, order), complete, "{order}");
            }
            assert_eq!(watch.len(), orders.len() * each, "and nothing else");
        }
        println!("resumed {}, {} and {} times", one.1, mine.1, group.1);
        // A resumption takes two entries at most, so that each watch was resumed at least so often.
        for (times, entries) in [(one.1, each), (mine.1, 2 * each), (group.1, 2 * each)] {
            assert!(times >= entries / 2, "{times} times for {entries} entries");
        }
    }
}
