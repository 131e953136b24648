//! Counts for rate limits, which the processes of one database share.
//!
//! A process counts by itself, so that no call waits for a write. About once a second it exchanges with the others what
//! it counted and what it asked for, in one small transaction, by the database's clock. It exchanges nothing while
//! nobody asks.
//!
//! A process learns of a key's other counts within a second of its own next use of the key. So N processes may admit up
//! to N times a limit in a burst. Then all of them know, and wait until the sum has fallen: over a longer time, no more
//! is admitted than the limit says. While the database does not answer, each process goes on with its own counts.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::port::store::{CountChange, Decay, SharedCount, Store};
use crate::time::{Clock, Micros};

/// Keys that are kept at most, but for those that have to wait.
const BOUND: usize = 100_000;
/// Keys in one exchange at most.
const AT_ONCE: usize = 1_000;
/// Time between two exchanges.
pub(crate) const INTERVAL: Duration = Duration::from_secs(1);

/// A count as one process knows it.
#[derive(Debug, Clone, Copy)]
struct Known {
    decay: Decay,
    /// The count at `at`.
    count: i64,
    /// The time of the last addition; for a steady count, the time that `count` belongs to.
    at: Micros,
    /// The sum of all processes at the last exchange; `None` before the first.
    shared: Option<i64>,
    /// The last time at which another process added.
    elsewhere_at: Option<Micros>,
    /// The owner of the key has to wait until then.
    until: Micros,
    /// The addition of the next exchange.
    pending: i64,
    /// Whether the next exchange has to begin the count again.
    reset: bool,
    /// Whether the next exchange has to ask for it.
    asked: bool,
}

/// A count, as far as this process knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The count now.
    pub count: i64,
    /// The last time at which another process added to it, if one did.
    pub elsewhere_at: Option<Micros>,
    /// The time that was set by [`Counts::hold`].
    pub until: Micros,
}

/// The counts of a process.
#[derive(Debug, Default)]
pub struct Counts {
    known: Mutex<HashMap<String, Known>>,
    /// Wakes the task that exchanges.
    used: Notify,
}

/// The addition of a call to a count, and the most that the count may then be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) key: String,
    pub(crate) by: i64,
    pub(crate) most: i64,
}

impl Known {
    fn new(decay: Decay, now: Micros) -> Self {
        let (count, at, until, pending) = (0, now, now, 0);
        Self { decay, count, at, shared: None, elsewhere_at: None, until, pending, reset: false, asked: true }
    }

    fn now(&self, now: Micros) -> i64 {
        match self.decay {
            Decay::Steady => self.count.saturating_sub(now.saturating_sub(self.at).max(0)).max(0),
            Decay::After(lasts) if now.saturating_sub(self.at) > lasts => 0,
            Decay::After(_) => self.count,
        }
    }

    /// Adds what other processes added since the last exchange, and takes off what they took off.
    fn learn(&mut self, change: &CountChange, shared: Option<&SharedCount>, now: Micros) {
        let (count, left, age) = shared.map_or((0, 0, 0), |one| (one.count, one.left, one.age));
        let elsewhere = count.saturating_sub(self.shared.unwrap_or(0)).saturating_sub(change.add);
        let is_first = self.shared.replace(count).is_none();
        let own = self.now(now);
        match self.decay {
            // A steady count from before the first exchange has fallen since.
            Decay::Steady if is_first => self.count = own.max(left.saturating_add(self.pending)),
            Decay::Steady => self.count = own.saturating_add(elsewhere.max(0)),
            Decay::After(_) => self.count = own.saturating_add(elsewhere).max(0),
        }
        if elsewhere > 0 {
            let at = if change.add > 0 { now } else { now.saturating_sub(age) };
            self.elsewhere_at = Some(at);
            self.at = self.at.max(at);
        }
        if self.decay == Decay::Steady {
            self.at = now;
        }
    }

