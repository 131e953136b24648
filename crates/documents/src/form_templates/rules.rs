//! Rules of every template.

use std::collections::HashSet;

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{FormTemplate, FormVariant};
use crate::shared::violations::Violations;

impl Invariants for FormTemplate {
    fn check(&self) -> Result<()> {
        let mut faults = Violations::default();
        let mut ids = HashSet::new();
        for (place, variant) in self.variants.iter().enumerate() {
            if !ids.insert(variant.id.as_str()) {
                faults.add(format!("variants[{place}].id"), "is that of another variant");
            }
            if is_after(variant.effective_from, variant.effective_until) {
                faults.add(format!("variants[{place}].effective_until"), "is before effective_from");
            }
            let earlier = self.variants.iter().take(place);
            if let Some(other) = earlier.into_iter().find(|other| overlaps(other, variant)) {
                let why = format!("{} is for the same region and language on the same days", other.id);
                faults.add(format!("variants[{place}]"), why);
            }
        }
        let mut fields = HashSet::new();
        for (place, source) in self.fields.iter().enumerate() {
            if !fields.insert((source.field.as_str(), source.choice.as_str())) {
                faults.add(format!("fields[{place}].field"), "has a source already");
            }
        }
        faults.into_result()
    }
}

fn overlaps(one: &FormVariant, other: &FormVariant) -> bool {
    one.region == other.region
        && one.locale == other.locale
        && !is_after(one.effective_from, other.effective_until)
        && !is_after(other.effective_from, one.effective_until)
}

/// Whether the first day is after the last one. A day that is not set is before, or after, all others.
fn is_after(first: Option<Date>, last: Option<Date>) -> bool {
    first.zip(last).is_some_and(|(first, last)| to_days(first) > to_days(last))
}

/// The refusal of a template that is not there, or of which no forms are made.
pub(crate) fn absent_error() -> Error {
    Error::field("template_id", "names no template that forms are made of")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::FormFieldSource;

    fn day(day: i32) -> Option<Date> {
        Some(Date { year: 2026, month: 3, day })
    }

    fn variant(id: &str, from: Option<Date>, until: Option<Date>) -> FormVariant {
        FormVariant { id: id.to_owned(), effective_from: from, effective_until: until, ..FormVariant::default() }
    }

    fn faults(template: &FormTemplate) -> Vec<String> {
        let found = template.check().err();
        found.map(|error| error.violations().iter().map(|one| one.field.clone()).collect()).unwrap_or_default()
    }

    #[test]
    fn no_two_variants_are_for_one_day() {
        let of = |variants| FormTemplate { variants, ..FormTemplate::default() };
        assert!(faults(&of(vec![variant("a", None, day(3)), variant("b", day(4), None)])).is_empty());
        assert_eq!(faults(&of(vec![variant("a", None, day(4)), variant("b", day(4), None)])), ["variants[1]"]);
        assert_eq!(faults(&of(vec![variant("a", day(4), day(3))])), ["variants[0].effective_until"]);
        let regions = [5, 6].map(|region| FormVariant { region, ..variant("a", None, None) });
        assert_eq!(faults(&of(regions.to_vec())), ["variants[1].id"]);
    }

    #[test]
    fn a_field_has_one_source() {
        let source = |choice: &str| FormFieldSource {
            field: "a".to_owned(),
            choice: choice.to_owned(),
            ..FormFieldSource::default()
        };
        let fields = vec![source(""), source("x"), source("")];
        assert_eq!(faults(&FormTemplate { fields, ..FormTemplate::default() }), ["fields[2].field"]);
    }
}
