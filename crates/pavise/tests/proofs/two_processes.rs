//! Two servers on one PostgreSQL database: readers of a journal miss nothing, whichever server they ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pavise_kernel::time::Ids;
use pavise_testkit::postgres::Postgres;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::callers::Caller;
use crate::server::Server;
use crate::{journals, run_size, turn};

const WRITERS: usize = 8;
const READERS: u64 = 4;
/// How long a reader may take to see the end.
const PATIENCE: Duration = Duration::from_secs(60);

/// An entry as a reader saw it: clock, action, entity, version.
type Seen = (i64, String, String, i64);

#[tokio::test(flavor = "multi_thread")]
async fn readers_of_two_servers_see_every_entry_once_and_in_order() {
    let _turn = turn().await;
    let writes = run_size(2_000, 20_000);
    let postgres = tokio::task::block_in_place(|| Postgres::start().unwrap());
    let database = tokio::task::block_in_place(|| postgres.make_database().unwrap());
    let servers = [Server::start(&database), Server::start(&database)];
    let callers: Vec<Caller> =
        servers.iter().map(|server| Caller::new(watch::channel(server.base.clone()).1)).collect();
    let (next, aborted, last) =
        (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default(), Arc::new(AtomicI64::new(i64::MAX)));
    let mut readers = JoinSet::new();
    for number in 0..READERS {
        readers.spawn(read(callers.clone(), Ids::from_seed(number), Arc::clone(&last)));
    }
    let mut writers = JoinSet::new();
    for number in 0..WRITERS {
        let (caller, next, aborted) = (callers[number % 2].clone(), Arc::clone(&next), Arc::clone(&aborted));
        let dice = Ids::from_seed(100 + u64::try_from(number).unwrap());
        writers.spawn(async move {
            let mut acks = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::SeqCst);
                if number >= writes {
                    return acks;
                }
                let owner = format!("member-{number}");
                if !dice.bits().is_multiple_of(8) {
                    acks.push(caller.write(&owner).await);
                    continue;
                }
                // The client goes away in the middle; whether it had an effect is open.
                let patience = Duration::from_micros(dice.bits() % 8_000);
                match tokio::time::timeout(patience, caller.write(&owner)).await {
                    Ok(ack) => acks.push(ack),
                    Err(_) => _ = aborted.fetch_add(1, Ordering::SeqCst),
                }
            }
        });
    }
    let acks: Vec<_> = writers.join_all().await.into_iter().flatten().collect();
    let store = journals::open(&database).await;
    // The write of an aborted call may still be committed.
    let mut head = store.head(journals::METHODS).await.unwrap().clock;
    let mut since = Instant::now();
    while since.elapsed() < Duration::from_millis(300) {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let now = store.head(journals::METHODS).await.unwrap().clock;
        if now != head {
            (head, since) = (now, Instant::now());
        }
    }
    last.store(head, Ordering::SeqCst);
    let seen = readers.join_all().await;
    drop(servers);
    let entries = journals::entries(&store, journals::METHODS).await;
    let kept: Vec<Seen> = entries
        .iter()
        .map(|entry| (entry.clock, entry.action.clone(), entry.entity_id.clone(), entry.version))
        .collect();
    for (position, entry) in (1..).zip(&kept) {
        assert_eq!(entry.0, position, "a gap");
    }
    for one in &seen {
        assert_eq!(one.len(), kept.len());
        assert!(one == &kept, "a reader saw something else than the journal holds");
    }
    for ack in &acks {
        let entry = &entries[usize::try_from(ack.clock).unwrap() - 1];
        assert_eq!((entry.clock, &entry.entity_id), (ack.clock, &ack.id), "{}", ack.owner);
    }
    let owners: std::collections::BTreeSet<&str> = entries.iter().map(|entry| entry.owner_id.as_str()).collect();
    assert_eq!(owners.len(), entries.len(), "one write had two effects");
    journals::sound(&store).await;
    println!(
        "two servers: {writes} writes by {WRITERS} writers, {} acknowledged, {} aborted, {} entries; {READERS} readers: 0 missed, 0 repeated, 0 reordered; journals sound",
        acks.len(),
        aborted.load(Ordering::SeqCst),
        entries.len()
    );
}

/// Polls the journal, each page from a server chosen by chance, up to the last clock.
async fn read(callers: Vec<Caller>, dice: Ids, last: Arc<AtomicI64>) -> Vec<Seen> {
    let (mut seen, mut clock, mut moved) = (Vec::<Seen>::new(), 0, Instant::now());
    while clock < last.load(Ordering::SeqCst) {
        let caller = &callers[usize::try_from(dice.bits() % 2).unwrap()];
        let page =
            caller.get(&format!("/v1/paymentMethods/journal?clock={clock}&limit={}", 1 + dice.bits() % 100)).await;
        for entry in page["entries"].as_array().unwrap() {
            let number = |name: &str| entry[name].as_str().unwrap().parse::<i64>().unwrap();
            let word = |name: &str| entry[name].as_str().unwrap().to_owned();
            assert_eq!(number("clock"), clock + 1, "missed, repeated or out of order");
            clock = number("clock");
            moved = Instant::now();
            seen.push((clock, word("action"), word("entityId"), number("version")));
        }
        assert!(moved.elapsed() < PATIENCE, "nothing after {clock}");
        if page["entries"].as_array().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    seen
}
