//! Faults in reasons and further actions.

use super::{Fault, SHELVES, build, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "consequences",
        (
            "    consequences: true\n    reasons: [\"BOOK_BURNT\"]\n",
            "    consequences: true\n    reasons: [\"BOOK_LOST\"]\n",
        ),
        "Book: there is no reason BOOK_LOST",
    ),
    (
        "consequences",
        ("    consequences: true\n", ""),
        "Book: it has `reasons` and no rules or consequences that would give them: leave them out, or set `invariants`, `derives` or `consequences`",
    ),
    ("reasons", ("reasons: [\"BOOK_TORN\"]", "reasons: [\"BOOK_LOST\"]"), "MendBook: there is no reason BOOK_LOST"),
    (
        "reasons",
        ("reasons: [\"BOOK_TORN\"]", "reasons: [\"BOOK_TORN\", \"BOOK_TORN\"]"),
        "MendBook: the reason BOOK_TORN is named twice",
    ),
    (
        "consequences",
        ("    consequences: true\n    reasons: [\"BOOK_BURNT\"]\n", ""),
        "MoveNote: `actions` are those of consequences, and the aggregate has none: leave them out, or set `consequences`",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}

#[test]
fn only_a_call_with_rust_has_reasons() {
    let plain = SHELVES.replace("    consequences: true\n    reasons: [\"BOOK_BURNT\"]\n", "");
    let plain = plain.replace("        actions: [\"DELETED\"]\n", "");
    build(&plain).unwrap();
    let lend = "from: [\"IN\"] to: \"OUT\" set: [\"borrower\"]";
    let error = build(&plain.replace(lend, &format!("{lend} reasons: [\"BOOK_TORN\"]"))).unwrap_err();
    assert!(
        error.contains(
            "LendBook: it has `reasons`, and no Rust that would give them: leave them out, or set `edit` or `checks`"
        ),
        "{error}"
    );
    build(&SHELVES.replace(lend, &format!("{lend} reasons: [\"BOOK_TORN\"]"))).unwrap();
}
