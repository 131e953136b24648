//! A wrong contract does not build, and the error says where and what.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

/// A small domain that is right; each case spoils one line of it.
const SHELVES: &str = r#"
syntax = "proto3";
package pavise.shelves.v1;
import "google/api/annotations.proto";
import "google/protobuf/timestamp.proto";
import "pavise/common/v1/journal.proto";
import "pavise/contract/v1/options.proto";

enum BookStatus { BOOK_STATUS_UNSPECIFIED = 0; BOOK_STATUS_IN = 1; BOOK_STATUS_OUT = 2; BOOK_STATUS_LOST = 3; }
enum BookAction { BOOK_ACTION_UNSPECIFIED = 0; BOOK_ACTION_CREATED = 1; BOOK_ACTION_LENT = 2; BOOK_ACTION_DELETED = 3; }
message Book {
  option (pavise.contract.v1.aggregate) = {
    table: "books" actions: "BookAction" initial: "IN" terminal: ["LOST"] lookups: [{field: "title"}, {field: "tags" fold: true}]
  };
  string id = 1;
  string owner_id = 2;
  BookStatus status = 3;
  int64 version = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.Timestamp updated_at = 6;
  string title = 7 [(pavise.contract.v1.field).immutable = true];
  repeated string tags = 8;
  string borrower = 9;
  repeated Note notes = 11;
  string hash = 10 [(pavise.contract.v1.field).secret = true, (pavise.contract.v1.field).output_only = true];
}
message Note { string place = 1; string text = 2; google.protobuf.Timestamp at = 3; int32 seen = 4 [(pavise.contract.v1.field).output_only = true]; }
message WriteNoteRequest { string book_id = 1; string place = 2; string text = 3; string tag = 4; }
message EraseNoteRequest { string book_id = 1; string spot = 2; string tag = 3; }
message CreateBookRequest { string identity_id = 1; string title = 2; }
message GetBookRequest { string book_id = 1; }
message ListBooksRequest { string identity_id = 1; int32 page_size = 2; string page_token = 3; string title = 4; BookStatus status = 5; }
message ListBooksResponse { repeated Book books = 1; string next_page_token = 2; }
message LendBookRequest { string book_id = 1; string borrower = 2; }
message DeleteBookRequest { string book_id = 1; }
message CountBooksRequest {}
message CountBooksResponse { int32 count = 1; }
service BookService {
  option (pavise.contract.v1.service) = { name: "books" };
  // CreateBook makes a book.
  rpc CreateBook(CreateBookRequest) returns (Book) {
    option (google.api.http) = { post: "/v1/identities/{identity_id}/books" body: "*" };
    option (pavise.contract.v1.access) = { realms: [REALM_USER] owner: "identity_id" };
    option (pavise.contract.v1.call) = { create: { action: "CREATED" } };
  }
  // GetBook answers a book.
  rpc GetBook(GetBookRequest) returns (Book) {
    option (google.api.http) = { get: "/v1/books/{book_id}" };
    option (pavise.contract.v1.access) = { realms: [REALM_USER, REALM_INTERNAL] permission: "shelves.books.read" };
    option (pavise.contract.v1.call) = { get: {} };
  }
  // ListBooks answers books.
  rpc ListBooks(ListBooksRequest) returns (ListBooksResponse) {
    option (google.api.http) = { get: "/v1/identities/{identity_id}/books" };
    option (pavise.contract.v1.access) = { realms: [REALM_USER] owner: "identity_id" };
    option (pavise.contract.v1.call) = { list: { filters: ["title", "status"] } };
  }
  // LendBook gives a book out.
  rpc LendBook(LendBookRequest) returns (Book) {
    option (google.api.http) = { post: "/v1/books/{book_id}/lend" body: "*" };
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { change: { action: "LENT" from: ["IN"] to: "OUT" set: ["borrower"] } };
  }
  // WriteNote writes a note at a place, or another one over it.
  rpc WriteNote(WriteNoteRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { change: { action: "LENT" put: ["notes.place", "tags:tag"] } };
  }
  // EraseNote takes a note away.
  rpc EraseNote(EraseNoteRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { change: { action: "LENT" remove_from: ["notes.place:spot", "tags:tag"] } };
  }
  // DeleteBook removes a book.
  rpc DeleteBook(DeleteBookRequest) returns (Book) {
    option (google.api.http) = { delete: "/v1/books/{book_id}" };
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { delete: { action: "DELETED" } };
  }
  // CountBooks counts.
  rpc CountBooks(CountBooksRequest) returns (CountBooksResponse) {
    option (pavise.contract.v1.access) = { public: true };
    option (pavise.contract.v1.call) = { custom: { reads: true } };
  }
}
"#;

