//! Faults in batches and views.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "ids",
        ("ids: \"hashes\" lookup", "lookup"),
        "PickBooks: the request has no list of texts to read by: name it in `ids`",
    ),
    ("lookup", ("lookup: \"hash\"", "lookup: \"title\""), "PickBooks: title is no unique lookup"),
    (
        "batch",
        ("repeated string not_found = 2;", ""),
        "PickBooks: the response has no list of texts for what was not found: name it in `missing`",
    ),
    (
        "message",
        ("{message: \"Spine\"}", "{role: \"BINDER\"}"),
        "PickBooks: a view names no role: give each view a `role` but the last, which is for all others",
    ),
    (
        "message",
        ("{message: \"Spine\"}", "{message: \"Spin\"}"),
        "PickBooks: there is no message pavise.shelves.v1.Spin",
    ),
    (
        "batch",
        ("string id = 1; string title = 7;", "string id = 1; int32 title = 7;"),
        "PickBooks: title of Spine is no field of the same type of Book",
    ),
    (
        "message",
        ("{message: \"Spine\"}", "{message: \"Spine\" show: true}"),
        "PickBooks: a view has `message` and `show`: keep one of them",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
