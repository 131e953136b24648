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
    (
        "sealed.mask",
        (
            "Page { string text = 1",
            "Page { string text = 1 [(pavise.contract.v1.field) = {pii: true sealed: {mask: MASK_YEAR}}]",
        ),
        "Page.text: MASK_YEAR does not fit its type",
    ),
    (
        "sealed.mask",
        (
            "Page { string text = 1",
            "Page { string text = 1 [(pavise.contract.v1.field) = {secret: true sealed: {mask: MASK_LAST_4}}]",
        ),
        "Page.text: a secret is in no answer, so it has no mask",
    ),
    (
        "sealed.clear_to",
        (
            "Page { string text = 1",
            "Page { string text = 1 [(pavise.contract.v1.field) = {pii: true sealed: {clear_to: [REALM_USER]}}]",
        ),
        "Page.text: clear_to needs a mask: everybody gets the value",
    ),
];

const BORROWER: &str = "string borrower = 9";
const LIST: &str = "  // ListBooks answers books.";
const REQUEST: &str = "message GetBookRequest {";
const POST: &str = "{ post: \"/v1/books/{book_id}/reveal\" body: \"*\" }";
const ACCESS: &str = "{ realms: [REALM_INTERNAL] permission: \"shelves.books.read\" }";

/// The shelves with a masked borrower, or a plain one, and a call that reveals it.
fn revealed(mask: &str, http: &str, access: &str, get: &str) -> Result<String, String> {
    let sealed = format!("{BORROWER} [(pavise.contract.v1.field) = {{pii: true sealed: {{{mask}}}}}]");
    let call = format!(
        "  // RevealBook tells the borrower.\n  rpc RevealBook(RevealBookRequest) returns (Book) {{\n    option (google.api.http) = {http};\n    option (pavise.contract.v1.access) = {access};\n    option (pavise.contract.v1.call) = {{ get: {get} }};\n  }}\n{LIST}"
    );
    let request = format!("message RevealBookRequest {{ string book_id = 1; string why = 2; }}\n{REQUEST}");
    let mut shelves = SHELVES.to_owned();
    for (from, to) in [(BORROWER, &sealed), (LIST, &call), (REQUEST, &request)] {
        assert!(shelves.contains(from), "{from}");
        shelves = shelves.replacen(from, to, 1);
    }
    build(&shelves)
}

#[test]
fn a_call_with_a_reason_reveals_and_the_others_mask() {
    let code = revealed("mask: MASK_LAST_4 clear_to: [REALM_USER]", POST, ACCESS, "{ reveal: \"why\" }").unwrap();
    let code: String = code.split_whitespace().collect();
    for expected in [
        "ifrealm!=::pavise_kernel::table::Realm::Machine&&realm!=::pavise_kernel::table::Realm::User{::pavise_kernel::mask::mask_last_4(&mutself.borrower);}",
        "fnreason(&self)->&str{self.why.trim()}",
        "::pavise_kernel::mask::check_reason(\"why\",&request.why)?;call.get::<",
        "proves:false,reveals:true,}",
    ] {
        assert!(code.contains(expected), "{expected} is missing in\n{code}");
    }
}

#[test]
fn a_wrong_reveal_is_an_error_that_names_the_place() {
    let (mask, reveal) = ("mask: MASK_LAST_4 clear_to: [REALM_USER]", "{ reveal: \"why\" }");
    for (wrong, expected) in [
        (revealed(mask, POST, ACCESS, "{ reveal: \"who\" }"), "reveal names who, no text of the request"),
        (revealed(mask, POST, "{ realms: [REALM_USER] }", reveal), "it reveals, so it needs a permission"),
        (revealed("", POST, ACCESS, reveal), "it reveals, but Book has no field with a mask"),
        (
            revealed(mask, "{ get: \"/v1/books/{book_id}/reveal\" }", ACCESS, reveal),
            "it reveals, so its reason belongs in a body: bind it to POST",
        ),
        (
            revealed(mask, POST, ACCESS, "{ optional: true reveal: \"why\" }"),
            "it reveals, so it answers the whole entity, or none",
        ),
    ] {
        let error = wrong.unwrap_err();
        assert!(error.contains(&format!("RevealBook: {expected}")), "expected {expected:?}, got {error:?}");
    }
}

#[test]
fn no_list_filters_by_what_its_callers_see_masked() {
    let filtered = |sealed: &str| {
        let field = format!("{BORROWER} [(pavise.contract.v1.field) = {{pii: true sealed: {{{sealed}}}}}]");
        let by = ("filters: [\"title\", \"status\"] roles", "filters: [\"title\", \"status\", \"borrower\"] roles");
        let asked = ("BookOrder order = 9; bool", "BookOrder order = 9; string borrower = 11; bool");
        let roles = ("roles: [{field: \"side\" value: \"BORROWER\" lookup: \"borrower\"}]", "");
        let mut shelves = SHELVES.to_owned();
        for (from, to) in [(BORROWER, field.as_str()), by, asked, roles] {
            assert!(shelves.contains(from), "{from}");
            shelves = shelves.replacen(from, to, 1);
        }
        build(&shelves)
    };
    filtered("").unwrap();
    filtered("mask: MASK_LAST_4 clear_to: [REALM_USER]").unwrap();
    let error = filtered("mask: MASK_LAST_4 clear_to: [REALM_INTERNAL]").unwrap_err();
    assert!(error.contains("ListBooks: it filters or orders by borrower, of which some of its callers see"), "{error}");
}

#[test]
fn a_lookup_of_a_sealed_field_is_blind_and_lies_beside_the_table() {
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
