//! Faults in searches.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "search",
        ("search: { text: \"text\"", "search: { text: \"page_size\""),
        "FindBooks: search.text is page_size, which is no text field of the request",
    ),
    (
        "search",
        ("[\"tags\", \"cover.colour\"", "[\"title\", \"cover.colour\""),
        "FindBooks: Book has no lookup title with `prefix`: search.lookups names only such lookups, and id",
    ),
    (
        "lookups",
        ("lookups: [\"tags\", \"cover.colour\", \"id\"] per", "per"),
        "FindBooks: search.lookups is empty: name at least one lookup with `prefix`",
    ),
    (
        "per_minute",
        ("per_minute: 60", "per_minute: 60 words: \"id\""),
        "FindBooks: Book has no list of texts with a lookup with `prefix`, as search.words needs, called",
    ),
    (
        "per_minute",
        ("per_minute: 60", "per_minute: 60 words: \"cover.colour\""),
        "FindBooks: Book has no list of texts with a lookup with `prefix`, as search.words needs, called",
    ),
    (
        "per_minute",
        ("per_minute: 60", "per_minute: 0"),
        "FindBooks: search.per_minute is missing: say how many searches one caller may make in a minute",
    ),
    (
        "per_minute",
        ("per_minute: 60 }", "per_minute: 60 criteria: {lookup: \"title\" from: \"text\"} }"),
        "FindBooks: search.criteria names title, which is no lookup with `prefix`",
    ),
    (
        "per_minute",
        ("per_minute: 60 }", "per_minute: 60 criteria: {lookup: \"tags\" from: \"status\"} }"),
        "FindBooks: search.criteria names status, which is no text field of the request",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
