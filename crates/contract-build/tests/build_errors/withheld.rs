//! Aggregates that withhold entities.

use super::{Fault, SHELVES, build, expect_errors};

/// A shared shelf that withholds signs of a side, with one list.
const SIGNS: &str = r#"
enum SignStatus { SIGN_STATUS_UNSPECIFIED = 0; SIGN_STATUS_UP = 1 [(pavise.contract.v1.value_ui).tone = TONE_GOOD]; }
enum SignAction { SIGN_ACTION_UNSPECIFIED = 0; SIGN_ACTION_CREATED = 1; }
message Sign {
  option (pavise.contract.v1.aggregate) = {
    table: "signs" actions: "SignAction" initial: "UP" shared: true withheld: { field: "side" values: ["BORROWER"] admits: true }
    display: { heading: "Books" place: 101 title: "{id}" columns: ["status"] key: "s" }
  };
  string id = 1;
  string owner_id = 2;
  SignStatus status = 3;
  int64 version = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.Timestamp updated_at = 6;
  Side side = 7;
}
message ListSignsRequest { int32 page_size = 1; string page_token = 2; bool show_total = 3; }
message ListSignsResponse { repeated Sign signs = 1; string next_page_token = 2; int32 total_size = 3; bool total_is_capped = 4; }
message GetSignRequest { string sign_id = 1; }
service SignService {
  option (pavise.contract.v1.service) = { name: "signs" };
  // GetSign answers one.
  rpc GetSign(GetSignRequest) returns (Sign) {
    option (pavise.contract.v1.access) = { public: true };
    option (pavise.contract.v1.call).get = {};
  }
  // ListSigns answers all.
  rpc ListSigns(ListSignsRequest) returns (ListSignsResponse) {
    option (pavise.contract.v1.access) = { public: true };
    option (pavise.contract.v1.call).list = {};
  }
}
"#;

fn code(old: &str, new: &str) -> Result<String, String> {
    assert!(SIGNS.contains(old), "{old}");
    build(&format!("{SHELVES}{}", SIGNS.replace(old, new))).map(|text| text.split_whitespace().collect())
}

#[test]
fn a_withheld_entity_says_so_and_asks_rust_for_exceptions() {
    let told = code("", "").unwrap();
    for expected in
        ["fnis_withheld(&self)->bool{matches!(self.side,1)}", "::pavise_kernel::Admit>::admit(call,withheld)"]
    {
        assert!(told.contains(expected), "{expected}");
    }
    let told = code(" admits: true", "").unwrap();
    assert!(told.contains("fnis_withheld") && !told.contains("Admit>::admit"));
}

#[test]
fn a_list_that_tells_of_withheld_entities_does_not_build() {
    let counted = code("call).list = {}", "call).list = { total: {} }").unwrap_err();
    assert!(counted.contains("ListSigns: it admits callers from whom"), "{counted}");
    for (old, new, expected) in [
        ("field: \"side\"", "field: \"colour\"", "Sign: withheld names colour"),
        ("values: [\"BORROWER\"]", "values: [\"LENDER\"]", "Side has no value LENDER"),
        ("values: [\"BORROWER\"]", "", "Sign: withheld names no `values`"),
    ] {
        let error = code(old, new).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[(
    "withheld",
    ("consequences: true\n", "consequences: true withheld: { field: \"status\" values: [\"OUT\"] }\n"),
    "Book: `withheld` is for shared aggregates",
)];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