fn build(proto: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    for shared in ["google/api", "pavise/contract/v1", "pavise/common/v1"] {
        let to = folder.path().join("proto").join(shared);
        fs::create_dir_all(&to).unwrap();
        for file in fs::read_dir(root.join(shared)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
    let own = folder.path().join("proto/pavise/shelves/v1");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("book.proto"), proto).unwrap();
    let out = folder.path().join("out");
    fs::create_dir_all(&out).unwrap();
    let builder =
        pavise_contract_build::domain("shelves").protos(folder.path().join("proto")).migrations(folder.path()).out(&out);
    builder.generate().map_err(|error| error.to_string())?;
    Ok(fs::read_to_string(out.join("contract.rs")).unwrap())
}

#[test]
fn a_right_contract_becomes_calls_a_handler_and_a_table() {
    let without_space = |text: &str| text.split_whitespace().collect::<String>();
    let code = build(SHELVES).unwrap();
    for expected in [
        "pub trait BookHandler",
        "fn count_books(",
        "entity.borrower = request.borrower.clone();",
        "entity.status = 2;",
        "entity.notes.iter_mut().find(|known| known.place == request.place)",
        "Some(known) => { known.place = request.place.clone(); known.text = request.text.clone(); }",
        "v1::Note { place: request.place.clone(), text: request.text.clone(), ..Default::default() }",
        "if !entity.tags.iter().any(|known| known.eq_ignore_ascii_case(&request.tag)) { entity.tags.push(request.tag.clone()); }",
        "entity.notes.retain(|known| known.place != request.spot);",
        "retain(|known| !known.eq_ignore_ascii_case(&request.tag));",
        "from: &[\"IN\"]",
        "from: &[\"IN\", \"OUT\", \"LOST\"]",
        "self.hash = ::core::default::Default::default();",
        "(\"status\", request.status().spelling().to_owned())",
    ] {
        assert!(without_space(&code).contains(&without_space(expected)), "{expected} is missing in\n{code}");
    }
}

#[test]
fn a_wrong_contract_is_a_build_error_that_names_the_place() {
    let cases = [
        ("    option (pavise.contract.v1.access) = { public: true };\n", "", "CountBooks: no access rule"),
        ("    option (pavise.contract.v1.call) = { get: {} };\n", "", "GetBook: no behaviour"),
        ("action: \"LENT\" ", "", "LendBook: a call that writes names its journal action"),
        ("action: \"LENT\"", "action: \"BURNT\"", "LendBook: BookAction has no action BURNT"),
        ("from: [\"IN\"]", "from: [\"GONE\"]", "LendBook: Book has no status GONE"),
        ("to: \"OUT\"", "to: \"AWAY\"", "LendBook: Book has no status AWAY"),
        ("set: [\"borrower\"]", "set: [\"lender\"]", "LendBook: Book has no field lender"),
        ("set: [\"borrower\"]", "set: [\"tags:borrower\"]", "LendBook: tags and borrower have different types"),
        ("set: [\"borrower\"]", "set: [\"version:borrower\"]", "LendBook: version is set by the kernel"),
        ("set: [\"borrower\"]", "set: [\"title:borrower\"]", "LendBook: title is immutable"),
        ("set: [\"borrower\"]", "clear: [\"status\"]", "LendBook: status cannot be cleared"),
        ("put: [\"notes.place\"", "put: [\"notes.at\"", "WriteNote: notes.at is no string field"),
        ("put: [\"notes.place\"", "put: [\"borrower.place\"", "WriteNote: borrower is no repeated message or string"),
        (
            "\"tags:tag\"] } };\n  }\n  // EraseNote",
            "\"tags:gat\"] } };\n  }\n  // EraseNote",
            "WriteNote: the request has no string field gat",
        ),
        ("string text = 3; string tag", "int32 seen = 3; string tag", "Note.seen is set by the service only"),
        ("\"notes.place:spot\"", "\"notes.where:spot\"", "EraseNote: the items of notes have no where"),
        (
            "message CreateBookRequest {",
            "message CreateBookRequest { string hash = 9;",
            "CreateBook: hash is set by the service only",
        ),
        ("filters: [\"title\", \"status\"]", "filters: [\"borrower\"]", "ListBooks: filter borrower is no field"),
        ("{field: \"title\"}", "{field: \"titel\"}", "Book: lookup titel is no field"),
        ("initial: \"IN\"", "initial: \"NEW\"", "Book: there is no status \"NEW\""),
        ("permission: \"shelves.books.read\"", "", "GetBook: realms Internal, Machine and Partner need a permission"),
        (
            "owner: \"identity_id\" };\n    option (pavise.contract.v1.call) = { create",
            "owner: \"who\" };\n    option (pavise.contract.v1.call) = { create",
            "CreateBook: access.owner names who",
        ),
        ("  // CountBooks counts.\n", "", "CountBooks: say in a comment"),
        (
            "delete: \"/v1/books/{book_id}\"",
            "get: \"/v1/books/{book}\"",
            "DeleteBook: GET /v1/books/{book} is the path of GetBook too",
        ),
        ("string owner_id = 2;\n  BookStatus", "string owner = 2;\n  BookStatus", "Book: field 2 of an aggregate is owner_id"),
    ];
    for (from, to, expected) in cases {
        assert!(SHELVES.contains(from), "{from}");
        let error = build(&SHELVES.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
    println!("{} wrong contracts refused", cases.len());
}
