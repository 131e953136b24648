//! Replaces, inserts, moves or removes resources in a list of a draft.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::draft::{admit_field, check_value};
use crate::contract::v1::{
    ContentArrayOperation, ContentEntry, ContentFieldType, ContentResource, ContentValue, UpdateArrayFieldRequest,
};

impl CheckRequest<UpdateArrayFieldRequest> for ContentEntry {
    async fn check_request(call: &Call, entry: Option<&Self>, request: &UpdateArrayFieldRequest) -> Result<()> {
        let field = admit_field(call, entry, &request.field_key, &[ContentFieldType::ResourceArray]).await?;
        let resources = request.resources.clone();
        let value = ContentValue { field_key: field.key, resources, ..ContentValue::default() };
        check_value(call, entry, &value, "").await?;
        let mut after = entry.cloned().unwrap_or_default();
        apply(&mut after, request)?;
        let longest = usize::try_from(field.longest).unwrap_or_default();
        let length = after.find_value(&request.field_key, 0).map_or(0, |value| value.resources.len());
        if longest > 0 && length > longest {
            return Err(Error::field("resources", format!("would make {length}, and at most {longest} are allowed")));
        }
        Ok(())
    }
}

impl Edit<UpdateArrayFieldRequest> for ContentEntry {
    fn edit(&mut self, request: &UpdateArrayFieldRequest, _context: &EditContext) -> Result<()> {
        apply(self, request)
    }
}

fn apply(entry: &mut ContentEntry, request: &UpdateArrayFieldRequest) -> Result<()> {
    let mut resources =
        entry.find_value(&request.field_key, 0).map(|value| value.resources.clone()).unwrap_or_default();
    change(&mut resources, request)?;
    entry.put_value(ContentValue { field_key: request.field_key.clone(), resources, ..ContentValue::default() });
    Ok(())
}

fn change(resources: &mut Vec<ContentResource>, request: &UpdateArrayFieldRequest) -> Result<()> {
    let there = |index: i32, end: usize, field: &str| match usize::try_from(index) {
        Ok(index) if index < end => Ok(index),
        _ => Err(Error::field(field, format!("the list has {end} places for it, from 0"))),
    };
    let length = resources.len();
    match request.operation() {
        ContentArrayOperation::Unspecified => return Err(Error::field("operation", "must be given")),
        ContentArrayOperation::Replace => resources.clone_from(&request.resources),
        ContentArrayOperation::Insert => {
            let index = there(request.index, length + 1, "index")?;
            resources.splice(index..index, request.resources.iter().cloned());
        }
        ContentArrayOperation::Move => {
            let from = there(request.index, length, "index")?;
            let to = there(request.to_index, length, "to_index")?;
            let moved = resources.remove(from);
            resources.insert(to, moved);
        }
        ContentArrayOperation::Remove => {
            let index = there(request.index, length, "index")?;
            let _ = resources.remove(index);
        }
    }
    if resources.len() > 100 {
        return Err(Error::field("resources", "a list has at most 100"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ContentArrayOperation as O;

    use super::*;

    /// The list of these entries after an operation, or the field that is wrong.
    fn changed(before: &str, operation: O, new: &str, index: i32, to_index: i32) -> Result<String, String> {
        let list = |names: &str| {
            let resource = |name: char| ContentResource { entry_id: name.to_string(), ..ContentResource::default() };
            names.chars().map(resource).collect::<Vec<_>>()
        };
        let mut resources = list(before);
        let request = UpdateArrayFieldRequest {
            operation: operation.into(),
            resources: list(new),
            index,
            to_index,
            ..UpdateArrayFieldRequest::default()
        };
        match change(&mut resources, &request) {
            Ok(()) => Ok(resources.into_iter().map(|one| one.entry_id).collect()),
            Err(error) => Err(error.violations()[0].field.clone()),
        }
    }

    #[test]
    fn each_operation_does_what_it_says() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(changed("abc", O::Replace, "xy", 0, 0), ok("xy"));
        assert_eq!(changed("abc", O::Insert, "xy", 0, 0), ok("xyabc"));
        assert_eq!(changed("abc", O::Insert, "x", 3, 0), ok("abcx"));
        assert_eq!(changed("abc", O::Move, "", 0, 2), ok("bca"));
        assert_eq!(changed("abc", O::Move, "", 2, 0), ok("cab"));
        assert_eq!(changed("abc", O::Remove, "", 1, 0), ok("ac"));
    }

    #[test]
    fn places_are_those_of_the_list() {
        let wrong = |field: &str| Err(field.to_owned());
        assert_eq!(changed("abc", O::Insert, "x", 4, 0), wrong("index"));
        assert_eq!(changed("abc", O::Move, "", 3, 0), wrong("index"));
        assert_eq!(changed("abc", O::Move, "", 0, 3), wrong("to_index"));
        assert_eq!(changed("", O::Remove, "", 0, 0), wrong("index"));
        assert_eq!(changed(&"a".repeat(100), O::Insert, "x", 0, 0), wrong("resources"));
    }
}
