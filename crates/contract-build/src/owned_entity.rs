//! The rules of a merge of two identities for each aggregate, as constants for the workers of merges.

use std::error::Error;
use std::fmt::Write as _;

use heck::ToSnakeCase as _;
use pavise_contract::options::v1::OnMerge;
use pavise_contract::options::v1::on_merge::Outcome;
use pavise_contract::{Aggregate, Behavior, Method, Service, spelling};
use prost_reflect::{Kind, MessageDescriptor};

use crate::Source;
use crate::floor::entities;

type Built<T> = Result<T, Box<dyn Error>>;

/// The constant with the owned entities of the package.
pub(crate) fn code(source: &Source<'_>) -> Built<String> {
    let mut entries = String::new();
    for aggregate in entities::aggregates(source) {
        let place = aggregate.descriptor.full_name();
        let is_child = aggregate.options.parent.is_some();
        if (aggregate.options.shared || is_child) != aggregate.options.on_merge.is_empty() {
            let problem = if is_child {
                "it is a child, which follows its parent: leave `on_merge` out"
            } else if aggregate.options.shared {
                "it is shared and belongs to no identity: leave `on_merge` out"
            } else {
                "`on_merge` is missing: say whether a merge of two identities moves it or keeps it"
            };
            return Err(format!("{place}: {problem}").into());
        }
        for rule in &aggregate.options.on_merge {
            entries.push_str(
                &owned_entity(source, aggregate, rule).map_err(|error| format!("{place}: on_merge: {error}"))?,
            );
        }
    }
    Ok(format!(
        "/// The entities of an owner that a merge of two identities moves.\npub static OWNED_ENTITIES: &[&::pavise_kernel::table::OwnedEntity] = &[{entries}];\n"
    ))
}

/// One kind of owned entity; empty for entities that stay where they are.
fn owned_entity(source: &Source<'_>, aggregate: &Aggregate, rule: &OnMerge) -> Built<String> {
    let service = source.contract.service(entities::journal(source, aggregate)?).ok_or("there is no such service")?;
    let transfer = match &rule.outcome {
        None => return Err("the outcome is missing: set `keep`, `move` or `custom`".into()),
        Some(Outcome::Keep(reason)) if reason.is_empty() => {
            return Err("`keep` is empty: write the reason why it stays".into());
        }
        Some(Outcome::Keep(reason)) => {
            let alone = OnMerge { outcome: Some(Outcome::Keep(reason.clone())), ..OnMerge::default() };
            return if *rule == alone {
                Ok(String::new())
            } else {
                Err("`keep` stands alone: leave all other fields out".into())
            };
        }
        Some(Outcome::Move(call)) => format!("Some({})", transfer(source, service, aggregate, rule, call)?),
        Some(Outcome::Custom(false)) => return Err("`custom` is false: set it to true or leave it out".into()),
        Some(Outcome::Custom(true)) if !rule.waits.is_empty() => {
            return Err("`waits` is for `move` only: leave it out".into());
        }
        Some(Outcome::Custom(true)) => "None".to_owned(),
    };
    let processor = if rule.processor.is_empty() { &service.name } else { &rule.processor };
    if rule.erasable && rule.in_use.is_empty() {
        return Err("`erasable` is for entities with `in_use`: leave it out".into());
    }
    let in_use = match (rule.in_use.as_slice(), rule.held.as_str()) {
        ([], "") => "None".to_owned(),
        (statuses, "") => format!("Some({})", list(service, aggregate, rule, statuses, "")?),
        ([], held) => format!("Some({})", list(service, aggregate, rule, &rule.statuses, held)?),
        _ => return Err("`held` says what is in use: leave `in_use` out".into()),
    };
    let mut text = String::new();
    writeln!(
        text,
        "&::pavise_kernel::table::OwnedEntity {{ processor: {processor:?}, domain: {:?}, message: {:?}, place: {}, list: {}, transfer: {transfer}, in_use: {in_use}, erasable: {} }},",
        source.domain,
        aggregate.descriptor.full_name(),
        rule.place,
        list(service, aggregate, rule, &rule.statuses, "")?,
        rule.erasable,
    )?;
    Ok(text)
}

