//! Aggregates that withhold entities from members and visitors.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Realm, Withheld};
use pavise_contract::{Aggregate, Behavior, Method, Service, spelling};
use prost_reflect::FieldDescriptor;

use crate::floor::entities;
use crate::{Source, name};

/// Writes the methods of an aggregate that withholds entities.
pub(crate) fn code(text: &mut String, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let Some(rule) = &aggregate.options.withheld else { return Ok(()) };
    let (field, numbers) = values(aggregate, rule)?;
    let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
    let (ident, numbers) = (name::field(&field), numbers.join(" | "));
    writeln!(text, "fn is_withheld(&self) -> bool {{ matches!(self.{ident}, {numbers}) }}")?;
    if rule.admits {
        text.push_str(
            "async fn admit(call: &Call, withheld: Vec<Self>) -> ::pavise_kernel::Result<Vec<Self>> { <Self as ::pavise_kernel::Admit>::admit(call, withheld).await }\n",
        );
    }
    Ok(())
}

/// The field of the rule, and the numbers of its values.
fn values(aggregate: &Aggregate, rule: &Withheld) -> Result<(FieldDescriptor, Vec<i32>), String> {
    let place = aggregate.descriptor.full_name();
    let field = aggregate.descriptor.get_field_by_name(&rule.field).filter(|field| !field.is_list());
    let field = field.ok_or_else(|| format!("{place}: withheld names {}, which is no field", rule.field))?;
    let kind = field.kind();
    let kind = kind.as_enum().ok_or_else(|| format!("{place}: withheld names {}, no enumeration", rule.field))?;
    let number = |value: &String| {
        let known = kind.values().find(|known| spelling::of(known).as_ref() == Some(value));
        known.map(|known| known.number()).ok_or_else(|| format!("{place}: {} has no value {value}", kind.name()))
    };
    let numbers = rule.values.iter().map(number).collect::<Result<Vec<i32>, String>>()?;
    Ok((field, numbers))
}

/// Checks the rules, and that no call tells others of what is withheld.
pub(crate) fn check(source: &Source<'_>) -> Result<(), String> {
    for aggregate in entities::aggregates(source) {
        let Some(rule) = &aggregate.options.withheld else { continue };
        let place = aggregate.descriptor.full_name();
        if !aggregate.options.shared {
            return Err(format!(
                "{place}: `withheld` is for shared aggregates: leave it out, because owners see the others"
            ));
        }
        if rule.values.is_empty() {
            return Err(format!("{place}: withheld names no `values`"));
        }
        values(aggregate, rule)?;
        for (service, method) in source.contract.methods().filter(|(_, method)| admits_others(method)) {
            if let Some(what) = leak(aggregate, service, method) {
                let call = method.descriptor.full_name();
                return Err(format!("{call}: it admits callers from whom {place} withholds entities, and {what}"));
            }
        }
    }
    Ok(())
}

/// Whether the call admits callers from whom entities are withheld.
fn admits_others(method: &Method) -> bool {
    method.access.public || method.access.realms().any(|realm| matches!(realm, Realm::User | Realm::GroupAdmin))
}

/// How the call would tell of a withheld entity.
fn leak(aggregate: &Aggregate, service: &Service, method: &Method) -> Option<&'static str> {
    let about = method.facts.entity == aggregate.descriptor.full_name();
    match &method.behavior {
        Behavior::List(list) if about && list.search.is_some() => Some("it searches"),
        Behavior::List(list) if about && list.range.is_some() => Some("it lists in an order"),
        Behavior::List(list) if about && list.total.is_some() => Some("it counts"),
        Behavior::Journal(_) if service.name == aggregate.options.journal => Some("it answers the journal"),
        Behavior::Watch(watch) if watch.aggregate.is_empty() && service.name == aggregate.options.journal => {
            Some("it streams the journal")
        }
        _ => None,
    }
}
