//! A storage engine that keeps names, and fails as it is told.

use std::cell::Cell;

use async_trait::async_trait;
use loom::sync::Mutex;
use pavise_kernel::store::{
    AsideCount, Command, Cursor, Entry, Filter, Head, Match, Memory, Outcome, Range, Row, SetAside, Store, StoreError, Stored,
};
use pavise_kernel::table::{Lookup, Table};
use tokio::sync::broadcast;

/// A command that is known by its name.
pub(crate) fn command(name: &str) -> Command {
    Command {
        journal: "things",
        writes: Vec::new(),
        memory: None,
        at: 0,
        actor: String::new(),
        subject: String::new(),
        request_id: name.to_owned(),
    }
}

/// What was committed.
pub(crate) struct Engine {
    /// Locking it is a step: for whoever commits, and for whoever looks at what was committed.
    journal: Mutex<Vec<String>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Engine")
    }
}

impl Default for Engine {
    fn default() -> Self {
        DOOMED.set(false);
        Self { journal: Mutex::default() }
    }
}

thread_local! {
    /// The task that commits is to be dropped where it stands. All threads of a model are one of the machine's.
    static DOOMED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the task that asks is to be dropped; it is asked once.
pub(crate) fn is_doomed() -> bool {
    DOOMED.take()
}

impl Engine {
    pub(crate) fn journal(&self) -> Vec<String> {
        self.journal.lock().unwrap().clone()
    }
}

#[async_trait]
impl Store for Engine {
    fn lane(&self, _: &'static str) -> &'static str {
        "one"
    }

    async fn commit(&self, batch: &[Command]) -> Stored<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        for command in batch {
            match command.request_id.as_str() {
                "fails" => return Err(StoreError { cause: "it broke".to_owned(), unknown: false }),
                "panics" => std::panic::resume_unwind(Box::new("on demand")),
                "dooms" => {
                    DOOMED.set(true);
                    std::future::pending::<()>().await;
                }
                name => {
                    let mut journal = self.journal.lock().unwrap();
                    journal.push(name.to_owned());
                    outcomes.push(Outcome::Committed(i64::try_from(journal.len()).unwrap()));
                }
            }
        }
        Ok(outcomes)
    }

    fn hints(&self) -> Option<broadcast::Receiver<String>> {
        None
    }

    async fn get(&self, _: &'static Table, _: &str) -> Stored<Option<Row>> {
        unasked()
    }

    async fn get_many(&self, _: &'static Table, _: &[String]) -> Stored<Vec<Row>> {
        unasked()
    }

    async fn find(&self, _: &'static Table, _: &'static Lookup, _: &str) -> Stored<Option<Row>> {
        unasked()
    }

    async fn find_id(&self, _: &'static Table, _: &'static Lookup, _: &str) -> Stored<Option<String>> {
        unasked()
    }

    async fn list(&self, _: &'static Table, _: &Filter) -> Stored<Vec<Row>> {
        unasked()
    }

    async fn journal(&self, _: &str, _: &str, _: i64, _: u32) -> Stored<(Vec<Entry>, Head)> {
        unasked()
    }

    async fn head(&self, _: &str) -> Stored<Head> {
        unasked()
    }

    async fn range(&self, _: &'static Table, _: &Range) -> Stored<Vec<Match>> {
        unasked()
    }

    async fn recall(&self, _: &str, _: &str) -> Stored<Option<Memory>> {
        unasked()
    }

    async fn lease(&self, _: &str, _: &str, _: i64, _: i64) -> Stored<bool> {
        unasked()
    }

    async fn release(&self, _: &str, _: &str) -> Stored<()> {
        unasked()
    }

    async fn cursor(&self, _: &str) -> Stored<Cursor> {
        unasked()
    }

    async fn advance(&self, _: &str, _: &str, _: &Cursor, _: &[SetAside]) -> Stored<bool> {
        unasked()
    }

    async fn rewind(&self, _: &str, _: &str, _: &Cursor) -> Stored<bool> {
        unasked()
    }

    async fn renew_epoch(&self, _: &str) -> Stored<Head> {
        unasked()
    }

    async fn shared_until(&self, _: &str, _: &str) -> Stored<i64> {
        unasked()
    }

    async fn due(&self, _: &str, _: i64, _: u32) -> Stored<Vec<SetAside>> {
        unasked()
    }

    async fn blocked(&self, _: &str, _: &[String]) -> Stored<Vec<String>> {
        unasked()
    }

    async fn set_aside(&self, _: &str, _: u32) -> Stored<Vec<SetAside>> {
        unasked()
    }

    async fn retry(&self, _: &SetAside) -> Stored<()> {
        unasked()
    }

    async fn settle(&self, _: &str, _: i64) -> Stored<()> {
        unasked()
    }

    async fn count_aside(&self) -> Stored<Vec<AsideCount>> {
        unasked()
    }

    async fn forget(&self, _: &str, _: i64) -> Stored<u64> {
        unasked()
    }

    async fn ping(&self) -> Stored<()> {
        unasked()
    }

    async fn scan(&self, _: &'static Table, _: &str, _: u32) -> Stored<Vec<Row>> {
        unasked()
    }
}

/// What no committer asks for.
fn unasked<T>() -> Stored<T> {
    Err(StoreError { cause: "a committer does not ask for that".to_owned(), unknown: false })
}
