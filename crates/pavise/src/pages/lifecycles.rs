//! `docs/<domain>/lifecycles.md`: how calls lead each entity from status to status, drawn and as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pavise_contract::{Aggregate, Contract, Method, Step, comment_of, spelling};

use super::page::{Page, domains, table};

/// The status in a table of an entity that does not exist yet, or no longer.
const NEW: &str = "*new*";
const REMOVED: &str = "*removed*";

/// The page.
pub(super) fn page(contract: &Contract) -> Page {
    let text = "From which status each call is allowed and where it leads, for every entity that has more than one status. A call\nthat leads nowhere is allowed from the statuses that its row names, and keeps them. An arrow from the dot makes an entity,\none to the ringed dot that has a name removes it; without a name, nothing leads out of the status but what is drawn. An\narrow from a status that the call's row does not name ends what the call began before the entity came there.\n";
    let mut parts = Vec::new();
    for (domain, services) in domains(contract) {
        let mut part = String::new();
        let package = services.first().map(|service| service.descriptor.package_name().to_owned()).unwrap_or_default();
        let own = contract.aggregates.values().filter(|aggregate| aggregate.descriptor.package_name() == package);
        for aggregate in own.filter(|aggregate| aggregate.statuses.len() > 1) {
            lifecycle(&mut part, contract, aggregate);
        }
        if !part.is_empty() {
            parts.push((domain.to_owned(), part));
        }
    }
    Page { name: "lifecycles", title: "Lifecycles", text: text.to_owned(), parts }
}

/// The effect of a call on an aggregate.
struct Effect<'a> {
    method: &'a Method,
    from: Vec<String>,
    steps: Vec<Step>,
}

fn effects<'a>(contract: &'a Contract, aggregate: &Aggregate) -> Vec<Effect<'a>> {
    let name = aggregate.descriptor.full_name();
    let mut found = Vec::new();
    for (_, method) in contract.methods() {
        let steps: Vec<Step> = method.leads(contract).into_iter().filter(|step| step.aggregate == name).collect();
        let about = method.about() == name;
        let from = if about { method.from(contract) } else { Vec::new() };
        if !steps.is_empty() || !from.is_empty() {
            found.push(Effect { method, from, steps });
        }
    }
    found
}

impl Effect<'_> {
    /// The row of the table: the call, the statuses that allow it, and the status that it leads to.
    fn row(&self, aggregate: &Aggregate) -> Vec<String> {
        let listed = |first: Option<&str>, has: &dyn Fn(&String) -> bool, last: Option<&str>| {
            let between = aggregate.statuses.iter().filter(|status| has(status)).map(String::as_str);
            first.into_iter().chain(between).chain(last).collect::<Vec<_>>().join(", ")
        };
        let any = |is: &dyn Fn(&Step) -> bool| self.steps.iter().any(is);
        let new = any(&|step| step.from.is_none()).then_some(NEW);
        let removed = any(&|step| step.to.is_none()).then_some(REMOVED);
        // A call that changes an entity of another kind is allowed in every status that it changes.
        let led = |status: &String| any(&|step| step.from.as_ref() == Some(status));
        let from = |status: &String| if self.from.is_empty() { led(status) } else { self.from.contains(status) };
        let to = |status: &String| any(&|step| step.to.as_ref() == Some(status));
        vec![self.method.descriptor.name().to_owned(), listed(new, &from, None), listed(None, &to, removed)]
    }
}

fn lifecycle(page: &mut String, contract: &Contract, aggregate: &Aggregate) {
    let effects = effects(contract, aggregate);
    // Several calls may make the same transition: one arrow names them all.
    let mut arrows: BTreeMap<(Option<&str>, Option<&str>), BTreeSet<&str>> = BTreeMap::new();
    arrows.insert((None, Some(&aggregate.options.initial)), BTreeSet::new());
    for terminal in &aggregate.options.terminal {
        arrows.insert((Some(terminal), None), BTreeSet::new());
    }
    for effect in &effects {
        for step in &effect.steps {
            arrows
                .entry((step.from.as_deref(), step.to.as_deref()))
                .or_default()
                .insert(effect.method.descriptor.name());
        }
    }
    let _ = write!(page, "\n## {}\n\n```mermaid\nstateDiagram-v2\n", aggregate.descriptor.name());
    let ends: BTreeSet<&str> = arrows.keys().flat_map(|(from, to)| [*from, *to]).flatten().collect();
    for status in ends.into_iter().filter(|status| is_keyword(status)) {
        let _ = writeln!(page, "    state \"{status}\" as {status}_");
    }
    let named = |status: &Option<&str>| match status {
        Some(status) if is_keyword(status) => format!("{status}_"),
        status => status.unwrap_or("[*]").to_owned(),
    };
    for ((from, to), calls) in &arrows {
        let _ = write!(page, "    {} --> {}", named(from), named(to));
        let names = calls.iter().copied().collect::<Vec<_>>().join(", ");
        let _ = writeln!(page, "{}{names}", if names.is_empty() { "" } else { ": " });
    }
    page.push_str("```\n\n");
    for status in &aggregate.options.unreached {
        let _ = writeln!(page, "Nothing leads to `{status}`: {}\n", meaning(aggregate, status));
    }
    page.push_str(&table(&["call", "from", "to"], effects.iter().map(|effect| effect.row(aggregate))));
}

/// Whether a status is a word of Mermaid's own, in any case, so that it needs another name in a diagram.
fn is_keyword(status: &str) -> bool {
    const KEYWORDS: [&str; 9] = ["as", "class", "classdef", "click", "default", "direction", "note", "state", "style"];
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(status))
}

/// The comment above a status.
fn meaning(aggregate: &Aggregate, status: &str) -> String {
    let field = aggregate.descriptor.get_field_by_name("status");
    let values = field.and_then(|field| field.kind().as_enum().cloned()).map(|kind| kind.values().collect::<Vec<_>>());
    let value = values.into_iter().flatten().find(|value| spelling::of(value).as_deref() == Some(status));
    value.map(|value| comment_of(&value)).unwrap_or_default()
}
