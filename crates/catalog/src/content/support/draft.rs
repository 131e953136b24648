//! Edits of a draft, and the checks before them.

use std::collections::BTreeSet;

use pavise_kernel::{Call, Error, Result};

use super::fit;
use crate::contract::v1::{ContentEntry, ContentField, ContentFieldType, ContentType, ContentValue};
use crate::shared::file::find_available_files;
use crate::shared::violations::Violations;

/// The most files that an entry names.
const MOST_FILES: usize = 200;

impl ContentEntry {
    /// Sets a value of the draft, in the place of the one of the same field and locale.
    pub(in crate::content) fn put_value(&mut self, value: ContentValue) {
        match self.find_value(&value.field_key, value.locale) {
            Some(known) => *known = value,
            None => self.draft.push(value),
        }
    }

    /// Removes a value from the draft, if it is there.
    pub(in crate::content) fn remove_value(&mut self, key: &str, locale: i32) {
        self.draft.retain(|value| value.field_key != key || value.locale != locale);
    }

    /// A value of the draft.
    pub(in crate::content) fn find_value(&mut self, key: &str, locale: i32) -> Option<&mut ContentValue> {
        self.draft.iter_mut().find(|value| value.field_key == key && value.locale == locale)
    }
}

/// The type of an entry.
///
/// # Errors
/// When it is not there.
pub(in crate::content) async fn load_type(call: &Call, entry: &ContentEntry) -> Result<ContentType> {
    let found = call.find_unscoped::<ContentType>(&entry.type_id).await?;
    found.ok_or_else(|| Error::internal(format!("the entry {} has no type", entry.id)))
}

/// Checks that an entry has a field of one of these types, and answers it.
///
/// # Errors
/// `INVALID_FIELD`.
pub(in crate::content) async fn admit_field(
    call: &Call,
    entry: Option<&ContentEntry>,
    key: &str,
    kinds: &[ContentFieldType],
) -> Result<ContentField> {
    let entry = entry.ok_or_else(|| Error::internal("there is no entry to edit"))?;
    let of = load_type(call, entry).await?;
    let field = fit::find_field(&of, key);
    let field = field.ok_or_else(|| Error::field("field_key", format!("the type {} has no such field", of.key)))?;
    if !kinds.contains(&field.r#type()) {
        return Err(Error::field("field_key", format!("is a {}", field.r#type().spelling())));
    }
    Ok(field.clone())
}

/// Checks one value by the type of an entry, and the entries and files that it names. `place` is its path, with a point behind it.
///
/// # Errors
/// `INVALID_FIELD` with all violations.
pub(in crate::content) async fn check_value(
    call: &Call,
    entry: Option<&ContentEntry>,
    value: &ContentValue,
    place: &str,
) -> Result<()> {
    let entry = entry.ok_or_else(|| Error::internal("there is no entry to edit"))?;
    let of = load_type(call, entry).await?;
    check_all(call, &of, std::slice::from_ref(value), |_| place.to_owned()).await
}

/// Checks values by a type, and the entries and files that they name. `place` makes the path of a value.
///
/// # Errors
/// `INVALID_FIELD` with all violations.
pub(in crate::content) async fn check_all(
    call: &Call,
    of: &ContentType,
    values: &[ContentValue],
    place: impl Fn(usize) -> String + Copy,
) -> Result<()> {
    let mut wrong = Violations::default();
    fit::check_values(of, values, place, &mut wrong);
    check_targets(call, of, values, place, &mut wrong).await?;
    check_files(call, values, place, &mut wrong).await?;
    wrong.into_result()
}

/// Adds entries that are not there, or not of a type that the field allows.
pub(in crate::content) async fn check_targets(
    call: &Call,
    of: &ContentType,
    values: &[ContentValue],
    place: impl Fn(usize) -> String,
    wrong: &mut Violations,
) -> Result<()> {
    let ids: Vec<String> = list_targets(values).map(str::to_owned).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let entries: Vec<ContentEntry> = call.find_many(&ids).await?;
    let type_ids: Vec<String> = entries.iter().map(|entry| entry.type_id.clone()).collect();
    let types: Vec<ContentType> = call.find_many(&type_ids).await?;
    for (at, value) in values.iter().enumerate() {
        let allowed = fit::find_field(of, &value.field_key).map(|field| field.allowed_type_keys.as_slice());
        for (number, resource) in value.resources.iter().enumerate().filter(|(_, one)| !one.entry_id.is_empty()) {
            let path = format!("{}resources[{number}].entry_id", place(at));
            let Some(entry) = entries.iter().find(|entry| entry.id == resource.entry_id) else {
                wrong.add(path, "there is no such entry");
                continue;
            };
            let key = types.iter().find(|one| one.id == entry.type_id).map(|one| &one.key);
            let allowed = allowed.unwrap_or_default();
            if !allowed.is_empty() && !key.is_some_and(|key| allowed.contains(key)) {
                wrong.add(path, "is an entry of a type that the field does not allow");
            }
        }
    }
    Ok(())
}

/// Adds files that are not there, cannot be downloaded, or belong to somebody: content is for everybody.
pub(in crate::content) async fn check_files(
    call: &Call,
    values: &[ContentValue],
    place: impl Fn(usize) -> String,
    wrong: &mut Violations,
) -> Result<()> {
    let ids: BTreeSet<&str> = list_files(values).collect();
    if ids.len() > MOST_FILES {
        wrong.add("draft", format!("names {} files, and at most {MOST_FILES} are allowed", ids.len()));
        return Ok(());
    }
    let files = find_available_files(call, &ids).await?;
    for (at, value) in values.iter().enumerate() {
        for (number, resource) in value.resources.iter().enumerate().filter(|(_, one)| !one.file_id.is_empty()) {
            if !files.iter().any(|file| file.id == resource.file_id && file.owner_id.is_empty()) {
                let path = format!("{}resources[{number}].file_id", place(at));
                wrong.add(path, "names no file of the platform's own that is AVAILABLE");
            }
        }
    }
    Ok(())
}

/// The files that values name.
fn list_files(values: &[ContentValue]) -> impl Iterator<Item = &str> {
    let resources = values.iter().flat_map(|value| &value.resources);
    resources.map(|resource| resource.file_id.as_str()).filter(|id| !id.is_empty())
}

/// The entries that values name.
pub(in crate::content) fn list_targets(values: &[ContentValue]) -> impl Iterator<Item = &str> {
    let resources = values.iter().flat_map(|value| &value.resources);
    resources.map(|resource| resource.entry_id.as_str()).filter(|id| !id.is_empty())
}
