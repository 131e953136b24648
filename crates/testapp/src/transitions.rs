//! Compares the transitions in journals with the declared ones: the diagrams are complete.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use pavise_contract::Contract;
use pavise_kernel::store::Store;

/// How many entries are read at once.
const PAGE: u32 = 1000;

/// The request of the demonstration's batches: each of their entities is written once, in its final status.
const LOADED: &str = "demo-data";

/// An action, the aggregate, and its status before and afterwards.
type Transition = (String, String, Option<String>, Option<String>);

/// All declared effects of calls on statuses, and the first statuses of entities that have several.
struct Declared {
    transitions: BTreeSet<Transition>,
    initial: BTreeMap<String, String>,
}

static DECLARED: LazyLock<Declared> = LazyLock::new(|| {
    let pool = pavise::domains::pool(true).unwrap_or_default();
    let Ok(contract) = Contract::read(&pool) else {
        return Declared { transitions: BTreeSet::new(), initial: BTreeMap::new() };
    };
    let mut transitions = BTreeSet::new();
    for (_, method) in contract.methods() {
        for step in method.leads(&contract) {
            for action in method.actions() {
                transitions.insert((action.to_owned(), step.aggregate.clone(), step.from.clone(), step.to.clone()));
            }
        }
    }
    let drawn = contract.aggregates.iter().filter(|(_, aggregate)| aggregate.statuses.len() > 1);
    let initial = drawn.map(|(name, aggregate)| (name.clone(), aggregate.options.initial.clone())).collect();
    Declared { transitions, initial }
});

/// The transitions of the journal that no call declares, each once.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn undeclared(store: &Arc<dyn Store>, journal: &str) -> pavise_kernel::Result<BTreeSet<Transition>> {
    let messages: BTreeMap<&str, &str> =
        pavise::domains::tables().map(|entry| (entry.table.name, entry.table.message)).collect();
    let mut last: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut found = BTreeSet::new();
    let mut clock = 0;
    loop {
        let (entries, _) = store.journal(journal, "", clock, PAGE).await?;
        let Some(end) = entries.last() else { return Ok(found) };
        clock = end.clock;
        for entry in entries {
            let message = messages.get(entry.table.as_str()).copied().unwrap_or_default().to_owned();
            let Some(initial) = DECLARED.initial.get(&message) else { continue };
            let doc: serde_json::Value = serde_json::from_str(&entry.doc).unwrap_or_default();
            let is = doc.get("status").and_then(serde_json::Value::as_str).map(str::to_owned);
            let place = (entry.table, entry.entity_id);
            let was = last.remove(&place);
            if let Some(is) = is.clone().filter(|_| !entry.removed) {
                last.insert(place, is);
            }
            // A removed entity may have a status of its own.
            let ends = if entry.removed { vec![None, is] } else { vec![is] };
            let loaded = was.is_none() && entry.request_id == LOADED;
            let begins = was.is_none() && ends.iter().any(|is| is.as_ref() == Some(initial));
            let declared = |is: &Option<String>| {
                (!entry.removed && is.is_some() && *is == was)
                    || DECLARED.transitions.contains(&(entry.action.clone(), message.clone(), was.clone(), is.clone()))
            };
            if !begins && !loaded && !ends.iter().any(declared) {
                found.extend(ends.into_iter().next().map(|is| (entry.action, message, was, is)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without declared transitions the comparison would be empty.
    #[test]
    fn the_contract_is_read() {
        let order = || "pavise.orders.v1.Order".to_owned();
        assert!(DECLARED.initial.len() > 15);
        assert_eq!(DECLARED.initial.get(&order()).map(String::as_str), Some("OPEN"));
        let transition = |from: &str, to: Option<&str>| {
            ("DELETED".to_owned(), order(), Some(from.to_owned()), to.map(str::to_owned))
        };
        assert!(DECLARED.transitions.contains(&transition("OPEN", None)));
        assert!(!DECLARED.transitions.contains(&transition("FUNDED", None)));
        assert!(!DECLARED.transitions.contains(&transition("OPEN", Some("FUNDED"))));
    }
}
