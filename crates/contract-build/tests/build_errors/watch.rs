//! Faults in streams.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "reads",
        ("unproved: \"Everybody may read books.\" reads: true stream: true", "reads: true"),
        "ReadAloud: it returns a stream: declare a watch, or a custom call with `stream: true`",
    ),
    (
        "watch",
        ("returns (stream Page)", "returns (Page)"),
        "ReadAloud: its behaviour answers a stream: declare `returns (stream …)`",
    ),
    (
        "watch",
        ("(stream pavise.common.v1.JournalEntry) {", "(stream Page) {"),
        "WatchBook: a watch answers a stream of",
    ),
    (
        "watch",
        ("int64 clock = 2; string epoch = 3;", "int64 clock = 2;"),
        "WatchBook: the request of a watch has an int64 clock",
    ),
    (
        "aggregate",
        ("aggregate: \"Book\" id: \"book_id\"", "aggregate: \"Book\""),
        "WatchBook: a narrowed watch names an id or a scope, or is owned",
    ),
    (
        "aggregate",
        ("aggregate: \"Book\" id: \"book_id\"", "aggregate: \"Book\" id: \"title\""),
        "WatchBook: the request has no text field title",
    ),
    ("aggregate", ("aggregate: \"Book\" owned", "aggregate: \"Shelf\" owned"), "WatchBooks: there is no aggregate"),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
