//! Finds changes of the contract that break callers without breaking the wire. Such changes are a looser access rule, a
//! dropped transition and a journal action that is no longer written. Others are a status that is no longer terminal
//! and a field that is less sensitive.

use std::collections::{BTreeMap, BTreeSet};

use prost_reflect::DescriptorPool;

use crate::field::{Sensitivity, audience_of, is_immutable, is_output_only, mask_of, sealed_of, setters_of};
use crate::options::v1::{Access, Impersonation, Parent, Realm};
use crate::{Behavior, Contract, Method};

mod change;
mod scopes;

pub use change::Breaking;

/// The rules of `before` that `now` loosens or drops, in order. The wire check finds removed calls, entities and
/// fields.
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
        was.dropped(&is).into_iter().for_each(&mut say);
        for action in was.actions.difference(&is.actions) {
            say(format!("no longer writes {action}"));
        }
    }
    found.extend(reopened(before, now));
    found.extend(let_out(before, now));
    found.extend(scopes::let_go(before, now));
    found.extend(set_free(before, now));
    found.into_iter().collect()
}

/// Statuses that were terminal and are no longer.
fn reopened<'a>(before: &'a Contract, now: &'a Contract) -> impl Iterator<Item = Breaking> + 'a {
    before.aggregates.iter().filter_map(|(name, old)| Some((name, old, now.aggregates.get(name)?))).flat_map(
        |(name, old, new)| {
            let gone = old.options.terminal.iter().filter(|status| !new.options.terminal.contains(status));
            gone.map(|status| Breaking { place: name.clone(), change: format!("{status} is no longer terminal") })
        },
    )
}

/// Aggregates that were reached through a parent, whose readers alone saw them, and are no longer.
fn set_free<'a>(before: &'a Contract, now: &'a Contract) -> impl Iterator<Item = Breaking> + 'a {
    before.aggregates.iter().filter_map(|(name, old)| {
        let (was, is) = (old.options.parent.as_ref()?, &now.aggregates.get(name)?.options.parent);
        let same = |now: &Parent| now.aggregate == was.aggregate && now.field == was.field;
        let change = format!("is no longer reached through {}", was.aggregate);
        (!is.as_ref().is_some_and(same)).then(|| Breaking { place: name.clone(), change })
    })
}

/// Fields that were sensitive and are less so.
fn let_out(before: &Contract, now: &Contract) -> Vec<Breaking> {
    let (Some(before), Some(now)) = (pool(before), pool(now)) else { return Vec::new() };
    let mut found = Vec::new();
    for message in before.all_messages() {
        let Some(after) = now.get_message_by_name(message.full_name()) else { continue };
        for old in message.fields() {
            let Some(new) = after.get_field_by_name(old.name()) else { continue };
            let no_longer =
                |what: &str| Breaking { place: old.full_name().to_owned(), change: format!("is no longer {what}") };
            found.extend(shown(Sensitivity::of(&old), Sensitivity::of(&new)).map(no_longer));
            let rules = [
                ("set by the service only", is_output_only(&old) && !is_output_only(&new)),
                ("immutable", is_immutable(&old) && !is_immutable(&new)),
                ("sealed", sealed_of(&old).is_some() && sealed_of(&new).is_none()),
                ("masked", mask_of(&old).is_some() && mask_of(&new).is_none()),
            ];
            found.extend(rules.into_iter().filter(|(_, loosened)| *loosened).map(|(what, _)| no_longer(what)));
            let set = scopes::set(&setters_of(&old), &setters_of(&new));
            let shown = scopes::shown(&audience_of(&old), &audience_of(&new));
            found.extend(
                set.into_iter().chain(shown).map(|change| Breaking { place: old.full_name().to_owned(), change }),
            );
        }
    }
    found
}

