//! The leases that this process holds. Each worker renews its own every few seconds, and each renewal would be a commit of
//! its own, which waits for the disk and makes all readers read their pages again. So one commit renews all of them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::SqliteConnection;

use crate::fault::Fault;
use crate::presence::Presence;
use crate::work;

/// The leases by their names.
#[derive(Debug, Default)]
pub(crate) struct Leases(Mutex<HashMap<String, Held>>);

#[derive(Debug, Clone)]
struct Held {
    holder: String,
    lasts: Duration,
    /// When the holder asked last.
    asked: Instant,
    /// The database keeps the lease at least until then.
    until: Instant,
}

impl Held {
    fn is_of(&self, holder: &str, lasts: Duration) -> bool {
        self.holder == holder && self.lasts == lasts
    }
}

/// How long the database keeps a lease: by a third longer than it lasts, so that not every renewal is written.
fn kept(lasts: Duration) -> Duration {
    lasts.saturating_add(lasts / 3)
}

impl Leases {
    fn held(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the holder surely has the lease for the time that it lasts, from now on.
    pub(crate) fn covers(&self, name: &str, holder: &str, lasts: Duration) -> bool {
        let now = Instant::now();
        let mut held = self.held();
        let Some(lease) = held.get_mut(name).filter(|lease| lease.is_of(holder, lasts)) else { return false };
        lease.asked = now;
        now + lasts <= lease.until
    }

    /// Forgets a lease that its holder gives back.
    pub(crate) fn forget(&self, name: &str) {
        self.held().remove(name);
    }

    /// Takes or renews a lease in the database, and renews the others that their holders still ask for.
    pub(crate) async fn take(
        &self,
        connection: &mut SqliteConnection,
        presence: &Presence,
        (name, holder): (&str, &str),
        lasts: Duration,
    ) -> Result<bool, Fault> {
        // Another worker may have renewed it while this one waited for the connection.
        if self.covers(name, holder, lasts) {
            return Ok(true);
        }
        let asked = Instant::now();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
        let is_held = work::lease(connection, presence, name, holder, kept(lasts)).await?;
        let others = if is_held { self.list_others(name, asked) } else { Vec::new() };
        let renewals: Vec<_> =
            others.iter().map(|(name, lease)| (name.as_str(), lease.holder.as_str(), kept(lease.lasts))).collect();
        let renewed = work::renew(connection, &renewals).await?;
        sqlx::query("COMMIT").execute(&mut *connection).await.map_err(Fault::During)?;
        let mut held = self.held();
        for (other, lease) in others {
            let Some(known) = held.get_mut(&other).filter(|known| known.is_of(&lease.holder, lease.lasts)) else {
                continue;
            };
            if renewed.contains(&other) {
                known.until = asked + kept(lease.lasts);
            } else {
                held.remove(&other);
            }
        }
        if is_held {
            let until = asked + kept(lasts);
            held.insert(name.to_owned(), Held { holder: holder.to_owned(), lasts, asked, until });
        } else if held.get(name).is_some_and(|lease| lease.holder == holder) {
            held.remove(name);
        }
        Ok(is_held)
    }

    /// The other leases whose holders asked for them within half the time that they last: nobody keeps the lease of a
    /// worker that has ended.
    fn list_others(&self, name: &str, now: Instant) -> Vec<(String, Held)> {
        let held = self.held();
        let asked = held.iter().filter(|(other, lease)| *other != name && lease.asked + lease.lasts / 2 > now);
        asked.map(|(other, lease)| (other.clone(), lease.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::store::Store as _;

    use crate::SqliteStore;

    const LASTS: std::time::Duration = std::time::Duration::from_secs(60);

    async fn until(store: &SqliteStore, name: &str) -> i64 {
        let sql = "SELECT until FROM worker_lease WHERE name = ?1";
        sqlx::query_scalar(sql).bind(name).fetch_optional(&store.readers).await.unwrap().unwrap_or_default()
    }

    async fn write(store: &SqliteStore, sql: &'static str) {
        let written = store.writer.write(move |connection| {
            Box::pin(async move {
                sqlx::query(sql).execute(connection).await?;
                Ok(())
            })
        });
        written.await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_commit_renews_all_leases_of_a_process() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("leases.sqlite"), &[]).await.unwrap();
        assert!(store.lease("a", "ann", LASTS).await.unwrap());
        let first = until(&store, "a").await;
        assert!(store.lease("a", "ann", LASTS).await.unwrap());
        assert_eq!(until(&store, "a").await, first, "it lasts long enough");
        assert!(!store.lease("a", "ben", LASTS).await.unwrap(), "it is Ann's");
        write(&store, "UPDATE worker_lease SET until = until - 1000000").await;
        assert!(store.lease("b", "ben", LASTS).await.unwrap());
        assert!(until(&store, "a").await >= first, "renewed with the other one");
        store.release("a", "ann").await.unwrap();
        assert!(store.lease("c", "ben", LASTS).await.unwrap());
        assert_eq!(until(&store, "a").await, 0, "nobody renews what was given back");
        assert!(store.lease("a", "ben", LASTS).await.unwrap());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_lost_lease_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("leases.sqlite"), &[]).await.unwrap();
        assert!(store.lease("a", "ann", LASTS).await.unwrap());
        write(&store, "UPDATE worker_lease SET holder = 'eve'").await;
        let of_eve = until(&store, "a").await;
        assert!(store.lease("b", "ben", LASTS).await.unwrap());
        assert_eq!(until(&store, "a").await, of_eve, "another one's lease is not renewed");
        assert!(!store.lease("a", "ann", LASTS).await.unwrap());
    }
}
