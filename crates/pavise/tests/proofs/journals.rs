//! Checks of the database after the servers are gone.

use std::sync::Arc;

use pavise::{domains, engine, journal};
use pavise_kernel::store::{Entry, Store, StoredRow};

/// The table and the journal that most proofs write to.
pub(crate) const METHODS: &str = "payment_methods";

/// Opens a database.
pub(crate) async fn open(database: &str) -> Arc<dyn Store> {
    engine::open(database, 4, &domains::migrations(&domains::every())).await.unwrap()
}

/// Replays every journal: no gap, and the state is what it says. How many entries there are.
pub(crate) async fn sound(store: &Arc<dyn Store>) -> i64 {
    let mut entries = 0;
    for name in journal::journals() {
        let verdict = journal::verify(store, name, false).await.unwrap();
        assert!(verdict.problems.is_empty(), "{name} is not sound: {:#?}", verdict.problems);
        entries += verdict.entries;
    }
    entries
}

/// All payment methods.
pub(crate) async fn methods(store: &Arc<dyn Store>) -> Vec<StoredRow> {
    let entry = domains::tables().find(|entry| entry.table.name == METHODS).unwrap();
    let (mut all, mut after) = (Vec::<StoredRow>::new(), String::new());
    loop {
        let rows = store.scan(entry.table, &after, 1000).await.unwrap();
        let Some(last) = rows.last() else { return all };
        after.clone_from(&last.id);
        all.extend(rows);
    }
}

/// A whole journal.
pub(crate) async fn entries(store: &Arc<dyn Store>, name: &str) -> Vec<Entry> {
    let (mut all, mut clock) = (Vec::<Entry>::new(), 0);
    loop {
        let (page, _) = store.journal(name, "", clock, 1000).await.unwrap();
        let Some(last) = page.last() else { return all };
        clock = last.clock;
        all.extend(page);
    }
}
