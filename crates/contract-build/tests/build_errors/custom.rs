//! Faults in custom calls, steps, deletions and health.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "custom",
        ("string status = 1; int64 max_clock = 2;", "string status = 1;"),
        "GetHealth: health answers a text status",
    ),
    (
        "custom",
        ("  // CountBooks counts.\n", ""),
        "CountBooks: the call has no comment: say in one sentence what it does",
    ),
    (
        "delete",
        ("delete: \"/v1/books/{book_id}\"", "get: \"/v1/books/{book}\""),
        "DeleteBook: GET /v1/books/{book} cannot be told from a path of GetBook: change one of them",
    ),
    ("from", ("{from: [\"IN\", \"OUT\"] to: [\"LOST\"]}", "{}"), "LoseBook: a step names statuses that it leads from"),
    (
        "to",
        ("[\"IN\", \"OUT\"] to: [\"LOST\"]", "[\"IN\"] to: [\"IN\"]"),
        "LoseBook: a step names statuses that it leads from",
    ),
    (
        "to",
        ("[\"IN\", \"OUT\"] to: [\"LOST\"]", "[\"IN\", \"GONE\"] to: [\"LOST\"]"),
        "LoseBook: Book has no status GONE",
    ),
    (
        "from",
        ("{from: [\"IN\", \"OUT\"]", "{aggregate: \"Shelf\" from: [\"IN\"]"),
        "LoseBook: there is no aggregate pavise.shelves.v1.Shelf",
    ),
    (
        "to",
        ("to: [\"LOST\", \"IN\"]", "to: [\"LOST\"]"),
        "LoseBook: a step leads to IN, which `to` does not name: add it",
    ),
    (
        "from",
        (", {from: [\"OUT\"] to: [\"IN\"]}", ""),
        "LoseBook: `to` names IN, which no step leads to: add a step, or `from`",
    ),
    (
        "delete",
        ("delete: { action: \"DELETED\"", "delete: { action: \"DELETED\" steps: [{from: [\"IN\"]}]"),
        "DeleteBook: a step names no aggregate: a declared call has steps of other aggregates only",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
