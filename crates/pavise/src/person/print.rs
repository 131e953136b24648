//! Prints what was found and erased of a person, and how far the work is.

use comfy_table::{ContentArrangement, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::Erasure;

/// Runs work with a line on the terminal that says where it stands.
pub(super) async fn watched<T>(
    identity: &str,
    verb: &str,
    work: impl AsyncFnOnce(&dyn Fn(&str)) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let line = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {prefix} {msg}") {
        line.set_style(style);
    }
    line.set_prefix(format!("{verb} {identity}:"));
    let done = work(&|place| {
        line.set_message(place.to_owned());
        line.tick();
    })
    .await;
    line.finish_and_clear();
    done
}

/// The values of an export.
pub(super) fn values(identity: &str, values: &[Value], as_json: bool) -> String {
    if as_json {
        return format!("{:#}\n", json!({"identityId": identity, "values": values}));
    }
    let mut table = empty(&["service", "entity", "id", "field", "value", ""]);
    for value in values {
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let is_current = value.get("current").and_then(Value::as_bool).unwrap_or(false);
        let when = if is_current { "" } else { "earlier" }.to_owned();
        table.add_row([text("service"), text("entity"), text("id"), text("field"), text("value"), when]);
    }
    format!("{table}\n{} values\n", values.len())
}

/// The counts of an erasure.
pub(super) fn erasure(identity: &str, erasure: &Erasure, as_json: bool) -> String {
    if as_json {
        let mut text = json!(erasure);
        if let Some(fields) = text.as_object_mut() {
            fields.insert("identityId".to_owned(), json!(identity));
        }
        return format!("{text:#}\n");
    }
    let mut table = empty(&["service", "entities", "journal entries", "kept answers", "failed entries"]);
    for (service, counts) in &erasure.services {
        let numbers = [counts.entities, counts.entries, counts.answers, counts.failed_entries];
        table.add_row(std::iter::once(service.clone()).chain(numbers.map(|number| number.to_string())));
    }
    let end = match (erasure.erased, erasure.key_destroyed) {
        (false, _) => "Nothing was erased. Add --yes to erase this for good, with the kept answers.",
        (true, true) => "Erased, and the key is destroyed. Vacuum the databases to free their pages of earlier bytes.",
        (true, false) => {
            "Erased. The platform has no key database. Vacuum the databases to free their pages of earlier bytes."
        }
    };
    format!("{table}\n{end}\n")
}

fn empty(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}
