//! What a change of the contract takes away or opens up without breaking the wire: a looser access rule, a transition
//! that is gone, a journal action that is no longer written.

use std::collections::BTreeSet;
use std::fmt;

use crate::options::v1::{Access, Impersonation, Realm};
use crate::{Behavior, Contract, Method};

/// A change that readers of the old contract should have been told of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breaking {
    /// The full name of the call.
    pub place: String,
    /// What is different.
    pub change: String,
}

impl fmt::Display for Breaking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.change)
    }
}

/// What `now` loosens or drops of `before`, in order. Calls that are gone are the wire check's business.
#[must_use]
pub fn breaking(before: &Contract, now: &Contract) -> Vec<Breaking> {
    let mut found = BTreeSet::new();
    for (_, old) in before.methods() {
        let place = old.descriptor.full_name();
        let Some((_, new)) = now.methods().find(|(_, method)| method.descriptor.full_name() == place) else { continue };
        let mut say = |change: String| {
            found.insert(Breaking { place: place.to_owned(), change });
        };
        loosened(&old.access, &new.access).into_iter().for_each(&mut say);
        let (was, is) = (Rule::of(old, before), Rule::of(new, now));
        for (from, to) in was.steps.difference(&is.steps) {
            say(format!("leads no longer from {from} to {to}"));
        }
        for action in was.actions.difference(&is.actions) {
            say(format!("no longer writes {action}"));
        }
    }
    found.into_iter().collect()
}

fn loosened(old: &Access, new: &Access) -> Vec<String> {
    let mut found = Vec::new();
    if new.public && !old.public {
        found.push("admits callers without a token".to_owned());
    }
    let known: BTreeSet<Realm> = old.realms().collect();
    for realm in new.realms().filter(|realm| !known.contains(realm)) {
        found.push(format!("admits {}", realm.as_str_name()));
    }
    for (what, was, is) in
        [("permission", &old.permission, &new.permission), ("owner", &old.owner, &new.owner), ("group", &old.group, &new.group)]
    {
        if !was.is_empty() && was != is {
            found.push(format!("asks for {what} {} instead of {was}", if is.is_empty() { "none" } else { is }));
        }
    }
    if old.owner_only && !new.owner_only {
        found.push("admits others than the owner".to_owned());
    }
    let strict = |rule: Impersonation| match rule {
        Impersonation::Deny => 2,
        Impersonation::Unspecified => 1,
        Impersonation::Notify | Impersonation::Allow => 0,
    };
    if strict(new.impersonation()) < strict(old.impersonation()) {
        found.push("admits more who act for another".to_owned());
    }
    found
}

/// What a call may do: its transitions and the actions it writes.
#[derive(Default)]
struct Rule {
    steps: BTreeSet<(String, String)>,
    actions: BTreeSet<String>,
}

impl Rule {
    fn of(method: &Method, contract: &Contract) -> Self {
        let (from, to): (&[String], &[String]) = match &method.behavior {
            Behavior::Create(_) => (&[], &[]),
            Behavior::Change(change) => (&change.from, std::slice::from_ref(&change.to)),
            Behavior::Delete(delete) => (&delete.from, &[]),
            Behavior::Custom(custom) => (&custom.from, &custom.to),
            _ => return Self::default(),
        };
        let all: Vec<String> = contract.aggregates.get(&method.about()).map_or_else(Vec::new, |aggregate| {
            let open = |status: &&String| !aggregate.options.terminal.contains(status);
            aggregate.statuses.iter().filter(open).cloned().collect()
        });
        let from = if from.is_empty() { all.as_slice() } else { from };
        // Where it leads nowhere it is still allowed from somewhere.
        let to: Vec<String> = to.iter().filter(|to| !to.is_empty()).cloned().collect();
        let to = if to.is_empty() { vec!["itself".to_owned()] } else { to };
        let steps = from.iter().flat_map(|from| to.iter().map(move |to| (from.clone(), to.clone()))).collect();
        let actions = method.actions().into_iter().map(str::to_owned).collect();
        Self { steps, actions }
    }
}
