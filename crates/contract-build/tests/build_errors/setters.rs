//! Fields that only callers of some realms set: what a right declaration becomes, and the errors of a wrong one.

use super::{SHELVES, build};

const PLACE: &str = "message Note { string place = 1;";
const REQUEST: &str = "message PaintCoverRequest { string book_id = 1; Cover cover = 2; }";

fn with(place: &str) -> String {
    SHELVES.replacen(PLACE, &format!("message Note {{ {place}"), 1)
}

#[test]
fn a_field_is_found_in_every_message_of_a_request() {
    let shelves = with("string place = 1 [(pavise.contract.v1.field).set_by = REALM_INTERNAL];");
    let request = "message PaintCoverRequest { string book_id = 1; Cover cover = 2; repeated Note notes = 3; }";
    let code: String = build(&shelves.replacen(REQUEST, request, 1)).unwrap().split_whitespace().collect();
    let code = code.replace(",)", ")");
    for expected in [
        "![::pavise_kernel::table::Realm::Internal].contains(&realm)&&::pavise_kernel::aggregate::is_set(&self.place){found.push(format!(\"{path}place\"));}",
        "::pavise_kernel::Redact::find_foreign(inner,realm,&format!(\"{path}new.\"),found);",
        "::pavise_kernel::Redact::find_foreign(inner,realm,&format!(\"{path}notes[{at}].\"),found);",
    ] {
        assert!(code.contains(expected), "{expected} is missing in\n{code}");
    }
}

#[test]
fn a_wrong_setter_is_a_build_error_that_names_the_place() {
    for (place, expected) in [
        (
            "string place = 1 [(pavise.contract.v1.field).set_by = REALM_UNSPECIFIED];",
            "Note.place: set_by names the unspecified realm",
        ),
        (
            "string place = 1 [(pavise.contract.v1.field) = {set_by: REALM_INTERNAL output_only: true}];",
            "Note.place: it is set by the service only, so set_by names nobody",
        ),
    ] {
        let error = build(&with(place)).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
    let page = "message Page { string text = 1; }";
    assert!(SHELVES.contains(page));
    for (text, expected) in [
        (
            "string text = 1 [(pavise.contract.v1.field) = {set_by: REALM_INTERNAL secret: true}];",
            "a secret is not set by realm",
        ),
        (
            "oneof one { string text = 1 [(pavise.contract.v1.field).set_by = REALM_INTERNAL]; }",
            "set_by cannot lie below a oneof",
        ),
    ] {
        let error = build(&SHELVES.replacen(page, &format!("message Page {{ {text} }}"), 1)).unwrap_err();
        assert!(error.contains(&format!("Page.text: {expected}")), "expected {expected:?}, got {error:?}");
    }
}
