//! A list that searches.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Criterion, List};
use pavise_contract::{Aggregate, Method};

use crate::name;

/// The prefix and the lookups of a list that searches.
pub(crate) fn search(method: &Method, aggregate: &Aggregate, list: &List) -> Result<Option<String>, Box<dyn Error>> {
    let (place, input) = (method.descriptor.full_name(), method.descriptor.input());
    let Some(search) = &list.search else { return Ok(None) };
    let text =
        input.get_field_by_name(&search.text).filter(|field| name::is_string(field) && !field.supports_presence());
    let text =
        text.ok_or_else(|| format!("{place}: search.text is {}, which is no text field of the request", search.text))?;
    if input.get_field_by_name("page_token").is_none() || !list.roles.is_empty() {
        return Err(format!("{place}: a search needs page_token in the request, and no `roles`").into());
    }
    if search.per_minute < 1 {
        return Err(format!(
            "{place}: search.per_minute is missing: say how many searches one caller may make in a minute"
        )
        .into());
    }
    let known = |name: &String| {
        name == "id" || aggregate.options.lookups.iter().any(|lookup| lookup.prefix && lookup.field == *name)
    };
    if let Some(odd) = search.lookups.iter().find(|name| !known(name)) {
        return Err(format!(
            "{place}: {} has no lookup {odd} with `prefix`: search.lookups names only such lookups, and id",
            aggregate.descriptor.name()
        )
        .into());
    }
    if search.lookups.is_empty() {
        return Err(format!("{place}: search.lookups is empty: name at least one lookup with `prefix`").into());
    }
    let is_list = |name: &str| aggregate.descriptor.get_field_by_name(name).is_some_and(|field| field.is_list());
    let are_words = known(&search.words) && is_list(&search.words);
    if !search.words.is_empty() && !are_words {
        return Err(format!(
            "{place}: {} has no list of texts with a lookup with `prefix`, as search.words needs, called {}",
            aggregate.descriptor.name(),
            search.words
        )
        .into());
    }
    let mut criteria = String::new();
    for Criterion { lookup, from, exact } in &search.criteria {
        let field = input.get_field_by_name(from).filter(|field| name::is_string(field) && !field.supports_presence());
        let field = field
            .ok_or_else(|| format!("{place}: search.criteria names {from}, which is no text field of the request"))?;
        if lookup == "id" || !known(lookup) {
            return Err(format!("{place}: search.criteria names {lookup}, which is no lookup with `prefix`").into());
        }
        let text = name::field(&field);
        write!(
            criteria,
            "::pavise_kernel::Criterion {{ lookup: {lookup:?}, text: &request.{text}, exact: {exact} }},"
        )?;
    }
    Ok(Some(format!(
        "::pavise_kernel::Search {{ text: &request.{}, lookups: &{:?}, per_minute: {}, words: {:?}, criteria: &[{criteria}], without: &[] }}",
        name::field(&text),
        search.lookups,
        search.per_minute,
        search.words
    )))
}
