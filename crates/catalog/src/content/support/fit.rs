//! Whether values fit the fields of a type.

use pavise_kernel::common::v1::Locale;

use super::markdown;
use crate::contract::v1::{ContentField, ContentFieldType, ContentResource, ContentType, ContentValue};
use crate::shared::violations::Violations;

/// Adds what is wrong with values by the fields of their type. `place` makes the path of a value.
pub(in crate::content) fn check_values(
    of: &ContentType,
    values: &[ContentValue],
    place: impl Fn(usize) -> String,
    wrong: &mut Violations,
) {
    for (at, value) in values.iter().enumerate() {
        let path = place(at);
        let same = |earlier: &ContentValue| earlier.field_key == value.field_key && earlier.locale == value.locale;
        if values.iter().take(at).any(same) {
            wrong.add(format!("{path}field_key"), "has a value already");
        }
        match find_field(of, &value.field_key) {
            Some(field) => check_value(field, value, &path, wrong),
            None => wrong.add(format!("{path}field_key"), format!("the type {} has no such field", of.key)),
        }
    }
}

/// The field of a type.
pub(in crate::content) fn find_field<'t>(of: &'t ContentType, key: &str) -> Option<&'t ContentField> {
    of.fields.iter().find(|field| field.key == key)
}

/// Whether a field holds texts.
pub(in crate::content) fn is_text(field: &ContentField) -> bool {
    matches!(field.r#type(), ContentFieldType::Text | ContentFieldType::RichText)
}

/// Adds what is wrong with one value. `path` is its path, with a point behind it.
fn check_value(field: &ContentField, value: &ContentValue, path: &str, wrong: &mut Violations) {
    match (field.localized, value.locale()) {
        (true, Locale::Unspecified) => wrong.add(format!("{path}locale"), "must be given for this field"),
        (false, locale) if locale != Locale::Unspecified => {
            wrong.add(format!("{path}locale"), "the field has one value for all locales");
        }
        _ => {}
    }
    for part in find_foreign_parts(field.r#type(), value) {
        wrong.add(format!("{path}{part}"), format!("the field is a {}", field.r#type().spelling()));
    }
    match field.r#type() {
        ContentFieldType::Text | ContentFieldType::RichText => check_text(field, value, path, wrong),
        ContentFieldType::Number if value.number.is_none() => wrong.add(format!("{path}number"), "must be given"),
        ContentFieldType::Resource | ContentFieldType::ResourceArray => check_resources(field, value, path, wrong),
        ContentFieldType::Unspecified | ContentFieldType::Boolean | ContentFieldType::Number => {}
    }
}

/// The parts of a value that a field of another type would have.
fn find_foreign_parts(kind: ContentFieldType, value: &ContentValue) -> impl Iterator<Item = &'static str> {
    use ContentFieldType as T;
    [
        ("text", !value.text.is_empty() && !matches!(kind, T::Text | T::RichText)),
        ("boolean", value.boolean && kind != T::Boolean),
        ("number", value.number.is_some() && kind != T::Number),
        ("resources", !value.resources.is_empty() && !matches!(kind, T::Resource | T::ResourceArray)),
    ]
    .into_iter()
    .filter(|(_, is_foreign)| *is_foreign)
    .map(|(part, _)| part)
}

fn check_text(field: &ContentField, value: &ContentValue, path: &str, wrong: &mut Violations) {
    let path = format!("{path}text");
    if value.text.is_empty() {
        wrong.add(&path, "must be given");
    }
    let (length, longest) = (value.text.chars().count(), usize::try_from(field.longest).unwrap_or_default());
    if longest > 0 && length > longest {
        wrong.add(&path, format!("has {length} characters, and at most {longest} are allowed"));
    }
    if field.r#type() == ContentFieldType::RichText
        && let Some(fault) = markdown::find_fault(&value.text)
    {
        wrong.add(&path, fault);
    }
}

fn check_resources(field: &ContentField, value: &ContentValue, path: &str, wrong: &mut Violations) {
    let most = match (field.r#type(), usize::try_from(field.longest).unwrap_or_default()) {
        (ContentFieldType::Resource, _) => 1,
        (_, 0) => 100,
        (_, longest) => longest,
    };
    if field.r#type() == ContentFieldType::Resource && value.resources.is_empty() {
        wrong.add(format!("{path}resources"), "must be given");
    }
    wrong.check_length(&value.resources, most, &format!("{path}resources"));
    for (at, resource) in value.resources.iter().enumerate() {
        let ContentResource { entry_id, file_id, url, .. } = resource;
        let named = [entry_id, file_id, url].into_iter().filter(|part| !part.is_empty()).count();
        if named != 1 {
            wrong.add(format!("{path}resources[{at}]"), "names one of an entry, a file and an address");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ContentNumber;

    fn field(key: &str, kind: ContentFieldType, localized: bool, longest: i32) -> ContentField {
        ContentField { key: key.to_owned(), r#type: kind.into(), localized, longest, ..ContentField::default() }
    }

    fn banner() -> ContentType {
        use ContentFieldType as T;
        let fields = vec![
            field("heading", T::Text, true, 5),
            field("body", T::RichText, false, 0),
            field("shown", T::Boolean, false, 0),
            field("price", T::Number, false, 0),
            field("picture", T::Resource, false, 0),
            field("links", T::ResourceArray, false, 2),
        ];
        ContentType { key: "banner".to_owned(), fields, ..ContentType::default() }
    }

    fn wrong(values: &[ContentValue]) -> Vec<String> {
        let mut wrong = Violations::default();
        check_values(&banner(), values, |at| format!("draft[{at}]."), &mut wrong);
        match wrong.into_result() {
            Ok(()) => Vec::new(),
            Err(error) => error.violations().iter().map(|violation| violation.field.clone()).collect(),
        }
    }

    fn value(key: &str) -> ContentValue {
        ContentValue { field_key: key.to_owned(), ..ContentValue::default() }
    }

    fn text(key: &str, locale: Locale, text: &str) -> ContentValue {
        ContentValue { locale: locale.into(), text: text.to_owned(), ..value(key) }
    }

    fn links(resources: &[(&str, &str)]) -> Vec<ContentResource> {
        let resource = |(entry_id, url): &(&str, &str)| ContentResource {
            entry_id: (*entry_id).to_owned(),
            url: (*url).to_owned(),
            ..ContentResource::default()
        };
        resources.iter().map(resource).collect()
    }

    #[test]
    fn values_of_every_type_fit() {
        let number = Some(ContentNumber { value: 1295, scale: 2 });
        let one = links(&[("e", "")]);
        assert!(
            wrong(&[
                text("heading", Locale::EnUs, "Plans"),
                text("heading", Locale::FrCa, "Forfa"),
                text("body", Locale::Unspecified, "**bold**"),
                ContentValue { boolean: true, ..value("shown") },
                ContentValue { number, ..value("price") },
                ContentValue { resources: one.clone(), ..value("picture") },
                ContentValue { resources: links(&[("e", ""), ("", "https://example.com")]), ..value("links") },
            ])
            .is_empty()
        );
    }

    #[test]
    fn a_value_is_of_its_fields_type() {
        let boolean = ContentValue { boolean: true, ..text("body", Locale::Unspecified, "x") };
        assert_eq!(wrong(&[boolean]), ["draft[0].boolean"]);
        assert_eq!(wrong(&[value("price")]), ["draft[0].number"]);
        assert_eq!(wrong(&[value("picture")]), ["draft[0].resources"]);
        assert_eq!(wrong(&[value("none")]), ["draft[0].field_key"]);
        assert_eq!(wrong(&[text("shown", Locale::Unspecified, "yes")]), ["draft[0].text"]);
    }

    #[test]
    fn locales_lengths_and_html_are_checked() {
        assert_eq!(wrong(&[text("heading", Locale::Unspecified, "Plans")]), ["draft[0].locale"]);
        assert_eq!(wrong(&[text("body", Locale::EnUs, "x")]), ["draft[0].locale"]);
        assert_eq!(wrong(&[text("heading", Locale::EnUs, "Plans!")]), ["draft[0].text"]);
        assert_eq!(wrong(&[text("body", Locale::Unspecified, "<b>x</b>")]), ["draft[0].text"]);
        let twice = [text("heading", Locale::EnUs, "a"), text("heading", Locale::EnUs, "b")];
        assert_eq!(wrong(&twice), ["draft[1].field_key"]);
    }

    #[test]
    fn a_resource_is_an_entry_a_file_or_an_address() {
        let of = |key: &str, resources| wrong(&[ContentValue { resources, ..value(key) }]);
        let with_file = |entry_id: &str, url: &str| {
            let mut resources = links(&[(entry_id, url)]);
            resources[0].file_id = "f".to_owned();
            resources
        };
        assert!(of("picture", with_file("", "")).is_empty());
        assert_eq!(of("picture", with_file("e", "")), ["draft[0].resources[0]"]);
        assert_eq!(of("picture", with_file("", "https://example.com")), ["draft[0].resources[0]"]);
        assert_eq!(of("links", links(&[("", "")])), ["draft[0].resources[0]"]);
        assert_eq!(of("links", links(&[("e", "https://example.com")])), ["draft[0].resources[0]"]);
        assert_eq!(of("picture", links(&[("e", ""), ("f", "")])), ["draft[0].resources"]);
        assert_eq!(of("links", links(&[("e", ""); 3])), ["draft[0].resources"]);
    }
}
