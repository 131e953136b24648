//! Faults in changes.

use super::{Fault, SHELVES, build, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "action",
        ("action: \"LENT\" ", ""),
        "LendBook: `action` is missing: name the journal action that the call writes",
    ),
    ("action", ("action: \"LENT\"", "action: \"BURNT\""), "LendBook: BookAction has no action BURNT"),
    ("from", ("from: [\"IN\"]", "from: [\"GONE\"]"), "LendBook: Book has no status GONE"),
    ("to", ("to: \"OUT\"", "to: \"AWAY\""), "LendBook: Book has no status AWAY"),
    ("set", ("set: [\"borrower\"]", "set: [\"lender\"]"), "LendBook: Book has no field lender"),
    (
        "set",
        ("set: [\"borrower\"]", "assign: {field: \"tags\" from: \"borrower\"}"),
        "LendBook: tags and borrower have different types",
    ),
    (
        "set",
        ("set: [\"borrower\"]", "assign: {field: \"version\" from: \"borrower\"}"),
        "LendBook: version is set by the kernel",
    ),
    ("set", ("set: [\"borrower\"]", "assign: {field: \"title\" from: \"borrower\"}"), "LendBook: title is immutable"),
    ("set", ("set: [\"borrower\"]", "clear: [\"status\"]"), "LendBook: status cannot be cleared"),
    (
        "from",
        (" from: \"from\" to: \"new.place\"", " from: \"from\""),
        "MoveNote: rename_items says too little: name the `list`, the old key's field in `from` and the new key's in `to`",
    ),
    ("key", (" key: \"place\" from: \"from\"", " from: \"from\""), "MoveNote: notes has no key: name the field of"),
    ("to", ("to: \"new.place\"", "to: \"new.where\""), "MoveNote: the request has no text field new.where"),
    (
        "key",
        (" key: \"place\" from: \"places\"", " from: \"places\""),
        "MoveNote: notes is given as texts: name the field of the items that each text is in `key`",
    ),
    (
        "mark",
        ("set_true: [\"favourite\"]", "set_true: [\"borrower\"]"),
        "MoveNote: set_true sets borrower to true, which is not a bool",
    ),
    ("actions", ("actions: [\"DELETED\"]", "actions: [\"BURNT\"]"), "MoveNote: BookAction has no action BURNT"),
    ("key", ("key: \"place\"}", "key: \"at\"}"), "WriteNote: notes.at is not a text field: name a text in `key`"),
    (
        "list",
        ("{list: \"notes\" key: \"place\"}", "{list: \"borrower\" key: \"place\"}"),
        "WriteNote: borrower is not a list of messages, texts or enumeration values",
    ),
    (
        "from",
        ("from: \"tag\"}] } };\n  }\n  // EraseNote", "from: \"gat\"}] } };\n  }\n  // EraseNote"),
        "WriteNote: the request has no text field gat",
    ),
    ("change", ("string text = 3; string tag", "int32 seen = 3; string tag"), "Note.seen is set by the service only"),
    (
        "key",
        ("key: \"place\" from: \"spot\"", "key: \"where\" from: \"spot\""),
        "EraseNote: the items of notes have no where",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}

#[test]
fn an_edit_leads_where_its_steps_say() {
    let lend = |text: &str| build(&SHELVES.replacen("from: [\"IN\"] to: \"OUT\" set: [\"borrower\"]", text, 1));
    let code = lend("from: [\"IN\", \"OUT\"] steps: {from: [\"IN\"] to: [\"OUT\", \"LOST\"]} edit: true").unwrap();
    let without_space = code.split_whitespace().collect::<String>();
    let rule = r#"from:&["IN","OUT"],to:&["LOST","OUT"],steps:&[("IN","OUT"),("IN","LOST")]"#;
    assert!(without_space.contains(rule), "{rule} is missing in\n{code}");
    for (text, expected) in [
        (
            "steps: {from: [\"IN\"] to: [\"OUT\"]}",
            "LendBook: it has steps of its own aggregate, which need `edit` or `to_field`",
        ),
        (
            "to: \"OUT\" steps: {from: [\"IN\"] to: [\"LOST\"]} edit: true",
            "LendBook: it has `to` and steps of its own aggregate: keep one of them",
        ),
        (
            "steps: {from: [\"IN\"]} edit: true",
            "LendBook: a step needs `from` and `to`: a change makes no entity and removes none",
        ),
        (
            "from: [\"IN\"] steps: {from: [\"OUT\"] to: [\"LOST\"]} edit: true",
            "LendBook: a step begins in a status that `from` does not name: add it",
        ),
    ] {
        let error = lend(text).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}
