//! An unreadable document delays only the later entries of its own entity.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pavise_kernel::Kernel;
use pavise_kernel::common::v1::{JournalEntry, ReadJournalRequest};
use pavise_kernel::store::{Entry, FailedEntry};
use pavise_transcode::Transcoder;

use crate::cluster::{Cluster, DAWN, Reach, SECOND};
use crate::database::Engine;
use crate::peers::WORKER;
use crate::{Simulation, TICK};

/// A simulation without random failures.
pub(crate) fn calm() -> Simulation {
    let simulation = Simulation::new(1, false);
    simulation.cluster.lock().unwrap().trouble = false;
    simulation
}

impl Simulation {
    pub(crate) fn pass(&mut self, seconds: i64) {
        for _ in 0..seconds * SECOND / TICK {
            let now = self.now.load(Ordering::SeqCst) + TICK;
            self.now.store(now, Ordering::SeqCst);
            self.cluster.lock().unwrap().advance(TICK);
            self.processes.iter_mut().for_each(|process| process.tick(now));
        }
    }

    fn failed(&self) -> Vec<FailedEntry> {
        self.cluster.lock().unwrap().database.failed.values().cloned().collect()
    }

    pub(crate) fn paid(&self) -> Vec<i64> {
        let cluster = self.cluster.lock().unwrap();
        cluster.order.iter().map(|key| cluster.effects[key].clock).collect()
    }
}

#[test]
fn an_entry_that_cannot_be_read_is_parked_and_others_go_on() {
    let mut simulation = calm();
    for (clock, entity, readable) in [(1, "a", true), (2, "b", false), (3, "a", true), (4, "b", true), (5, "c", true)] {
        simulation.cluster.lock().unwrap().journal.push(JournalEntry {
            clock,
            entity_id: entity.to_owned(),
            entity: readable.then(prost_types::Any::default),
            ..JournalEntry::default()
        });
    }
    simulation.pass(30);
    let mut paid = simulation.paid();
    paid.sort_unstable();
    assert_eq!(paid, [1, 3, 5], "all but what cannot be read and what waits behind it");
    let failed = simulation.failed();
    let states: Vec<(i64, bool)> = failed.iter().map(|aside| (aside.clock, aside.parked)).collect();
    assert_eq!(states, [(2, true), (4, false)]);
    assert!(failed[0].cause.contains("the document cannot be read of entry 2"), "{}", failed[0].cause);

    // Replayed unchanged, it is parked again.
    let replay = |simulation: &Simulation| {
        let mut cluster = simulation.cluster.lock().unwrap();
        let aside = cluster.database.failed.get_mut(&(WORKER.to_owned(), 2)).unwrap();
        *aside = FailedEntry { attempts: 0, next_at: 0, parked: false, ..aside.clone() };
    };
    replay(&simulation);
    simulation.pass(30);
    assert!(simulation.failed()[0].parked && simulation.paid().len() == 3);

    simulation.cluster.lock().unwrap().journal[1].entity = Some(prost_types::Any::default());
    replay(&simulation);
    simulation.pass(30);
    assert_eq!(simulation.paid()[3..], [2, 4], "repaired and replayed, with what waited behind it");
    assert!(simulation.failed().is_empty());
}

#[test]
fn a_page_with_an_unreadable_document_is_a_page() {
    let cluster = Arc::new(Mutex::new(Cluster::new(1)));
    {
        let mut cluster = cluster.lock().unwrap();
        cluster.trouble = false;
        cluster.database.entries = (1..=2)
            .map(|clock| Entry {
                clock,
                action: "CREATED".to_owned(),
                table: "of_a_newer_version".to_owned(),
                entity_id: "a".to_owned(),
                owner_id: String::new(),
                version: clock,
                at: DAWN,
                actor: String::new(),
                subject: String::new(),
                request_id: String::new(),
                removed: false,
                doc: "{}".to_owned(),
            })
            .collect();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let page = runtime.block_on(async {
        let transcoder = Transcoder::new(&prost_reflect::DescriptorPool::new());
        let store = Arc::new(Engine(Reach { cluster: Arc::clone(&cluster), process: 0 }));
        let kernel = Kernel::builder(store, transcoder).build();
        let ask = ReadJournalRequest::default();
        let time = async {
            loop {
                cluster.lock().unwrap().advance(TICK);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::select! {
            page = kernel.journal_page("things", &ask) => page.unwrap(),
            () = time => unreachable!(),
        }
    });
    assert_eq!((page.clock, page.max_clock), (2, 2));
    assert!(page.entries.iter().all(|entry| entry.entity.is_none() && entry.entity_id == "a"));
}
