//! Code for every aggregate of the package: its table and the Aggregate trait.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fmt::Write as _;

use heck::ToSnakeCase as _;
use pavise_contract::{Aggregate, spelling};
use prost_reflect::MessageDescriptor;

use crate::audience::has_audience;
use crate::floor::entities::{aggregates, constant, journal};
use crate::floor::fields::{has_secret, is_optional};
use crate::mask::has_mask;
use crate::{
    Source, child, confined, name, names, number, scope, sealed, siblings, sortable, tree, unique, unowned, withheld,
};

/// The code for all aggregates of the package.
pub(crate) fn code(source: &Source<'_>) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let mut entries = String::new();
    for aggregate in aggregates(source) {
        table(&mut text, source, aggregate)?;
        implementation(&mut text, source, aggregate)?;
        let path = name::message(&aggregate.descriptor);
        let hides = has_secret(&aggregate.descriptor, &mut HashMap::new())
            || has_audience(&aggregate.descriptor, &mut HashMap::new())
            || has_mask(&aggregate.descriptor, &mut HashMap::new());
        let redact = if hides {
            format!(
                "Some(|value, realm| {{ let Ok(mut entity) = <{path} as ::prost::Message>::decode(value) else {{ return Vec::new() }}; ::pavise_kernel::Redact::redact(&mut entity); ::pavise_kernel::Redact::hide(&mut entity, realm); ::pavise_kernel::Redact::mask(&mut entity, realm); ::prost::Message::encode_to_vec(&entity) }})"
            )
        } else {
            "None".to_owned()
        };
        writeln!(
            entries,
            "&::pavise_kernel::TableEntry {{ table: &{}, redact: {redact}, encode: ::pavise_kernel::aggregate::encode_anew::<{path}> }},",
            constant(aggregate)
        )?;
    }
    writeln!(
        text,
        "/// The aggregates of this domain.\npub static TABLES: &[&::pavise_kernel::TableEntry] = &[{entries}];"
    )?;
    Ok(text)
}

fn table(text: &mut String, source: &Source<'_>, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let (message, options) = (&aggregate.descriptor, &aggregate.options);
    let mut lookups = String::new();
    for lookup in sortable::lookups(aggregate) {
        let many = aggregate
            .lookup_is_many(&lookup.field)
            .ok_or_else(|| format!("{}: lookup {} names no field", message.full_name(), lookup.field))?;
        let json =
            message.get_field_by_name(&lookup.field).map_or_else(String::new, |field| field.json_name().to_owned());
        let sortable = sortable::kind_of(aggregate, lookup)?
            .map_or_else(|| "None".to_owned(), |sortable| format!("Some(SortKind::{sortable})"));
        let within = unique::within(aggregate, lookup, many)?;
        let space = names::space(aggregate, lookup, many)?;
        let blind = if sealed::is_sealed(message, &lookup.field) { "blind: true," } else { "" };
        writeln!(
            lookups,
            "Lookup {{ name: {:?}, json: {json:?}, unique: {}, fold: {}, many: {many}, prefix: {}, sortable: {sortable}, within: &[{within}], {space} {blind} ..Lookup::PLAIN }},",
            lookup.field, lookup.unique, lookup.fold, lookup.prefix
        )?;
    }
    let indexes: String = sortable::indexes(aggregate)?.iter().map(|parts| format!("&{parts:?},")).collect();
    let visible: String = options
        .visible
        .iter()
        .map(|rule| format!("Visible {{ statuses: &{:?}, signed_in: {} }},", rule.statuses, rule.signed_in))
        .collect();
    let (scopes, unconfined) = (scope::table(aggregate), confined::table(aggregate));
    let unowned = unowned::table(source, aggregate)?;
    writeln!(
        text,
        "/// Where `{}` is kept.\npub static {}: Table = Table {{ name: {:?}, journal: {:?}, message: {:?}, noun: {:?}, initial: {:?}, terminal: &{:?}, lookups: &[{lookups}], shared: {}, visible: &[{visible}], indexes: &[{indexes}], scopes: &[{scopes}], unconfined: &[{unconfined}], unowned: {unowned} }};",
        message.name(),
        constant(aggregate),
        options.table,
        journal(source, aggregate)?,
        message.full_name(),
        message.name().to_snake_case().replace('_', " "),
        options.initial,
        options.terminal,
        options.shared,
    )?;
    Ok(())
}

