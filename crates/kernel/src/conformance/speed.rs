//! How fast an engine commits. A measurement, not a property.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::Fixture;
use super::things::{Thing, command, journal_of, remembered};
use crate::committer::{Committer, Options};
use crate::store::Outcome;

/// Prints commits per second with 64 submitters and with one: documents of about 850 bytes with an idempotency record.
pub async fn speed(fixture: &dyn Fixture) {
    for submitters in [64, 1, 64, 1] {
        let database = fixture.fresh().await;
        let committer = Committer::start(database.store.clone(), Options::default());
        let started = Instant::now();
        let mut tasks = JoinSet::new();
        for submitter in 0..submitters {
            let committer = committer.clone();
            tasks.spawn(async move {
                let mut done = 0_u32;
                while started.elapsed() < Duration::from_secs(5) {
                    let id = format!("{submitter:02}-{done:06}");
                    let thing = Thing::new(id.clone()).with("text", "lorem ipsum ".repeat(65)).with("brand", "acme");
                    let one = remembered(command(vec![thing.create()]), &id, "request");
                    assert!(matches!(committer.submit(one).await.unwrap(), Outcome::Committed(_)));
                    done += 1;
                }
                done
            });
        }
        let done: u32 = tasks.join_all().await.into_iter().sum();
        let seconds = started.elapsed().as_secs_f64();
        assert_eq!(journal_of(&database.store, "things").await.len(), usize::try_from(done).unwrap());
        println!("{submitters:>3} submitters: {:>8.0} commits/s", f64::from(done) / seconds);
    }
}
