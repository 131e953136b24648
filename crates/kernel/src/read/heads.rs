//! The heads of journals, for those who wait for more entries: however many wait, one task for each journal asks the
//! database.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::port::store::{JournalHead, Store};
use crate::time::shorten;

/// Time between two questions while entries are waited for. A commit's hint is faster, but only a hint.
const CALM: Duration = Duration::from_millis(500);
/// The same while somebody waits for a certain clock.
const EAGER: Duration = Duration::from_millis(50);

/// The journals that somebody waits for.
#[derive(Debug, Default)]
pub(crate) struct Heads(Mutex<HashMap<&'static str, Arc<Journal>>>);

#[derive(Debug)]
struct Journal {
    /// The head, as last seen; none before the first answer, and while the database does not answer.
    head: watch::Sender<Option<JournalHead>>,
    /// The number of those who wait for a certain clock.
    eager: AtomicUsize,
    hurry: Notify,
}

/// A wait for entries of one journal.
#[derive(Debug)]
pub(crate) struct Follower {
    journal: Arc<Journal>,
    head: watch::Receiver<Option<JournalHead>>,
    is_eager: bool,
}

impl Heads {
    /// Follows a journal's head until the follower is dropped.
    pub(crate) fn follow(self: &Arc<Self>, store: &Arc<dyn Store>, journal: &'static str, is_eager: bool) -> Follower {
        let mut all = self.lock();
        let known = all.entry(journal).or_insert_with(|| {
            let (head, eager, hurry) = (watch::Sender::new(None), AtomicUsize::default(), Notify::new());
            let known = Arc::new(Journal { head, eager, hurry });
            tokio::spawn(ask(Arc::downgrade(self), Arc::downgrade(store), journal, Arc::clone(&known)));
            known
        });
        let follower = Follower { journal: Arc::clone(known), head: known.head.subscribe(), is_eager };
        drop(all);
        if is_eager && follower.journal.eager.fetch_add(1, Ordering::Relaxed) == 0 {
            follower.journal.hurry.notify_one();
        }
        follower
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, Arc<Journal>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower {
    /// Waits until the journal has entries after that head, or another epoch. While the database does not answer, the
    /// wait ends after a while, so that the waiter's own question has the error.
    pub(crate) async fn moves_beyond(&mut self, seen: &JournalHead) {
        let is_news = |head: &Option<JournalHead>| {
            head.as_ref().is_some_and(|head| head.clock > seen.clock || head.epoch != seen.epoch)
        };
        loop {
            let head = self.head.borrow_and_update().clone();
            if is_news(&head) {
                return;
            }
            let change = tokio::time::timeout(CALM, self.head.changed()).await;
            if change.is_err() && self.head.borrow().is_none() {
                return;
            }
        }
    }

    /// Waits until the journal is at that clock, as far as the database answers.
    pub(crate) async fn reaches(&mut self, clock: i64) {
        // An error means that the task has ended: the waiter's own time ends then.
        if self.head.wait_for(|head| head.as_ref().is_some_and(|head| head.clock >= clock)).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        if self.is_eager {
            self.journal.eager.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Asks for a journal's head as long as somebody follows it.
async fn ask(heads: Weak<Heads>, store: Weak<dyn Store>, name: &'static str, journal: Arc<Journal>) {
    loop {
        let Some(store) = store.upgrade() else { return };
        let head = store.head(name).await;
        drop(store);
        if let Err(error) = &head {
            tracing::debug!(journal = name, cause = %error, "the head of a journal is not known");
        }
        journal.head.send_if_modified(|known| {
            let head = head.ok();
            let is_other = *known != head;
            *known = head;
            is_other
        });
        let every = if journal.eager.load(Ordering::Relaxed) > 0 { EAGER } else { CALM };
        // Each journal has a period of its own, so that the database is not asked for all of them at once.
        let bits = name.bytes().fold(0_u64, |bits, byte| bits.wrapping_mul(31).wrapping_add(u64::from(byte)));
        tokio::select! {
            () = tokio::time::sleep(shorten(every, bits)) => {}
            () = journal.hurry.notified() => {}
        }
        let Some(heads) = heads.upgrade() else { return };
        let mut all = heads.lock();
        if journal.head.receiver_count() == 0 {
            all.remove(name);
            return;
        }
    }
}