fn implementation(text: &mut String, source: &Source<'_>, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let (message, options) = (&aggregate.descriptor, &aggregate.options);
    let path = name::message(message);
    let table = constant(aggregate);
    let status =
        message.get_field(3).and_then(|field| field.kind().as_enum().cloned()).ok_or("status is no enumeration")?;
    let (mut spellings, mut numbers) = (String::new(), String::new());
    for value in status.values() {
        if let Some(spelled) = spelling::of(&value) {
            writeln!(spellings, "{} => {spelled:?},", value.number())?;
            writeln!(numbers, "{spelled:?} => Some({}),", value.number())?;
        }
    }
    writeln!(
        text,
        "impl ::pavise_kernel::Aggregate for {path} {{
            const TABLE: &'static Table = &{table};
            fn head(&self) -> ::pavise_kernel::Head<'_> {{
                ::pavise_kernel::Head {{ id: &self.id, owner_id: &self.owner_id, status: Self::status_spelling(self.status), version: self.version, created_at: self.created_at.as_ref(), updated_at: self.updated_at.as_ref() }}
            }}
            fn head_mut(&mut self) -> ::pavise_kernel::HeadMut<'_> {{
                ::pavise_kernel::HeadMut {{ id: &mut self.id, owner_id: &mut self.owner_id, status: &mut self.status, version: &mut self.version, created_at: &mut self.created_at, updated_at: &mut self.updated_at }}
            }}
            fn status_spelling(number: i32) -> &'static str {{ match number {{ {spellings} _ => \"\" }} }}
            fn status_number(spelling: &str) -> Option<i32> {{ match spelling {{ {numbers} _ => None }} }}"
    )?;
    scope::values(text, aggregate)?;
    let many: Vec<_> = sortable::lookups(aggregate)
        .enumerate()
        .filter(|(_, lookup)| aggregate.lookup_is_many(&lookup.field) == Some(true))
        .collect();
    if !many.is_empty() {
        text.push_str("fn lookups_among(&self, wanted: &dyn Fn(&Lookup) -> bool) -> Vec<(&'static Lookup, String)> { let mut values = Vec::new();\n");
        for (at, lookup) in many {
            let parts: Vec<&str> = lookup.field.split('.').collect();
            writeln!(
                text,
                "if let Some(lookup) = {table}.lookups.get({at}).filter(|lookup| wanted(lookup)) {{ {} }}",
                walk(message, &parts, "self")?
            )?;
        }
        text.push_str("values }\n");
    }
    if options.invariants {
        text.push_str("fn check(&self) -> ::pavise_kernel::Result<()> { ::pavise_kernel::Invariants::check(self) }\n");
    }
    derive(text, aggregate)?;
    sortable::values(text, aggregate)?;
    if options.consequences {
        text.push_str(
            "async fn follow(call: &Call, step: &mut ::pavise_kernel::Step<'_, Self>) -> ::pavise_kernel::Result<()> { <Self as ::pavise_kernel::Consequences>::follow(call, step).await }\n",
        );
    }
    fixed(text, source, aggregate)?;
    withheld::code(text, aggregate)?;
    number::code(text, aggregate)?;
    siblings::code(text, aggregate)?;
    tree::code(text, aggregate)?;
    child::code(text, aggregate)?;
    names::values(text, aggregate)?;
    text.push_str("}\n");
    Ok(())
}

/// The method that derives fields: in Rust, and from days and instants.
fn derive(text: &mut String, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let derived = sortable::derived(aggregate)?;
    let (before, by_hand) = match aggregate.options.derives {
        true => ("before: Option<&Self>, at", "::pavise_kernel::Derive::derive(self, before, at)?;"),
        false if derived.is_empty() => return Ok(()),
        false => ("_before: Option<&Self>, _at", ""),
    };
    writeln!(
        text,
        "fn derive(&mut self, {before}: &::prost_types::Timestamp) -> ::pavise_kernel::Result<()> {{ {by_hand} {derived} Ok(()) }}"
    )?;
    if aggregate.options.derives {
        writeln!(text, "fn complete(&mut self) {{ ::pavise_kernel::Derive::complete(self); }}")?;
    }
    Ok(())
}

/// The values of the fields that any call's `scope` names.
fn fixed(text: &mut String, source: &Source<'_>, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let message = &aggregate.descriptor;
    let mut arms = BTreeMap::new();
    for (_, method) in source.contract.methods().filter(|(_, method)| method.about() == message.full_name()) {
        for field in method.scope() {
            let found = message.get_field_by_name(field).filter(name::is_string);
            let found = found.ok_or_else(|| {
                format!("{}: scope names {field}, no text of {}", method.descriptor.full_name(), message.name())
            })?;
            arms.insert(field.clone(), format!("{field:?} => Some(self.{}.as_str()),", name::field(&found)));
        }
    }
    if !arms.is_empty() {
        let arms: String = arms.into_values().collect();
        writeln!(text, "fn scope_value(&self, field: &str) -> Option<&str> {{ match field {{ {arms} _ => None }} }}")?;
    }
    Ok(())
}

/// Pushes every value at a path of fields to `values`.
fn walk(message: &MessageDescriptor, parts: &[&str], place: &str) -> Result<String, Box<dyn Error>> {
    let wrong = || format!("{}: the path of a lookup must end in a text field", message.full_name());
    let (part, rest) = parts.split_first().ok_or_else(wrong)?;
    let field = message.get_field_by_name(part).ok_or_else(wrong)?;
    let ident = name::field(&field);
    let borrowed = format!("&{place}.{ident}");
    if rest.is_empty() {
        if !matches!(field.kind(), prost_reflect::Kind::String) {
            return Err(wrong().into());
        }
        return Ok(if field.is_list() || is_optional(&field) {
            format!("for value in {borrowed} {{ if !value.is_empty() {{ values.push((lookup, value.clone())); }} }}")
        } else {
            format!("if !{place}.{ident}.is_empty() {{ values.push((lookup, {place}.{ident}.clone())); }}")
        });
    }
    let inner = field.kind().as_message().cloned().ok_or_else(wrong)?;
    let inner = walk(&inner, rest, &ident)?;
    Ok(if field.is_list() {
        format!("for {ident} in {borrowed} {{ {inner} }}")
    } else {
        format!("if let Some({ident}) = {borrowed} {{ {inner} }}")
    })
}
