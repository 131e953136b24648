//! Alerts that are made of a template.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::LocalizedText;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{Alert, AlertTemplate, ErrorReason, TextValue};
use crate::shared::template_text::{TextFault, TextForm, flatten_value, render_text};

impl Alert {
    /// Fills in what the alert leaves out: the texts of the template with the alert's values, and its other fields.
    ///
    /// # Errors
    /// `TEMPLATE_VALUE_MISSING`, `INVALID_FIELD`.
    pub(in crate::alerts) fn complete_from(&mut self, template: &AlertTemplate) -> Result<()> {
        let values = read_values(&self.values)?;
        if self.titles.is_empty() {
            self.titles = fill_texts(template, &template.titles, &values)?;
        }
        if self.texts.is_empty() {
            self.texts = fill_texts(template, &template.texts, &values)?;
        }
        if self.priority == 0 {
            self.priority = template.priority;
        }
        if self.scope == 0 {
            self.scope = template.scope;
        }
        if self.notification_types.is_empty() {
            self.notification_types.clone_from(&template.notification_types);
        }
        if self.escalation_minutes == 0 {
            self.escalation_minutes = template.escalation_minutes;
        }
        Ok(())
    }
}

/// The values by name.
fn read_values(values: &[TextValue]) -> Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for (place, value) in values.iter().enumerate() {
        if all.insert(value.name.clone(), flatten_value(&value.text)).is_some() {
            return Err(Error::field(format!("values[{place}].name"), "is there twice"));
        }
    }
    Ok(all)
}

fn fill_texts(
    template: &AlertTemplate,
    texts: &[LocalizedText],
    values: &BTreeMap<String, String>,
) -> Result<Vec<LocalizedText>> {
    let fill = |text: &LocalizedText| {
        let filled = render_text(&text.text, TextForm::Plain, values).map_err(|fault| fault_error(template, fault))?;
        Ok(LocalizedText { text: filled, ..text.clone() })
    };
    texts.iter().map(fill).collect()
}

fn fault_error(template: &AlertTemplate, fault: TextFault) -> Error {
    match fault {
        TextFault::Missing(gap) => {
            let message = format!("the template {} needs a value for {gap}", template.key);
            Error::new(ErrorReason::TemplateValueMissing, message).violation("values", format!("has none for {gap}"))
        }
        TextFault::TooLarge => Error::field("values", "make a text that is too long"),
        TextFault::Syntax(cause) => Error::internal(format!("the template {}: {cause}", template.key)),
    }
}