/// The old sensitivity of a field, if the field is less sensitive now.
fn shown(was: Sensitivity, is: Sensitivity) -> Option<&'static str> {
    match (was, is) {
        (Sensitivity::Secret, Sensitivity::Personal | Sensitivity::Open) => Some("secret"),
        (Sensitivity::Personal, Sensitivity::Open) => Some("personal"),
        _ => None,
    }
}

fn pool(contract: &Contract) -> Option<&DescriptorPool> {
    contract.services.first().map(|service| service.descriptor.parent_pool())
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
    for (what, was, is) in [("permission", &old.permission, &new.permission), ("owner", &old.owner, &new.owner)] {
        if !was.is_empty() && was != is {
            found.push(format!("asks for {what} {} instead of {was}", if is.is_empty() { "none" } else { is }));
        }
    }
    found.extend(scopes::loosened(old, new));
    if old.owner_only && !new.owner_only {
        found.push("admits others than the owner".to_owned());
    }
    let needs_none = |rule: &Access| rule.owner_admitted || rule.own;
    if !old.permission.is_empty() && !new.permission.is_empty() && needs_none(new) && !needs_none(old) {
        found.push("asks the owner for no permission".to_owned());
    }
    if old.fresh_proof && !new.fresh_proof {
        found.push("asks for no fresh proof".to_owned());
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

/// The target of a step: the aggregate and its status. The status is `itself` if it stays, and `None` for a removal.
type Target = (String, Option<String>);

/// The rule of a call: its transitions and the actions that it writes.
struct Rule {
    about: String,
    /// For each target, the statuses that lead to it; `None` for a new entity.
    steps: BTreeMap<Target, BTreeSet<Option<String>>>,
    actions: BTreeSet<String>,
    /// Whether the call is allowed from no status, because it only creates entities.
    only_makes: bool,
    /// Whether a step says so; earlier contracts could not.
    says_steps: bool,
}

/// The target of a call that keeps the status.
const ITSELF: &str = "itself";

impl Rule {
    fn of(method: &Method, contract: &Contract) -> Self {
        let about = method.about();
        let mut steps: BTreeMap<Target, BTreeSet<Option<String>>> = BTreeMap::new();
        let leads = method.leads(contract);
        let from = method.from(contract);
        // A call without transitions is still allowed from its statuses.
        if !leads.iter().any(|step| step.aggregate == about && step.from.is_some()) {
            let itself = (about.clone(), Some(ITSELF.to_owned()));
            steps.entry(itself).or_default().extend(from.iter().cloned().map(Some));
        }
        for step in leads {
            steps.entry((step.aggregate, step.to)).or_default().insert(step.from);
        }
        let actions = method.actions().into_iter().map(str::to_owned).collect();
        let makes = method.steps.iter().any(|step| step.aggregate == about && step.from.is_none());
        let only_makes = from.is_empty() && (makes || matches!(method.behavior, Behavior::Create(_)));
        Self { about, steps, actions, only_makes, says_steps: !method.steps.is_empty() }
    }

    /// The transitions that `now` lacks.
    fn dropped(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (target, was) in &self.steps {
            let (aggregate, to) = target;
            let mut is = now.steps.get(target).cloned().unwrap_or_default();
            // Before there were steps, a contract could not say that a call only creates or removes entities.
            if !self.says_steps && to.as_deref() == Some(ITSELF) {
                is.extend(now.steps.get(&(aggregate.clone(), None)).into_iter().flatten().cloned());
                is.extend(was.iter().filter(|_| now.only_makes).cloned());
            }
            let gone: Vec<&str> = was.difference(&is).map(|from| from.as_deref().unwrap_or("nothing")).collect();
            if gone.is_empty() {
                continue;
            }
            let of = aggregate.rsplit('.').next().filter(|_| *aggregate != self.about);
            let of = of.map_or_else(String::new, |name| format!(" of {name}"));
            found.push(format!(
                "leads no longer from {} to {}{of}",
                gone.join(", "),
                to.as_deref().unwrap_or("removal")
            ));
        }
        found
    }
}
