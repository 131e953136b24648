//! Sealed fields: a blind lookup of one, and the faults.

use super::{Fault, SHELVES, build, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "sealed",
        ("Page { string text = 1", "Page { string text = 1 [(pavise.contract.v1.field).sealed = {}]"),
        "Page.text: only personal data and secrets are sealed: say pii or secret",
    ),
    (
        "sealed.subject",
        (
            "Page { string text = 1",
            "Page { string text = 1 [(pavise.contract.v1.field) = {pii: true sealed: {subject: \"who\"}}]",
        ),
        "Page.text: sealed names who, no plain text beside it",
    ),
    (
        "sealed",
        (
            "Page { string text = 1;",
            "Page { oneof one { string text = 1 [(pavise.contract.v1.field) = {pii: true sealed: {}}]; }",
        ),
        "Page.text: a member of a oneof cannot be sealed",
    ),
    (
        "sealed",
        (
            "Page { string text = 1;",
            "Page { map<string, string> text = 1 [(pavise.contract.v1.field) = {pii: true sealed: {}}];",
        ),
        "Page.text: a map or a free-form value cannot be sealed",
    ),
    (
        "sealed",
        (
            "string owner_id = 2;\n  BookStatus",
            "string owner_id = 2 [(pavise.contract.v1.field) = {pii: true sealed: {}}];\n  BookStatus",
        ),
        "Book.owner_id: the kernel reads owner_id, so it cannot be sealed",
    ),
    (
        "sealed",
        (
            "repeated string tags = 8;",
            "repeated string tags = 8 [(pavise.contract.v1.field) = {pii: true sealed: {}}];",
        ),
        "Book: tags is sealed, so no lookup finds prefixes by it",
    ),
];

#[test]
fn a_lookup_of_a_sealed_field_is_blind_and_lies_beside_the_table() {
    const BORROWER: &str = "string borrower = 9";
    assert!(SHELVES.contains(BORROWER));
    let sealed = format!("{BORROWER} [(pavise.contract.v1.field) = {{pii: true sealed: {{}}}}]");
    let code = build(&SHELVES.replacen(BORROWER, &sealed, 1)).unwrap();
    let code: String = code.split_whitespace().collect();
    let lookup = code.split("Lookup{name:\"borrower\"").nth(1).unwrap().split('}').next().unwrap();
    assert!(lookup.contains("many:true") && lookup.contains("blind:true"), "{lookup}");
}

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
