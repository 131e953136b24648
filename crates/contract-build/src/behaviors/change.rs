//! A declared change.

use std::error::Error;

use pavise_contract::Method;
use pavise_contract::options::v1::Change;

use crate::edit::{Edit, each, items, target};
use crate::floor::rule::{self, EDIT_CONTEXT};
use crate::floor::{answers, entities};
use crate::{Source, name};

type Written = Result<String, Box<dyn Error>>;

/// The body of a declared change.
pub(crate) fn body(source: &Source<'_>, method: &Method, change: &Change) -> Written {
    let place = method.descriptor.full_name().to_owned();
    let aggregate = entities::named(source, method, &change.aggregate)?.ok_or("change answers an aggregate")?;
    let answer = match answers::answer(method, aggregate, &change.part)? {
        Some(answer) => format!("|entity| {answer}"),
        None => "Clone::clone".to_owned(),
    };
    let entity = aggregate.descriptor.clone();
    let edit = Edit { place, input: method.descriptor.input(), output: entity.clone(), aggregate };
    let mut edits = [
        each(&change.set, |field| edit.set(field, field))?,
        each(&change.assign, |assign| edit.set(&assign.field, &assign.from))?,
        each(&change.add_items, |item| edit.append(item))?,
        each(&change.replace_items, |item| edit.replace_items(item))?,
        each(&change.upsert_items, |item| edit.put(item))?,
        each(&change.remove_items, |item| edit.remove_items(item))?,
        each(&change.rename_items, |item| edit.rename(item))?,
        each(&change.set_true, |field| edit.mark(field))?,
        each(&change.clear, |field| edit.clear(field))?,
    ]
    .concat();
    if !change.to.is_empty() {
        edits.push_str(&edit.status(&change.to)?);
    }
    let id = rule::id(method, &change.id, &entity)?;
    let before = if change.edit { EDIT_CONTEXT } else { "" };
    if change.edit {
        edits.push_str(&rule::edit("entity"));
    }
    let (apply, target) = match (change.to_field.as_str(), change.edit) {
        ("", true) => ("apply_edit", String::new()),
        ("", false) => ("apply_change", String::new()),
        (field, _) => {
            edits.push_str(&target::set(&edit, field)?);
            ("apply_target", target::argument(&edit, method, change)?)
        }
    };
    let check = if change.checks {
        let load = format!("let entity: {} = call.get(&request.{id}).await?;", name::message(&entity));
        load + &rule::check_request(&entity, "Some(&entity)")
    } else {
        String::new()
    };
    let (places, translate) = match edits.contains("places.note_places(") {
        true => (items::PLACES, ".map_err(|error| places.translate_paths(error))"),
        false => ("", ""),
    };
    Ok(format!(
        "{check} {before} {places} call.{apply}::<{}, _>({target}&request.{id}, {answer}, |entity| {{ {edits} Ok(()) }}).await{translate}",
        name::message(&entity),
    ))
}
