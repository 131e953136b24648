//! Hints between processes: "there is something new in this journal". A hint may get lost; only polling is reliable.
//!
//! Hints are not part of the commit. A transaction that notifies holds a lock of the whole server until it is durable.
//! Journals could then not be committed side by side. A transaction of hints only, once in a while, holds the lock very
//! briefly.
//!
//! The listening connection also shows that its process runs: it holds a lock of the server, which ends with the
//! connection. Each process has a lock of its own. A lease names that lock, and is free when no process holds it; see
//! `work::lease`.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::sync::{Notify, broadcast, watch};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::connections::{Connections, Fault};

const CHANNEL: &str = "pavise_journal";
/// Commits within this time share one hint.
const GATHERING_TIME: Duration = Duration::from_millis(5);
/// How many hints may wait for a slow reader.
const BACKLOG: usize = 1_024;
/// The first and the longest back-off of the listener while the server is away.
const BACK: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// The silence after which the listener checks its connection, and the deadline of that check.
const SILENCE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(2));

/// Sends and receives hints until it is dropped.
#[derive(Debug)]
pub(crate) struct Hints {
    sender: broadcast::Sender<String>,
    news: Arc<News>,
    present: watch::Receiver<bool>,
    lock: i64,
    tasks: [AbortHandle; 2],
}

#[derive(Debug, Default)]
struct News {
    journals: Mutex<BTreeSet<String>>,
    some: Notify,
}

impl Drop for Hints {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl Hints {
    /// `instance`, a UUID, tells this process's hints and its lock from those of others.
    pub(crate) fn start(options: PgConnectOptions, connections: Arc<Connections>, instance: String) -> Self {
        let (sender, news) = (broadcast::Sender::new(BACKLOG), Arc::new(News::default()));
        let (told, present) = watch::channel(false);
        let digits: String = instance.chars().filter(char::is_ascii_hexdigit).take(15).collect();
        let lock = i64::from_str_radix(&digits, 16).unwrap_or_default();
        let ear = Ear { instance: instance.clone(), lock, sender: sender.clone(), present: told };
        let listening = tokio::spawn(listen(options, ear));
        let telling = tokio::spawn(tell(connections, instance, Arc::clone(&news)));
        Self { sender, news, present, lock, tasks: [listening.abort_handle(), telling.abort_handle()] }
    }

    /// Waits until the server knows that this process runs, or until a deadline.
    pub(crate) async fn presence(&self) {
        let known = timeout(SILENCE.1, self.present.clone().wait_for(|present| *present)).await.is_ok();
        tracing::debug!(known, "the server knows that this process is there");
    }

    /// The lock that this process holds while it runs; `None` while the server may not know it.
    pub(crate) fn lock(&self) -> Option<i64> {
        self.present.borrow().then_some(self.lock)
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<String> {
        self.sender.subscribe()
    }

    /// Announces a commit to the journal.
    pub(crate) fn tell(&self, journal: &str) {
        self.news.journals.lock().unwrap_or_else(PoisonError::into_inner).insert(journal.to_owned());
        self.news.some.notify_one();
    }
}

/// Sends the hints of this process, until it is aborted.
async fn tell(connections: Arc<Connections>, instance: String, news: Arc<News>) {
    loop {
        news.some.notified().await;
        let journals = std::mem::take(&mut *news.journals.lock().unwrap_or_else(PoisonError::into_inner));
        let payloads: Vec<String> = journals.iter().map(|journal| format!("{instance} {journal}")).collect();
        let told = connections.write(move |connection| {
            Box::pin(async move {
                let query = sqlx::query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload");
                query.bind(CHANNEL).bind(payloads).execute(connection).await.map(drop).map_err(Fault::from)
            })
        });
        if let Err(error) = told.await {
            tracing::debug!(%error, "a hint was not told");
        }
        tokio::time::sleep(GATHERING_TIME).await;
    }
}

/// The state of the listener.
struct Ear {
    instance: String,
    lock: i64,
    sender: broadcast::Sender<String>,
    present: watch::Sender<bool>,
}

/// Passes on the hints of other processes, until it is aborted. It reconnects when the connection is lost.
async fn listen(options: PgConnectOptions, ear: Ear) {
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
    let pool = pool.acquire_timeout(Duration::from_secs(3)).connect_lazy_with(options);
    let mut pause = BACK.0;
    loop {
        let lost = match hear(&pool, &ear, &mut pause).await {
            Ok(()) => "the connection was closed".to_owned(),
            Err(error) => error.to_string(),
        };
        ear.present.send_replace(false);
        tracing::debug!(cause = lost, "hints are not heard for a while");
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(BACK.1);
    }
}

async fn hear(pool: &sqlx::PgPool, ear: &Ear, pause: &mut Duration) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    // Shared, because the server may still have the lost connection.
    sqlx::query("SELECT pg_advisory_lock_shared($1)").bind(ear.lock).execute(&mut listener).await?;
    ear.present.send_replace(true);
    *pause = BACK.0;
    loop {
        let Ok(heard) = timeout(SILENCE.0, listener.try_recv()).await else {
            let there = timeout(SILENCE.1, sqlx::query("SELECT 1").execute(&mut listener)).await;
            there.map_err(|_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))??;
            continue;
        };
        let Some(hint) = heard? else { return Ok(()) };
        if let Some((from, journal)) = hint.payload().split_once(' ')
            && from != ear.instance
        {
            // It is no failure if this process has no receiver for hints.
            _ = ear.sender.send(journal.to_owned());
        }
    }
}