fn transfer(source: &Source<'_>, service: &Service, aggregate: &Aggregate, rule: &OnMerge, rpc: &str) -> Built<String> {
    let method = call(service, rpc)?;
    if method.about() != aggregate.descriptor.full_name() {
        return Err(format!("{rpc} is about another aggregate: name a call that answers this one").into());
    }
    let named = match &method.behavior {
        Behavior::Change(change) => change.id.clone(),
        _ => String::new(),
    };
    let id = if named.is_empty() { format!("{}_id", aggregate.descriptor.name().to_snake_case()) } else { named };
    for reason in &rule.waits {
        if !source.contract.reasons.iter().any(|known| known.domain == source.domain && known.name == *reason) {
            return Err(format!("there is no reason {reason}").into());
        }
    }
    let input = method.descriptor.input();
    Ok(format!(
        "::pavise_kernel::table::Transfer {{ path: {:?}, entity: {}, owner: {}, new_owner: {}, waits: &{:?} }}",
        path(service, method),
        number(&input, &id)?,
        owner(method)?,
        number(&input, "new_owner_id")?,
        rule.waits,
    ))
}

/// The list call. With `held`, only its items with that field are meant.
fn list(service: &Service, aggregate: &Aggregate, rule: &OnMerge, spellings: &[String], held: &str) -> Built<String> {
    let method = call(service, &rule.list)?;
    let (input, output) = (method.descriptor.input(), method.output());
    let items = output.fields().find(|field| field.is_list() && field.kind().as_message().is_some());
    let items = items.ok_or_else(|| format!("{} answers no items", rule.list))?;
    let item = items.kind().as_message().cloned().ok_or("the items are no messages")?;
    let item_id = if rule.item_id.is_empty() { "id" } else { &rule.item_id };
    let statuses = statuses(aggregate, spellings)?;
    let status = if statuses.is_empty() { 0 } else { number(&input, "status")? };
    Ok(format!(
        "::pavise_kernel::table::OwnerList {{ path: {:?}, owner: {}, status: {status}, statuses: &{statuses:?}, page_size: {}, page_token: {}, items: {}, item_id: {}, next_page_token: {}, held: {} }}",
        path(service, method),
        owner(method)?,
        number(&input, "page_size")?,
        number(&input, "page_token")?,
        items.number(),
        number(&item, item_id)?,
        number(&output, "next_page_token")?,
        if held.is_empty() { 0 } else { flag(&item, held)? },
    ))
}

/// The numbers of statuses.
fn statuses(aggregate: &Aggregate, spellings: &[String]) -> Built<Vec<i32>> {
    let status = aggregate
        .descriptor
        .get_field(3)
        .and_then(|field| field.kind().as_enum().cloned())
        .ok_or("it has no status")?;
    let number = |wanted: &String| {
        let found = status.values().find(|value| spelling::of(value).as_ref() == Some(wanted));
        found.map(|value| value.number()).ok_or_else(|| format!("there is no status {wanted}").into())
    };
    spellings.iter().map(number).collect()
}

fn call<'a>(service: &'a Service, rpc: &str) -> Built<&'a Method> {
    let found = service.methods.iter().find(|method| method.descriptor.name() == rpc);
    found.ok_or_else(|| format!("the service {} has no call {rpc:?}", service.name).into())
}

fn path(service: &Service, method: &Method) -> String {
    format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name())
}

/// The number of the owner's field in the request.
fn owner(method: &Method) -> Built<u32> {
    if method.access.owner.is_empty() {
        return Err(format!("the access of {} names no owner", method.descriptor.name()).into());
    }
    number(&method.descriptor.input(), &method.access.owner)
}

fn number(message: &MessageDescriptor, field: &str) -> Built<u32> {
    let found = message.get_field_by_name(field);
    found.map(|field| field.number()).ok_or_else(|| format!("{} has no field {field:?}", message.name()).into())
}

/// The number of a field that is true or false.
fn flag(message: &MessageDescriptor, field: &str) -> Built<u32> {
    let found = message.get_field_by_name(field).filter(|found| found.kind() == Kind::Bool && !found.is_list());
    found.map(|field| field.number()).ok_or_else(|| format!("{} has no bool {field:?}", message.name()).into())
}
