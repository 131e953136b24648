//! Calls that take or answer bytes.

use super::{SHELVES, build};

/// The service with three calls more.
const CALLS: &str = r#"service BookService {
  option (pavise.contract.v1.service) = { name: "books" };
  // ScanBook takes a picture.
  rpc ScanBook(stream ScanBookRequest) returns (CountBooksResponse) {
    option (google.api.http) = { post: "/v1/books/{book_id}/scan" body: "*" };
    option (pavise.contract.v1.access) = { public: true };
    option (pavise.contract.v1.call).custom = { action: "LENT" };
    option (pavise.contract.v1.bytes).upload = { chunk: "chunk" max_bytes: 1000 file_name: "name" content_type: "type" types: ["image/*"] };
  }
  // PrintBook answers a book.
  rpc PrintBook(PrintBookRequest) returns (stream pavise.common.v1.ByteAnswer) {
    option (pavise.contract.v1.access) = { public: true };
    option (pavise.contract.v1.call).custom = { reads: true unproved: "Everybody may read books." };
    option (pavise.contract.v1.bytes).download = { types: ["application/pdf"] };
  }
  // HearOfBook gets an event.
  rpc HearOfBook(HearOfBookRequest) returns (pavise.common.v1.RawAnswer) {
    option (google.api.http) = { post: "/v1/books/events" body: "*" };
    option (pavise.contract.v1.access) = { public: true };
    option (pavise.contract.v1.call).custom = { action: "LENT" };
    option (pavise.contract.v1.bytes).raw = { body: "body" url: "url" headers: { name: "x-signature" field: "signature" } };
  }"#;

const MESSAGES: &str = r#"message ScanBookRequest { string book_id = 1; string name = 2; string type = 3; bytes chunk = 4; repeated bytes many = 5; }
message PrintBookRequest { string book_id = 1; }
message HearOfBookRequest { bytes body = 1; string url = 2; string signature = 3; }
enum Side {"#;

/// The small domain with these calls, and one part replaced.
fn with(from: &str, to: &str) -> Result<String, String> {
    let service = "service BookService {\n  option (pavise.contract.v1.service) = { name: \"books\" };";
    assert!(SHELVES.contains(service));
    let proto = SHELVES.replacen(service, CALLS, 1).replacen("enum Side {", MESSAGES, 1).replacen(
        "import \"pavise/common/v1/date.proto\";",
        "import \"pavise/common/v1/bytes.proto\";\nimport \"pavise/common/v1/date.proto\";",
        1,
    );
    assert!(proto.contains(from), "{from}");
    build(&proto.replacen(from, to, 1))
}

#[test]
fn each_kind_of_bytes_has_its_server() {
    let code = with("", "").unwrap().split_whitespace().collect::<String>();
    for expected in [
        "self.kernel.serve_upload(&book_calls::SCAN_BOOK,request,",
        "self.kernel.serve_download(&book_calls::PRINT_BOOK,request,",
        "self.kernel.serve(&book_calls::HEAR_OF_BOOK,request,",
        "services.add_client_streaming(&book_calls::SCAN_BOOK",
        "services.add_streaming(&book_calls::PRINT_BOOK",
        "UploadRule{chunk:4u32,most:1000u64,types:&[\"image/*\"],}",
        "core::mem::take(&mutself.chunk)",
        "Some(&self.r#type)",
    ] {
        let shorter = expected.replace("4u32", "4").replace("1000u64", "1000");
        assert!(code.contains(expected) || code.contains(&shorter), "{expected} is not in {code}");
    }
}

#[test]
fn wrong_uses_of_bytes_do_not_build() {
    for (from, to, expected) in [
        ("(stream ScanBookRequest)", "(ScanBookRequest)", "ScanBook: an upload takes a stream"),
        ("upload = { chunk: \"chunk\"", "upload = { chunk: \"name\"", "ScanBook: upload.chunk names \"name\""),
        ("upload = { chunk: \"chunk\"", "upload = { chunk: \"many\"", "ScanBook: upload.chunk names \"many\""),
        ("file_name: \"name\"", "file_name: \"chunk\"", "ScanBook: upload.file_name names \"chunk\""),
        ("max_bytes: 1000 ", "", "ScanBook: upload.max_bytes"),
        ("types: [\"image/*\"]", "types: [\"image\"]", "ScanBook: \"image\" is no content type"),
        (
            "post: \"/v1/books/{book_id}/scan\" body: \"*\"",
            "get: \"/v1/books/{book_id}/scan\"",
            "ScanBook: its paths are of post",
        ),
        ("(PrintBookRequest) returns", "(stream PrintBookRequest) returns", "PrintBook: a call takes one request"),
        (
            "custom = { reads: true unproved: \"Everybody may read books.\" };\n    option (pavise.contract.v1.bytes)",
            "custom = { action: \"LENT\" };\n    option (pavise.contract.v1.bytes)",
            "PrintBook: a download reads",
        ),
        (
            "returns (stream pavise.common.v1.ByteAnswer)",
            "returns (stream Page)",
            "PrintBook: a download answers pavise.common.v1.ByteAnswer",
        ),
        (
            "    option (pavise.contract.v1.bytes).download = { types: [\"application/pdf\"] };\n",
            "",
            "PrintBook: a download answers",
        ),
        ("raw = { body: \"body\"", "raw = { body: \"url\"", "HearOfBook: raw.body names \"url\""),
        ("raw = { body: \"body\"", "raw = { body: \"body\" max_bytes: 5000000", "HearOfBook: raw.max_bytes"),
        ("name: \"x-signature\"", "name: \"X-Signature\"", "HearOfBook: raw.headers"),
        ("name: \"x-signature\"", "name: \"authorization\"", "HearOfBook: raw.headers: no call gets authorization"),
        (
            "    option (pavise.contract.v1.bytes).raw = { body",
            "    option (pavise.contract.v1.bytes).download = {};\n    option (pavise.contract.v1.bytes).raw = { body",
            "HearOfBook: bytes is one of",
        ),
        (
            "returns (CountBooksResponse) {\n    option (google.api.http) = { post: \"/v1/books/{book_id}/scan\"",
            "returns (pavise.common.v1.RawAnswer) {\n    option (google.api.http) = { post: \"/v1/books/{book_id}/scan\"",
            "ScanBook: only a raw call answers",
        ),
    ] {
        let error = with(from, to).expect_err(expected);
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}
