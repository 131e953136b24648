//! A storage engine that keeps names and fails on demand.

use std::cell::Cell;

use async_trait::async_trait;
use loom::sync::Mutex;
use tokio::sync::broadcast;

use crate::store::{Command, JournalHead, Outcome, Store, StoreError, StoreResult};

/// A command with a name.
pub(crate) fn command(name: &str) -> Command {
    Command { journal: "things", request_id: name.to_owned(), ..Command::default() }
}

/// The engine's state: the committed names.
pub(crate) struct Engine {
    /// Taking this lock is a step of the model, for the committer and for a reader.
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
    /// Set when the committing task shall be dropped at that point. All threads of a model run on one thread of the
    /// machine.
    static DOOMED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling task shall be dropped; answers `true` once.
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

    async fn commit(&self, batch: &[Command]) -> StoreResult<Vec<Outcome>> {
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

    async fn head(&self, _: &str) -> StoreResult<JournalHead> {
        Err(StoreError { cause: "only who missed hints asks for it".to_owned(), unknown: false })
    }

    fn hints(&self) -> Option<broadcast::Receiver<String>> {
        None
    }
}
