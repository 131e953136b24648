//! Faults in lists.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "list",
        ("list: { aggregate: \"Book\" statuses", "list: { statuses"),
        "ListCards: the response has no list of an aggregate: add one, or name the aggregate in `aggregate`",
    ),
    (
        "list",
        ("message ListCardsRequest {}", "message ListCardsRequest { int32 page_size = 1; string page_token = 2; }"),
        "ListCards: a list has page_size",
    ),
    (
        "filters",
        ("filters: [\"title\", \"status\"]", "filters: [\"status\"] statuses: [\"IN\"]"),
        "ListBooks: the list has `statuses` and a filter by status: keep one of them",
    ),
    ("value", ("value: \"BORROWER\"", "value: \"READER\""), "ListBooks: Side has no value READER"),
    ("field", ("{field: \"side\" value", "{field: \"title\" value"), "ListBooks: the request has no enumeration title"),
    (
        "lookup",
        ("lookup: \"borrower\"", "lookup: \"favourite\""),
        "ListBooks: roles names favourite, which is no lookup of",
    ),
    (
        "filters",
        ("filters: [\"title\", \"status\"]", "filters: [\"borrower\"]"),
        "ListBooks: filters names borrower, which is no field of the request",
    ),
    ("list", ("bool show_total = 10;", ""), "ListBooks: `total` needs the field show_total: add it"),
    (
        "total",
        ("total: {at_most: 100}", "total: {} narrow: true"),
        "ListBooks: `total` is not for a list with `narrow` or `search`: leave it out",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
