//! Faults in the indexes of filters.

use super::{Fault, SHELVES, build, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "indexed_with",
        (" indexed_with: {fields: \"owner_id\"} due", " due"),
        "ListBooks: no index has owner_id and lent_on: add `indexed_with` to the lookup",
    ),
    (
        "field",
        ("{field: \"status\" indexed_with: {fields: \"owner_id\"}}, ", ""),
        "FindBooks: no single index has status: add a lookup of status to Book, or name",
    ),
    (
        "filters",
        (
            "{ filters: [\"status\"] search",
            "{ filters: [\"status\"] filter_by: {lookup: \"title\" from: \"text\"} search",
        ),
        "FindBooks: no single index has status, title: add",
    ),
    (
        "filters",
        ("{ filters: [\"status\"] search", "{ filters: [\"status\"] unindexed: {filters: \"status\"} search"),
        "FindBooks: an entry of `unindexed` is incomplete: name `filters`, and the `reason` why few entities are read",
    ),
    (
        "filters",
        (
            "{ filters: [\"status\"] search",
            "{ filters: [\"status\"] unindexed: {filters: \"title\" reason: \"few\"} search",
        ),
        "FindBooks: unindexed names title, which is no filter of the list",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}

#[test]
fn a_reason_replaces_an_index() {
    let list = |text: &str| build(&SHELVES.replacen("{ filters: [\"status\"] search", text, 1));
    let both = "{ filters: [\"status\"] filter_by: {lookup: \"title\" from: \"text\"} ";
    list(&format!("{both} unindexed: {{filters: \"title\" reason: \"A shelf has few books.\"}} search")).unwrap();
    list(&format!(
        "{both} unindexed: {{filters: \"status\" only_with: \"title\" reason: \"Few have a title.\"}} search"
    ))
    .unwrap();
    let error =
        list(&format!("{both} unindexed: {{filters: \"status\" only_with: \"status\" reason: \"No.\"}} search"));
    assert!(error.unwrap_err().contains("FindBooks: no single index has status, title: add"));
}
