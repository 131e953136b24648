//! Aggregates whose entities can belong to nobody: the rule, and the workers that end such entities.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Answers, Realm, Unowned};
use pavise_contract::{Aggregate, Behavior, Method};

use crate::Source;
use crate::floor::{entities, rule};

/// The most days for which an entity is kept without an owner.
const MOST_DAYS: i32 = 365;

/// Checks the rules, and that each aggregate that a public call makes has one.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for aggregate in entities::aggregates(source) {
        let place = aggregate.descriptor.full_name();
        let Some(rule) = &aggregate.options.unowned else {
            let maker = source.contract.methods().find(|(_, method)| is_made_by(source, aggregate, method));
            if let Some((_, method)) = maker {
                let call = method.descriptor.name();
                return Err(format!(
                    "{place}: the public call {call} makes one without an owner: say in `unowned` when it ends, or in `unowned.exempt` why it needs no rule"
                )
                .into());
            }
            continue;
        };
        if aggregate.options.shared || aggregate.options.parent.is_some() {
            return Err(format!("{place}: `unowned` is not for a shared aggregate or a child: leave it out").into());
        }
        check_rule(source, aggregate, rule).map_err(|fault| format!("{place}: {fault}"))?;
    }
    Ok(())
}

/// Whether a public call makes entities of the aggregate.
fn is_made_by(source: &Source<'_>, aggregate: &Aggregate, method: &Method) -> bool {
    let (options, place) = (&aggregate.options, aggregate.descriptor.full_name());
    let ownerless = options.shared || options.parent.is_some();
    let makes = || method.leads(source.contract).into_iter().any(|step| step.aggregate == place && step.from.is_none());
    !ownerless && method.access.public && !method.reads() && makes()
}

fn check_rule(source: &Source<'_>, aggregate: &Aggregate, rule: &Unowned) -> Result<(), String> {
    if !rule.exempt.is_empty() {
        let alone = rule.days == 0 && rule.ended_by.is_empty();
        return if alone {
            Ok(())
        } else {
            Err("`unowned` has `exempt` beside other fields: keep one of them".to_owned())
        };
    }
    if !(1..=MOST_DAYS).contains(&rule.days) {
        return Err(format!("unowned.days must be 1 to {MOST_DAYS}"));
    }
    ender(source, aggregate, rule)?;
    let place = aggregate.descriptor.full_name();
    let lists = |method: &Method| {
        let several = matches!(method.behavior, Behavior::Batch(_) | Behavior::Watch(_) | Behavior::List(_));
        method.access.public && method.facts.entity == place && (several || method.facts.answers() == Answers::Many)
    };
    match source.contract.methods().find(|(_, method)| lists(method)) {
        Some((_, method)) => {
            let call = method.descriptor.name();
            Err(format!(
                "{call} is public and answers several, but an entity without an owner is reached by its id alone"
            ))
        }
        None => Ok(()),
    }
}

/// The call that ends an entity.
fn ender<'a>(source: &'a Source<'_>, aggregate: &Aggregate, rule: &Unowned) -> Result<&'a Method, String> {
    let named = source
        .contract
        .methods()
        .find(|(service, method)| service.domain == source.domain && method.descriptor.name() == rule.ended_by);
    let (_, method) =
        named.ok_or_else(|| format!("unowned.ended_by names {}, which is no call of the domain", rule.ended_by))?;
    let fits = matches!(method.behavior, Behavior::Delete(_))
        && method.output().full_name() == aggregate.descriptor.full_name()
        && !method.access.public
        && method.access.realms().eq([Realm::Machine])
        && method.access.owner.is_empty()
        && method.bindings.is_empty();
    if fits {
        return Ok(method);
    }
    Err(format!(
        "{} ends entities without an owner, so it is a delete for realm Machine alone, without a path",
        rule.ended_by
    ))
}

/// The rule as a field of the table.
pub(crate) fn table(source: &Source<'_>, aggregate: &Aggregate) -> Result<String, Box<dyn Error>> {
    let Some(rule) = aggregate.options.unowned.as_ref().filter(|rule| rule.exempt.is_empty()) else {
        return Ok("None".to_owned());
    };
    let method = ender(source, aggregate, rule)?;
    let (days, path) = (rule.days, path(method));
    Ok(format!("Some(::pavise_kernel::table::Unowned {{ days: {days}, ended_by: {path:?} }})"))
}

/// The aggregates whose entities end without an owner.
pub(crate) fn workers(source: &Source<'_>) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for aggregate in entities::aggregates(source) {
        let Some(rule) = aggregate.options.unowned.as_ref().filter(|rule| rule.exempt.is_empty()) else { continue };
        let method = ender(source, aggregate, rule)?;
        let Behavior::Delete(delete) = &method.behavior else { continue };
        let input = method.descriptor.input();
        let id = rule::id(method, &delete.id, &aggregate.descriptor)?;
        let number = input.get_field_by_name(&id).map_or(0, |field| field.number());
        writeln!(
            text,
            "::pavise_kernel::unowned::UnownedRule {{ worker: \"{domain}.{table}_unowned\", domain: {domain:?}, table: &{}, path: {:?}, id: {number} }},",
            entities::constant(aggregate),
            path(method),
            domain = source.domain,
            table = aggregate.options.table,
        )?;
    }
    Ok(format!(
        "/// The aggregates whose entities end without an owner.\npub static UNOWNED: &[::pavise_kernel::unowned::UnownedRule] = &[{text}];\n"
    ))
}

fn path(method: &Method) -> String {
    format!("/{}/{}", method.descriptor.parent_service().full_name(), method.descriptor.name())
}
