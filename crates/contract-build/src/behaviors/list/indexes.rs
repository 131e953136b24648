//! Checks that the filters of a list that a request can set together have one index.

use std::collections::BTreeSet;
use std::error::Error;

use pavise_contract::options::v1::{List, Realm};
use pavise_contract::{Aggregate, Method};

use crate::sortable;

type Names<'a> = BTreeSet<&'a str>;

/// Filters of one list at most: each set of them is checked.
const MOST: usize = 10;

/// Checks a list.
pub(crate) fn check(method: &Method, aggregate: &Aggregate, list: &List) -> Result<(), Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let composed = sortable::indexes(aggregate)?;
    let known = Known { aggregate, list, composed: &composed };
    known.check_unindexed(place)?;
    let order = list.range.as_ref().map(|range| range.lookup.as_str());
    // A parent's children are few.
    if let Some(parent) = &aggregate.options.parent {
        return match order {
            Some(order) if !composed.iter().any(|parts| *parts == [parent.field.as_str(), order]) => Err(format!(
                "{place}: no index has {} and {order}: add `indexed_with` to the lookup {order}",
                parent.field
            )
            .into()),
            _ => Ok(()),
        };
    }
    if let Some(order) = order.filter(|_| !aggregate.options.shared && !method.access.owner.is_empty()) {
        let wanted = ["owner_id", order];
        if !composed.iter().any(|parts| *parts == wanted) {
            return Err(format!("{place}: no index has owner_id and {order}: add `indexed_with` to the lookup").into());
        }
    }
    if always_owned(method, aggregate) {
        return Ok(());
    }
    let filters = known.filters(method);
    if filters.len() > MOST {
        return Err(format!("{place}: a list has at most {MOST} filters").into());
    }
    for chosen in 0_u32..1 << filters.len() {
        let set: Names =
            filters.iter().enumerate().filter(|(at, _)| chosen & (1 << at) != 0).map(|(_, one)| *one).collect();
        for order in [None, order] {
            if !known.covers(&set, order) {
                let all: Vec<&str> = set.iter().copied().chain(order).collect();
                let remedy = match all.as_slice() {
                    [one] => format!("add a lookup of {one} to {}", aggregate.descriptor.name()),
                    _ => format!("add `indexed_with` to a lookup of {}", aggregate.descriptor.name()),
                };
                let names = all.join(", ");
                return Err(format!(
                    "{place}: no single index has {names}: {remedy}, or name the filters in `unindexed` with a reason"
                )
                .into());
            }
        }
    }
    Ok(())
}

/// Whether each request is about one owner, whose entities are few.
fn always_owned(method: &Method, aggregate: &Aggregate) -> bool {
    let access = &method.access;
    if aggregate.options.shared {
        return false;
    }
    let variable = format!("{{{}}}", access.owner);
    let in_path = !access.owner.is_empty()
        && !method.bindings.is_empty()
        && method.bindings.iter().all(|binding| binding.path.contains(&variable));
    let members = !access.realms.is_empty() && access.realms().all(|realm| realm == Realm::User);
    in_path || members || access.own || access.owner_only
}

/// The indexes of an aggregate, and the sifts of a list.
struct Known<'a> {
    aggregate: &'a Aggregate,
    list: &'a List,
    composed: &'a [Vec<String>],
}

impl<'a> Known<'a> {
    /// The filters that a request may set, each by itself.
    fn filters(&self, method: &Method) -> Vec<&'a str> {
        let plain = self.list.filters.iter().map(String::as_str);
        let named = self.list.filter_by.iter().map(|filter| filter.lookup.as_str());
        let mut filters: Vec<&str> = plain.chain(named).collect();
        for scope in &self.aggregate.options.scopes {
            let mut named = method.access.scopes.iter().filter(|one| !one.field.is_empty());
            if named.any(|one| one.kind == scope.kind) && !filters.contains(&scope.field.as_str()) {
                filters.push(scope.field.as_str());
            }
        }
        filters
    }

    fn check_unindexed(&self, place: &str) -> Result<(), Box<dyn Error>> {
        let is_filter = |name: &String| {
            self.list.filters.contains(name) || self.list.filter_by.iter().any(|filter| filter.lookup == *name)
        };
        for unindexed in &self.list.unindexed {
            let odd = unindexed
                .filters
                .iter()
                .chain(&unindexed.only_with)
                .find(|name| !is_filter(name) && *name != "group_id");
            if let Some(odd) = odd {
                return Err(format!("{place}: unindexed names {odd}, which is no filter of the list").into());
            }
            if unindexed.filters.is_empty() || unindexed.reason.is_empty() {
                return Err(format!("{place}: an entry of `unindexed` is incomplete: name `filters`, and the `reason` why few entities are read").into());
            }
        }
        Ok(())
    }

    /// Whether one index gives the entities of a set of filters, in the order of a lookup or newest first.
    fn covers(&self, set: &Names<'_>, order: Option<&str>) -> bool {
        let unique =
            |name: &str| self.aggregate.options.lookups.iter().any(|lookup| lookup.field == name && lookup.unique);
        set.is_empty() && order.is_none()
            || set.iter().any(|name| unique(name))
            || self.indexes(order).iter().any(|index| index.is_subset(set) && self.allows_unindexed(set, index))
    }

    /// The filters of each index that has that order. No filter is an index, too: it gives all entities in order.
    fn indexes(&self, order: Option<&str>) -> Vec<Names<'a>> {
        let mut found: Vec<Names<'a>> = vec![Names::new()];
        match order {
            None => {
                let single = sortable::lookups(self.aggregate).map(|lookup| Names::from([lookup.field.as_str()]));
                found.extend(single);
                found.extend(self.composed.iter().map(|parts| parts.iter().map(String::as_str).collect()));
            }
            Some(order) => {
                let ordered = self.composed.iter().filter(|parts| parts.last().is_some_and(|last| last == order));
                found.extend(
                    ordered.map(|parts| parts.iter().map(String::as_str).filter(|part| *part != order).collect()),
                );
            }
        }
        found
    }

    /// Whether a sift allows each filter of the set that the index does not have.
    fn allows_unindexed(&self, set: &Names<'_>, index: &Names<'_>) -> bool {
        set.difference(index).all(|name| {
            self.list.unindexed.iter().any(|unindexed| {
                let only_with = unindexed.only_with.is_empty()
                    || unindexed.only_with.iter().any(|one| index.contains(one.as_str()));
                only_with && unindexed.filters.iter().any(|one| one == name)
            })
        })
    }
}