    fn waits(&self, now: Micros) -> bool {
        now < self.until || self.decay == Decay::Steady && self.now(now) > 0
    }
}

impl Counts {
    /// The count of a key.
    pub fn get(&self, key: &str, decay: Decay, now: Micros) -> Count {
        let mut all = self.lock();
        make_room(&mut all, now);
        let known = all.entry(key.to_owned()).or_insert_with(|| Known::new(decay, now));
        known.asked = true;
        let count = Count { count: known.now(now), elsewhere_at: known.elsewhere_at, until: known.until };
        drop(all);
        self.used.notify_one();
        count
    }

    /// Adds to a count and answers it. It never falls below nothing.
    pub fn add(&self, key: &str, decay: Decay, by: i64, now: Micros) -> i64 {
        let mut all = self.lock();
        make_room(&mut all, now);
        let known = all.entry(key.to_owned()).or_insert_with(|| Known::new(decay, now));
        known.count = known.now(now).saturating_add(by).max(0);
        if by > 0 || decay == Decay::Steady {
            known.at = now;
        }
        known.pending = known.pending.saturating_add(by);
        known.asked = true;
        let count = known.count;
        drop(all);
        self.used.notify_one();
        count
    }

    /// Sets the time until which a key has to wait. The key is kept as long, however many others come.
    pub fn hold_key(&self, key: &str, until: Micros) {
        if let Some(known) = self.lock().get_mut(key) {
            known.until = until;
        }
    }

    /// Begins a count again, in all processes.
    pub fn reset_count(&self, key: &str, decay: Decay, now: Micros) {
        let known = Known { reset: true, ..Known::new(decay, now) };
        self.lock().insert(key.to_owned(), known);
        self.used.notify_one();
    }

    /// Adds `by` unless the count would then be above `most`, and answers by how much it would.
    ///
    /// # Errors
    /// The excess.
    pub fn take_share(&self, key: &str, by: i64, most: i64, now: Micros) -> Result<(), i64> {
        let wanted = self.get(key, Decay::Steady, now).count.saturating_add(by);
        if wanted > most {
            return Err(wanted - most);
        }
        self.add(key, Decay::Steady, by, now);
        Ok(())
    }

    /// Adds to several steady counts, or to none: if one would be above its most, answers which, and by how much. Of
    /// several it is the one with the largest excess.
    ///
    /// # Errors
    /// The position of the count, and the excess.
    pub(crate) fn take_all(&self, shares: &[Share], now: Micros) -> Result<(), (usize, i64)> {
        let mut all = self.lock();
        make_room(&mut all, now);
        let excess = |(at, share): (usize, &Share)| {
            let known = all.get(&share.key).map_or(0, |known| known.now(now));
            Some((at, known.saturating_add(share.by) - share.most)).filter(|(_, excess)| *excess > 0)
        };
        let worst = shares.iter().enumerate().filter_map(excess).max_by_key(|(_, excess)| *excess);
        for share in shares {
            // A refused call leaves nothing behind, so that it costs no memory. It asks for the counts of others again.
            let known = match (worst, all.get_mut(&share.key)) {
                (_, Some(known)) => known,
                (Some(_), None) => continue,
                (None, None) => all.entry(share.key.clone()).or_insert_with(|| Known::new(Decay::Steady, now)),
            };
            known.asked = true;
            if worst.is_none() {
                known.count = known.now(now).saturating_add(share.by);
                known.at = now;
                known.pending = known.pending.saturating_add(share.by);
            }
        }
        drop(all);
        self.used.notify_one();
        worst.map_or(Ok(()), Err)
    }

    /// The number of keys that are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether no key is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Exchanges all that changed or was asked for with the other processes.
    ///
    /// # Errors
    /// When the database does not answer; what was not exchanged stays for the next time.
    pub(crate) async fn exchange_all(&self, store: &dyn Store, now: Micros) -> crate::Result<()> {
        while self.exchange(store, now).await? {}
        Ok(())
    }

