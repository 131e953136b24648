//! Texts with formats, and values of shared types: the code that checks them, and what is wrong with their declarations.

use super::{Fault, SHELVES, build, expect_errors};

const NOTE: &str = "message Note { string place = 1; string text = 2;";
const REQUEST: &str = "message PaintCoverRequest { string book_id = 1; Cover cover = 2; }";
const IMPORT: &str = "import \"pavise/common/v1/date.proto\";";

/// The contract with another place of a note, and another request.
fn with(place: &str, request: &str) -> Result<String, String> {
    assert!(SHELVES.contains(NOTE) && SHELVES.contains(REQUEST) && SHELVES.contains(IMPORT));
    let shelves = SHELVES.replacen(NOTE, &format!("message Note {{ {place} string text = 2;"), 1);
    let imports = format!("{IMPORT}\nimport \"pavise/common/v1/place.proto\";");
    build(&shelves.replacen(REQUEST, request, 1).replacen(IMPORT, &imports, 1))
}

const PLACE: &str = "string place = 1 [(pavise.contract.v1.field).format = FORMAT_PHONE];";

#[test]
fn a_value_is_checked_and_normalized_wherever_it_stands() {
    let request = "message PaintCoverRequest { string book_id = 1; Cover cover = 2; repeated Note notes = 3;
        repeated string mails = 4 [(pavise.contract.v1.field).format = FORMAT_EMAIL];
        optional string zone = 5 [(pavise.contract.v1.field).format = FORMAT_TIME_ZONE];
        pavise.common.v1.Address address = 6; repeated pavise.common.v1.Address further = 7;
        repeated pavise.common.v1.LocalizedText names = 8; pavise.common.v1.LocalizedText name = 9; }";
    let code: String = with(PLACE, request).unwrap().split_whitespace().collect();
    let code = code.replace(",)", ")");
    for expected in [
        "values::check_text(::pavise_kernel::values::Format::Phone,&self.place,||format!(\"{path}place\"),found);",
        "values::normalize_text(::pavise_kernel::values::Format::Phone,&mutself.place);",
        "::pavise_kernel::Redact::find_value_errors(inner,&format!(\"{path}notes[{at}].\"),found);",
        "forinnerinself.notes.iter_mut(){::pavise_kernel::Redact::normalize(inner);}",
        "values::check_texts(::pavise_kernel::values::Format::Email,&self.mails,&format!(\"{path}mails\"),found);",
        "ifletSome(text)=&mutself.zone{::pavise_kernel::values::normalize_text(::pavise_kernel::values::Format::TimeZone,text);}",
        "::pavise_kernel::values::Value::find_value_errors(inner,&format!(\"{path}address.\"),found);",
        "::pavise_kernel::values::Value::find_value_errors(inner,&format!(\"{path}further[{at}].\"),found);",
        "forinnerinself.further.iter_mut(){::pavise_kernel::values::Value::normalize(inner);}",
        "values::check_keys(self.names.iter().map(|item|&item.locale),\"locale\",&format!(\"{path}names\"),found);",
    ] {
        assert!(code.contains(expected), "{expected} is missing in\n{code}");
    }
    assert!(!code.contains("self.name.iter()"), "one text has no other of its locale");
    assert!(!build(SHELVES).unwrap().contains("find_value_errors"), "a contract without values has no code for them");
}

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "format",
        (
            REQUEST,
            "message PaintCoverRequest { string book_id = 1; Cover cover = 2; int32 place = 3 [(pavise.contract.v1.field).format = FORMAT_PHONE]; }",
        ),
        "PaintCoverRequest.place: only a text has a format",
    ),
    (
        "can_be_empty",
        (NOTE, "message Note { string place = 1 [(pavise.contract.v1.field).can_be_empty = true]; string text = 2;"),
        "Note.place: can_be_empty is for a text with a format",
    ),
    (
        "value_type",
        (
            NOTE,
            "message Note { option (pavise.contract.v1.value_type).checked = true; string place = 1; string text = 2;",
        ),
        "Note: value_type.checked is for messages of pavise.common.v1",
    ),
    (
        "value_type",
        (
            NOTE,
            "message Note { option (pavise.contract.v1.value_type).key = \"shelf\"; string place = 1; string text = 2;",
        ),
        "Note: it has no shelf",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}

#[test]
fn a_value_below_a_oneof_or_a_map_is_an_error() {
    for (field, expected) in [
        (
            "oneof one { string place = 3 [(pavise.contract.v1.field).format = FORMAT_PHONE]; }",
            // The generator of buf.validate refuses both before ours.
            "PaintCoverRequest.place has direct field rules but lives inside a real proto oneof",
        ),
        (
            "oneof one { pavise.common.v1.Address place = 3; }",
            "PaintCoverRequest.place is a nested message field inside a real oneof",
        ),
        ("map<string, pavise.common.v1.Address> places = 3;", "PaintCoverRequest.places"),
    ] {
        let request = format!("message PaintCoverRequest {{ string book_id = 1; Cover cover = 2; {field} }}");
        let error = with("string place = 1;", &request).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}
