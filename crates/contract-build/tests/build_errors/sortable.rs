//! Faults in sortable lookups.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    ("field", ("{field: \"title\"}", "{field: \"titel\"}"), "Book: lookup titel names no field"),
    (
        "sortable",
        ("\"lent_on\" sortable: true", "\"lent_on\" sortable: true unique: true"),
        "lookup lent_on: it has `sortable` with `unique` or `prefix`: keep one of them",
    ),
    (
        "sortable",
        ("\"lent_on\" sortable: true", "\"lent_on\""),
        "lookup lent_on: it has `due` and not `sortable`: set `sortable: true`",
    ),
    (
        "fold",
        ("\"tags\" fold: true prefix: true", "\"tags\" sortable: true"),
        "lookup tags: `sortable` needs a field of the aggregate itself that is a text, a Date, a Timestamp, an int32 or a Money",
    ),
    (
        "prefix",
        ("\"cover.colour\" prefix: true", "\"cover.colour\" sortable: true"),
        "lookup cover.colour: `sortable` needs a field of the aggregate itself",
    ),
    (
        "field",
        ("field: \"back_on\"", "field: \"title\""),
        "lookup lent_on: due.field is title, which is not of the lookup's type: name a Date or a Timestamp",
    ),
    (
        "field",
        ("field: \"back_on\"", "field: \"created_at\""),
        "lookup lent_on: due.field is created_at, which is not of the lookup's type: name a Date or a Timestamp",
    ),
    ("statuses", ("statuses: \"OUT\"", "statuses: \"GONE\""), "lookup lent_on: there is no status GONE"),
    (
        "fold",
        ("\"status\" indexed_with", "\"status\" fold: true indexed_with"),
        "lookup status: the lookup status has an index only: leave all options but `indexed_with` out",
    ),
    (
        "fields",
        ("{fields: \"owner_id\"} due", "{fields: \"tags\"} due"),
        "lookup lent_on: indexed_with names tags, which is no owner_id, status or lookup with one value for each entity",
    ),
    (
        "fields",
        ("{fields: \"owner_id\"} due", "{fields: \"lent_on\"} due"),
        "lookup lent_on: indexed_with names an index that is empty, has a part twice, or is there already",
    ),
    (
        "fields",
        ("{fields: \"owner_id\"} due", "{} due"),
        "lookup lent_on: indexed_with names an index that is empty, has a part twice, or is there already",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