    /// Exchanges a portion, and answers whether there is more.
    async fn exchange(&self, store: &dyn Store, now: Micros) -> crate::Result<bool> {
        let (changes, more) = self.changes();
        if changes.is_empty() {
            return Ok(false);
        }
        let shared = match store.share_counts(&changes).await {
            Ok(shared) => shared,
            Err(error) => {
                self.put_back(&changes);
                return Err(error.into());
            }
        };
        let shared: HashMap<&str, &SharedCount> = shared.iter().map(|one| (one.key.as_str(), one)).collect();
        let mut all = self.lock();
        for change in &changes {
            // A count that began again during the exchange has nothing to learn from it.
            if let Some(known) = all.get_mut(&change.key).filter(|known| !known.reset) {
                known.learn(change, shared.get(change.key.as_str()).copied(), now);
            }
        }
        Ok(more)
    }

    /// The changes for an exchange, and whether some are left for the next.
    fn changes(&self) -> (Vec<CountChange>, bool) {
        let mut all = self.lock();
        let mut open = all.iter_mut().filter(|(_, known)| known.asked || known.reset || known.pending != 0);
        let mut changes = Vec::new();
        for (key, known) in open.by_ref().take(AT_ONCE) {
            changes.push(CountChange { key: key.clone(), decay: known.decay, reset: known.reset, add: known.pending });
            (known.pending, known.reset, known.asked) = (0, false, false);
        }
        let more = open.next().is_some();
        (changes, more)
    }

    /// Keeps changes that could not be exchanged.
    fn put_back(&self, changes: &[CountChange]) {
        let mut all = self.lock();
        for change in changes {
            if let Some(known) = all.get_mut(&change.key) {
                // A reset that came meanwhile makes the change void.
                if !known.reset {
                    known.pending = known.pending.saturating_add(change.add);
                    known.reset = change.reset;
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Exchanges the counts of a process while they are used, until it stops or the store is gone.
pub(crate) async fn run(
    counts: Arc<Counts>,
    every: Duration,
    store: Weak<dyn Store>,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    let exchange = async {
        loop {
            counts.used.notified().await;
            tokio::time::sleep(every).await;
            let Some(store) = store.upgrade() else { return };
            if let Err(error) = counts.exchange_all(&*store, clock.now()).await {
                tracing::warn!(cause = %error, "the counts of rate limits were not exchanged; they are again later");
                counts.used.notify_one();
            }
        }
    };
    tokio::select! {
        () = exchange => {}
        () = stop.cancelled() => {}
    }
}

/// Forgets the keys that wait for nothing, if there are too many.
fn make_room(all: &mut HashMap<String, Known>, now: Micros) {
    if all.len() >= BOUND {
        all.retain(|_, known| known.waits(now));
    }
}

/// The networks of an address that count, and how many times the count of the first each may have. A household has all
/// IPv6 addresses with its first 64 bits, a customer of a provider often those with 56, an organization those with 48.
pub(crate) fn networks(address: &str) -> impl Iterator<Item = (String, i64)> {
    let parsed = match address.parse() {
        Ok(IpAddr::V6(address)) if address.to_ipv4_mapped().is_none() => Some(address.segments()),
        _ => None,
    };
    let nearest = Some((network_of_address(address), 1)).filter(|(network, _)| !network.is_empty());
    let wider = parsed.into_iter().flat_map(|[a, b, c, d, ..]| {
        [(format!("{a:x}:{b:x}:{c:x}:{:x}::/56", d & 0xff00), 4), (format!("{a:x}:{b:x}:{c:x}::/48"), 16)]
    });
    nearest.into_iter().chain(wider)
}

/// The network of an address. The first half of an IPv6 address names a household, which has many of the second.
#[must_use]
pub fn network_of_address(address: &str) -> String {
    match address.parse() {
        Ok(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(address) => address.to_string(),
            None => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        },
        _ => address.to_lowercase(),
    }
}
