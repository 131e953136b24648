//! The commit rate of an engine. A measurement, not a property.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::Fixture;
use super::things::{SampleEntity, journal_of, new_command, with_record};
use crate::port::committer::{Committer, Options};
use crate::port::store::Outcome;

/// The time of one measurement.
const SPAN: Duration = Duration::from_secs(3);

/// Prints commits per second of 64 submitters, of one submitter, and of two processes with 32 submitters each on one
/// journal. Documents have about 850 bytes, each with an idempotency record.
pub async fn measure_speed(fixture: &dyn Fixture) {
    for _ in 0..3 {
        for (processes, submitters) in [(1, 64), (1, 1), (2, 32)] {
            let database = fixture.fresh().await;
            let started = Instant::now();
            let (mut tasks, ids) = (JoinSet::new(), Arc::new(AtomicU64::new(0)));
            for store in [&database.store, &database.other].into_iter().take(processes) {
                let committer = Committer::start(store.clone(), Options::default());
                for _ in 0..submitters {
                    tasks.spawn(submit(committer.clone(), ids.clone(), started));
                }
            }
            let done: u32 = tasks.join_all().await.into_iter().sum();
            let seconds = started.elapsed().as_secs_f64();
            assert_eq!(journal_of(&database.store, "things").await.len(), usize::try_from(done).unwrap());
            println!(
                "{processes} processes with {submitters:>2} submitters each: {:>6.0} commits/s",
                f64::from(done) / seconds
            );
        }
    }
}

/// Ids rise as real ids do, and keys are scattered as real digests are.
async fn submit(committer: Committer, ids: Arc<AtomicU64>, started: Instant) -> u32 {
    let mut done = 0;
    while started.elapsed() < SPAN {
        let number = ids.fetch_add(1, Ordering::Relaxed);
        let key = format!("{:016x}{number:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let thing =
            SampleEntity::new(format!("{number:032}")).with("text", "lorem ipsum ".repeat(65)).with("brand", "acme");
        let one = with_record(new_command(vec![thing.create()]), &key, "request");
        assert!(matches!(committer.submit(one).await.unwrap(), Outcome::Committed(_)));
        done += 1;
    }
    done
}
