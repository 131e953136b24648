//! Faults in aggregates.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    ("initial", ("initial: \"IN\"", "initial: \"NEW\""), "Book: there is no status \"NEW\""),
    (
        "steps",
        ("\"LOST\", \"IN\"] steps: [{from: [\"IN\", \"OUT\"] to: [\"LOST\"]}, ", "\"IN\"] steps: ["),
        "Book: no call leads to LOST",
    ),
    (
        "terminal",
        ("terminal: [\"LOST\"]", "terminal: [\"LOST\"] unreached: [\"LOST\"]"),
        "Book: `unreached` names LOST, which a call leads to: leave it out",
    ),
    ("terminal", ("terminal: [\"LOST\"]", "unreached: [\"GONE\"]"), "Book: there is no status \"GONE\""),
    (
        "aggregate",
        ("string owner_id = 2;\n  BookStatus", "string owner = 2;\n  BookStatus"),
        "Book: field 2 of an aggregate is owner_id",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
