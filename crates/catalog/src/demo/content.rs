//! The content of the member app's site, in four languages.

use super::part::{Text, localized_texts};
use crate::contract::v1::{
    ContentField, ContentFieldType, ContentResource, ContentSiteType, ContentValue, ContentVariant,
    CreateContentEntryRequest, CreateContentTypeRequest,
};

/// A row for each entry: type, key, the keys of the entries that it names, heading and body in three languages. An entry
/// stands below those that it names.
const TABLE: &str = include_str!("content.tsv");

/// A type and what its list of entries is called: key, variant, field, the type of the entries in it.
const TYPES: [(&str, ContentVariant, &str, &str); 4] = [
    ("banner", ContentVariant::Block, "", ""),
    ("section", ContentVariant::Section, "blocks", "banner"),
    ("page", ContentVariant::Page, "sections", "section"),
    ("menu", ContentVariant::Navigation, "items", "page"),
];

/// The types of the entries.
pub(super) fn make_types() -> Vec<CreateContentTypeRequest> {
    let build = |(number, (key, variant, list, allowed)): (usize, &(&str, ContentVariant, &str, &str))| {
        let mut fields = vec![
            field("heading", ContentFieldType::Text, true),
            ContentField { required: false, ..field("body", ContentFieldType::RichText, true) },
        ];
        if !list.is_empty() {
            fields.push(ContentField {
                required: false,
                allowed_type_keys: vec![(*allowed).to_owned()],
                ..field(list, ContentFieldType::ResourceArray, false)
            });
        }
        CreateContentTypeRequest {
            key: (*key).to_owned(),
            variant: (*variant).into(),
            site_type: ContentSiteType::Member.into(),
            fields,
            id: type_id(number),
        }
    };
    TYPES.iter().enumerate().map(build).collect()
}

/// The entries, each after those that it names.
pub(super) fn make_entries() -> Vec<CreateContentEntryRequest> {
    let keys: Vec<&str> = TABLE.lines().skip(1).filter_map(|line| line.split('\t').nth(1)).collect();
    let number_of = |key: &str| keys.iter().position(|known| *known == key);
    let build = |(number, line): (usize, &'static str)| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        let (of, key, names) = (cell(), cell(), cell());
        let (heading, body) = ([cell(), cell(), cell()], [cell(), cell(), cell()]);
        let place = TYPES.iter().position(|(type_key, ..)| *type_key == of).unwrap_or_default();
        let mut draft = [texts("heading", heading), texts("body", body)].concat();
        let named: Vec<ContentResource> = names.split(',').filter_map(number_of).map(resource).collect();
        if let (Some((_, _, list, _)), false) = (TYPES.get(place), named.is_empty()) {
            draft.push(ContentValue { field_key: (*list).to_owned(), resources: named, ..ContentValue::default() });
        }
        CreateContentEntryRequest {
            type_id: type_id(place),
            site_type: ContentSiteType::Member.into(),
            key: key.to_owned(),
            draft,
            id: entry_id(number),
        }
    };
    TABLE.lines().skip(1).enumerate().map(build).collect()
}

fn field(key: &str, kind: ContentFieldType, localized: bool) -> ContentField {
    ContentField { key: key.to_owned(), r#type: kind.into(), required: true, localized, ..ContentField::default() }
}

/// The texts of a field in every locale; none where there is none. Lines are parted by `\n` in the table.
fn texts(key: &str, [american, spanish, french]: [&'static str; 3]) -> Vec<ContentValue> {
    let text: Text = [american, spanish, american, french];
    let value = |text: pavise_kernel::common::v1::LocalizedText| ContentValue {
        field_key: key.to_owned(),
        locale: text.locale,
        text: text.text.replace("\\n", "\n"),
        ..ContentValue::default()
    };
    localized_texts(text).into_iter().filter(|text| !text.text.is_empty()).map(value).collect()
}

fn resource(number: usize) -> ContentResource {
    ContentResource { entry_id: entry_id(number), ..ContentResource::default() }
}

fn type_id(number: usize) -> String {
    format!("13000000-0000-4000-8000-{:012}", number + 1)
}

fn entry_id(number: usize) -> String {
    format!("14000000-0000-4000-8000-{:012}", number + 1)
}
