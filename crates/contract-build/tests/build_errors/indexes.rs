//! Faults in the indexes of filters.

use super::{Fault, SHELVES, build, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "together",
        (" together: {with: \"owner_id\"} due", " due"),
        "ListBooks: no index has owner_id and lent_on: add `together` to the lookup",
    ),
    (
        "field",
        ("{field: \"status\" together: {with: \"owner_id\"}}, ", ""),
        "FindBooks: no single index has status: add `together` to a lookup of",
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
        ("{ filters: [\"status\"] search", "{ filters: [\"status\"] sifts: {filters: \"status\"} search"),
        "FindBooks: an entry of `sifts` is incomplete: name `filters`, and the `reason` why few entities are read",
    ),
    (
        "filters",
        (
            "{ filters: [\"status\"] search",
            "{ filters: [\"status\"] sifts: {filters: \"title\" reason: \"few\"} search",
        ),
        "FindBooks: sifts names title, which is no filter of the list",
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
    list(&format!("{both} sifts: {{filters: \"title\" reason: \"A shelf has few books.\"}} search")).unwrap();
    list(&format!("{both} sifts: {{filters: \"status\" beside: \"title\" reason: \"Few have a title.\"}} search"))
        .unwrap();
    let error = list(&format!("{both} sifts: {{filters: \"status\" beside: \"status\" reason: \"No.\"}} search"));
    assert!(error.unwrap_err().contains("FindBooks: no single index has status, title: add"));
}
