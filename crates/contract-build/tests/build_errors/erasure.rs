//! The decision for the erasure of each personal field that is stored.

use super::{Fault, SHELVES, build, expect_errors};

const OPTION: &str = "option (pavise.contract.v1.erasure).blank = true;";
const PLAIN: &str = "string borrower = 9;";
const PERSONAL: &str = "string borrower = 9 [(pavise.contract.v1.field).pii = true];";
const NOTE: &str = "message Note { string place = 1; string text = 2;";

/// The shelves with a personal borrower, and some replacements.
fn personal(changes: &[(&str, &str)]) -> Result<String, String> {
    let mut shelves = SHELVES.to_owned();
    for (from, to) in [&(PLAIN, PERSONAL)].into_iter().chain(changes) {
        assert!(shelves.contains(from), "{from}");
        shelves = shelves.replacen(from, to, 1);
    }
    build(&shelves)
}

#[test]
fn a_personal_field_that_is_stored_needs_a_decision() {
    personal(&[]).unwrap();
    let error = personal(&[(OPTION, "")]).unwrap_err();
    assert!(error.contains("Book.borrower: it is personal data, and Book is stored with it"), "{error}");
    let own = "string borrower = 9 [(pavise.contract.v1.field) = {pii: true erasure: {keep: \"a reason\"}}];";
    personal(&[(OPTION, ""), (PERSONAL, own)]).unwrap();
    let note = "message Note { string place = 1; string text = 2 [(pavise.contract.v1.field).pii = true];";
    let around = "repeated Note notes = 11 [(pavise.contract.v1.field).erasure.blank = true];";
    let error = personal(&[(OPTION, ""), (PERSONAL, PLAIN), (NOTE, note)]).unwrap_err();
    assert!(error.contains("Note.text: it is personal data, and Book is stored with it"), "{error}");
    let list = "repeated Note notes = 11;";
    personal(&[(OPTION, ""), (PERSONAL, PLAIN), (NOTE, note), (list, around)]).unwrap();
    let asked = "message GetCardRequest { string book_id = 1 [(pavise.contract.v1.field).pii = true];";
    let unstored = SHELVES.replacen("message GetCardRequest { string book_id = 1;", asked, 1).replacen(OPTION, "", 1);
    build(&unstored).unwrap();
}

#[test]
fn a_domain_that_stores_personal_data_exports_and_erases_it() {
    for (call, name) in [("export_person", "ExportPerson"), ("redact_person", "RedactPerson")] {
        let (before, rest) = SHELVES.split_once(&format!("  // {name} ")).unwrap();
        let (_, after) = rest.split_once("\n  }\n").unwrap();
        build(&format!("{before}{after}")).unwrap();
        let error = build(&format!("{before}{after}").replacen(PLAIN, PERSONAL, 1)).unwrap_err();
        let expected = format!("the domain shelves stores personal data, and has 0 calls with {call}");
        assert!(error.contains(&expected), "{error}");
    }
    let code: String = build(SHELVES).unwrap().split_whitespace().collect();
    for call in ["call.export_person(TABLES,&request).await", "call.redact_person(TABLES,&request).await"] {
        assert!(code.contains(call), "{call}");
    }
}

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "erasure.subject",
        (OPTION, "option (pavise.contract.v1.erasure) = {subject: \"who\" blank: true};"),
        "Book: erasure names who, no plain text in the message",
    ),
    (
        "erasure.subject",
        (OPTION, "option (pavise.contract.v1.erasure) = {subject: \"tags\" blank: true};"),
        "Book: erasure names tags, no plain text in the message",
    ),
    (
        "erasure.subject",
        (
            PLAIN,
            "string borrower = 9 [(pavise.contract.v1.field) = {pii: true sealed: {} erasure: {subject: \"title\"}}];",
        ),
        "Book.borrower: erasure names title, and sealed names nobody: the key is another person's",
    ),
    (
        "erasure",
        (OPTION, "option (pavise.contract.v1.erasure) = {};"),
        "Book: erasure says nothing: set a decision or a subject",
    ),
    (
        "erasure.blank",
        (OPTION, "option (pavise.contract.v1.erasure).blank = false;"),
        "Book: `blank` is false: set it to true or leave it out",
    ),
    (
        "erasure.keep",
        (OPTION, "option (pavise.contract.v1.erasure).keep = \"\";"),
        "Book: `keep` is empty: write the reason why it stays",
    ),
    (
        "erasure.value",
        (OPTION, "option (pavise.contract.v1.erasure).value = \"\";"),
        "Book: `value` is empty: say `blank`",
    ),
    (
        "erasure.value",
        ("bool favourite = 13;", "bool favourite = 13 [(pavise.contract.v1.field).erasure.value = \"none\"];"),
        "Book.favourite: only a plain text, or a list of them, takes a value when it is erased",
    ),
    (
        "erasure",
        (
            "string owner_id = 2;\n  BookStatus",
            "string owner_id = 2 [(pavise.contract.v1.field).erasure.blank = true];\n  BookStatus",
        ),
        "Book.owner_id: the kernel reads owner_id, so it is not erased",
    ),
    (
        "export_person",
        (
            "option (pavise.contract.v1.access) = { realms: [REALM_MACHINE] permission: \"read\" };",
            "option (pavise.contract.v1.access) = { realms: [REALM_MACHINE, REALM_INTERNAL] permission: \"read\" };",
        ),
        "PersonService.ExportPerson: export_person is for programs only: say `realms: [REALM_MACHINE]`",
    ),
    (
        "redact_person",
        ("rpc RedactPerson(pavise.common.v1.RedactPersonRequest)", "rpc RedactPerson(GetCardRequest)"),
        "PersonService.RedactPerson: redact_person takes a RedactPersonRequest and answers a RedactPersonResponse",
    ),
    (
        "redact_person",
        (
            "option (pavise.contract.v1.call).redact_person = {};",
            "option (pavise.contract.v1.call).redact_person = {};\n    option (google.api.http) = { post: \"/v1/erase\" body: \"*\" };",
        ),
        "PersonService.RedactPerson: redact_person has no path: leave the binding out",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
