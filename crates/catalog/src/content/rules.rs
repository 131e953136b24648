//! Rules of every stored type and entry.

use std::collections::BTreeSet;

use pavise_kernel::Result;
use pavise_kernel::aggregate::{Derive, Invariants};
use prost::Message as _;
use prost_types::Timestamp;

use super::support::draft::list_targets;
use super::support::fit::is_text;
use crate::contract::v1::{ContentEntry, ContentFieldType, ContentType};
use crate::shared::violations::Violations;

/// The most bytes of an entry: its draft and its published copy.
const MOST_BYTES: usize = 1024 * 1024;

impl Invariants for ContentType {
    fn check(&self) -> Result<()> {
        let mut wrong = Violations::default();
        let keys: Vec<&str> = self.fields.iter().map(|field| field.key.as_str()).collect();
        wrong.add_repeated(&keys, |at| format!("fields[{at}].key"));
        for (at, field) in self.fields.iter().enumerate() {
            let names_entries = matches!(field.r#type(), ContentFieldType::Resource | ContentFieldType::ResourceArray);
            if field.localized && !is_text(field) {
                wrong.add(format!("fields[{at}].localized"), "is for texts and rich texts only");
            }
            if field.longest > 0 && !is_text(field) && field.r#type() != ContentFieldType::ResourceArray {
                wrong.add(format!("fields[{at}].longest"), "is for texts and lists only");
            }
            if !field.allowed_type_keys.is_empty() && !names_entries {
                wrong.add(format!("fields[{at}].allowed_type_keys"), "is for resources only");
            }
        }
        wrong.into_result()
    }
}

impl Invariants for ContentEntry {
    fn check(&self) -> Result<()> {
        let mut wrong = Violations::default();
        wrong.check_length(&self.draft, 300, "draft");
        let length = self.encoded_len();
        if length > MOST_BYTES {
            wrong.add("draft", format!("the entry has {length} bytes, and at most {MOST_BYTES} are allowed"));
        }
        wrong.into_result()
    }
}

impl Derive for ContentEntry {
    /// The entries that the draft or the published copy names, each once.
    fn derive(&mut self, _before: Option<&Self>, _now: &Timestamp) -> Result<()> {
        let targets = list_targets(&self.draft).chain(list_targets(&self.published));
        let targets: BTreeSet<String> = targets.map(str::to_owned).collect();
        self.reference_ids = targets.into_iter().collect();
        self.expanded.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ContentField, ContentResource, ContentValue};

    fn wrong(fields: Vec<ContentField>) -> Vec<String> {
        match (ContentType { fields, ..ContentType::default() }).check() {
            Ok(()) => Vec::new(),
            Err(error) => error.violations().iter().map(|violation| violation.field.clone()).collect(),
        }
    }

    fn field(kind: ContentFieldType) -> ContentField {
        ContentField { key: kind.spelling().to_lowercase(), r#type: kind.into(), ..ContentField::default() }
    }

    #[test]
    fn options_of_fields_belong_to_their_types() {
        use ContentFieldType as T;
        let all = [T::Boolean, T::Number, T::Resource, T::ResourceArray, T::RichText, T::Text];
        assert!(wrong(all.map(field).to_vec()).is_empty());
        assert_eq!(wrong(vec![field(T::Text), field(T::Text)]), ["fields[1].key"]);
        for kind in all {
            let (is_text, is_list) = (matches!(kind, T::Text | T::RichText), kind == T::ResourceArray);
            let localized = wrong(vec![ContentField { localized: true, ..field(kind) }]);
            assert_eq!(localized.is_empty(), is_text, "{kind:?}");
            let longest = wrong(vec![ContentField { longest: 5, ..field(kind) }]);
            assert_eq!(longest.is_empty(), is_text || is_list, "{kind:?}");
            let allowed = wrong(vec![ContentField { allowed_type_keys: vec!["a".to_owned()], ..field(kind) }]);
            assert_eq!(allowed.is_empty(), is_list || kind == T::Resource, "{kind:?}");
        }
    }

    #[test]
    fn an_entry_knows_what_it_names() {
        let named = |id: &str| ContentValue {
            resources: vec![ContentResource { entry_id: id.to_owned(), ..ContentResource::default() }],
            ..ContentValue::default()
        };
        let mut entry = ContentEntry {
            draft: vec![named("b"), named("a")],
            published: vec![named("b"), named("c"), named("")],
            ..ContentEntry::default()
        };
        entry.derive(None, &Timestamp::default()).unwrap();
        assert_eq!(entry.reference_ids, ["a", "b", "c"]);
    }

    #[test]
    fn an_entry_has_an_end() {
        let text = |count: usize| ContentEntry {
            draft: vec![ContentValue { text: "x".repeat(60_000), ..ContentValue::default() }; count],
            ..ContentEntry::default()
        };
        assert!(text(17).check().is_ok());
        assert!(text(18).check().is_err());
    }
}
