//! `docs/events.md`: what each journal says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pavise_contract::{Aggregate, Contract, Method, comment_of, spelling};
use prost_reflect::DescriptorPool;

use super::page::{Page, domains, table};

/// The page.
pub(super) fn page(pool: &DescriptorPool, contract: &Contract) -> Page {
    let text = "What each journal says. `GET …/journal?clock=N` answers the entries above a clock in order, without gap, each with the\nentity as it is after the change.\n";
    let tables: Vec<_> = crate::domains::tables().map(|entry| entry.table).collect();
    let mut parts = Vec::new();
    for (domain, services) in domains(contract) {
        let mut part = String::new();
        for service in services {
            let kept: Vec<&Aggregate> = tables
                .iter()
                .filter(|table| table.journal == service.name)
                .filter_map(|table| contract.aggregates.get(table.message))
                .collect();
            if kept.is_empty() {
                continue;
            }
            let names: Vec<String> =
                kept.iter().map(|aggregate| format!("`{}`", aggregate.descriptor.name())).collect();
            let _ = write!(part, "\n## {}\n\nEntities: {}.\n\n", service.name, names.join(", "));
            part.push_str(&table(&["action", "meaning", "written by"], actions(pool, contract, &kept)));
        }
        parts.push((domain.to_owned(), part));
    }
    Page { name: "events", title: "Events", text: text.to_owned(), parts }
}

fn actions(pool: &DescriptorPool, contract: &Contract, kept: &[&Aggregate]) -> Vec<Vec<String>> {
    let name = |aggregate: &Aggregate| format!("{}.{}", aggregate.descriptor.package_name(), aggregate.options.actions);
    let enumerations: BTreeSet<String> = kept.iter().map(|aggregate| name(aggregate)).collect();
    let mut rows = Vec::new();
    for enumeration in enumerations {
        let of_it: Vec<&Aggregate> = kept.iter().copied().filter(|aggregate| name(aggregate) == enumeration).collect();
        let mut writers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (_, method) in contract.methods() {
            for action in written(method, &of_it) {
                writers.entry(action).or_default().insert(method.descriptor.name());
            }
        }
        for value in pool.get_enum_by_name(&enumeration).iter().flat_map(|one| one.values().collect::<Vec<_>>()) {
            let Some(spelled) = spelling::of(&value) else { continue };
            let by = writers.get(spelled.as_str()).into_iter().flatten().copied().collect::<Vec<_>>().join(", ");
            rows.push(vec![spelled, comment_of(&value), by]);
        }
    }
    rows
}

/// The actions of these aggregates that a call may write.
fn written<'a>(method: &'a Method, kept: &[&Aggregate]) -> Vec<&'a str> {
    let about = method.about();
    let mine = kept.iter().any(|aggregate| aggregate.descriptor.full_name() == about);
    if mine { method.actions() } else { Vec::new() }
}
