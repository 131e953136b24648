//! A wrong contract does not build, and the error names the place and the problem.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "build_errors/children.rs"]
mod children;
#[path = "build_errors/confined.rs"]
mod confined;
#[path = "build_errors/lists.rs"]
mod lists;
#[path = "build_errors/names.rs"]
mod names;
#[path = "build_errors/paces.rs"]
mod paces;
#[path = "build_errors/proofs.rs"]
mod proofs;
#[path = "build_errors/seen.rs"]
mod seen;
#[path = "build_errors/setters.rs"]
mod setters;
#[path = "build_errors/targets.rs"]
mod targets;
#[path = "build_errors/unowned.rs"]
mod unowned;
#[path = "build_errors/values.rs"]
mod values;
#[path = "build_errors/writes.rs"]
mod writes;

use std::fs;
use std::path::Path;

#[path = "build_errors/scopes.rs"]
mod scopes;

/// A small correct domain; each case breaks one line of it.
const SHELVES: &str = r#"
syntax = "proto3";
package pavise.shelves.v1;
import "google/api/annotations.proto";
import "google/protobuf/timestamp.proto";
import "pavise/common/v1/date.proto";
import "pavise/common/v1/journal.proto";
import "pavise/contract/v1/options.proto";

enum ErrorReason {
  ERROR_REASON_UNSPECIFIED = 0;
  ERROR_REASON_BOOK_BURNT = 1 [(pavise.contract.v1.reason) = { code: "FAILED_PRECONDITION" example: "it burnt" }];
  ERROR_REASON_BOOK_TORN = 2 [(pavise.contract.v1.reason) = { code: "FAILED_PRECONDITION" example: "it is torn" }];
}
enum BookStatus {
  BOOK_STATUS_UNSPECIFIED = 0;
  BOOK_STATUS_IN = 1 [(pavise.contract.v1.value_ui).tone = TONE_GOOD];
  BOOK_STATUS_OUT = 2 [(pavise.contract.v1.value_ui) = { tone: TONE_BUSY words: "Lent" }];
  BOOK_STATUS_LOST = 3 [(pavise.contract.v1.value_ui).tone = TONE_BAD];
}
enum BookAction { BOOK_ACTION_UNSPECIFIED = 0; BOOK_ACTION_CREATED = 1; BOOK_ACTION_LENT = 2; BOOK_ACTION_DELETED = 3; }
message Book {
  option (pavise.contract.v1.aggregate) = {
    table: "books" actions: "BookAction" initial: "IN" terminal: ["LOST"] lookups: [{field: "title"}, {field: "tags" fold: true prefix: true}, {field: "borrower"}, {field: "cover.colour" prefix: true}, {field: "status" together: {with: "owner_id"}}, {field: "lent_on" rises: true together: {with: "owner_id"} due: {field: "back_on" statuses: "OUT" plus_days: 2}}, {field: "hash" unique: true}]
    consequences: true
    reasons: ["BOOK_BURNT"]
    on_merge: { move: "GiveBook" list: "ListBooks" statuses: ["IN", "OUT"] processor: "shelf" place: 7 }
    display: { heading: "Books" place: 100 title: "{title|id} · {notes[].text}" subtitle: "{cover.colour} · {owner_id.title}" columns: ["status", "title"] key: "b" }
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
  Cover cover = 12;
  bool favourite = 13;
  pavise.common.v1.Date lent_on = 14;
  pavise.common.v1.Date back_on = 15;
  string hash = 10 [(pavise.contract.v1.field).secret = true, (pavise.contract.v1.field).output_only = true];
}
message Note { string place = 1; string text = 2; google.protobuf.Timestamp at = 3; int32 seen = 4 [(pavise.contract.v1.field).output_only = true]; }
message Cover { string colour = 1; }
enum Side { SIDE_UNSPECIFIED = 0; SIDE_BORROWER = 1; }
message BookCard { string title = 1; }
message GetCardRequest { string book_id = 1; }
message GetCoverRequest { string book_id = 1; }
message PaintCoverRequest { string book_id = 1; Cover cover = 2; }
message MoveNoteRequest { string book_id = 1; string from = 2; Note new = 3; repeated string places = 4; repeated string words = 5; }
message ListCardsRequest {}
message ListCardsResponse { repeated BookCard cards = 1; }
message WatchBookRequest { string book_id = 1; int64 clock = 2; string epoch = 3; }
message WatchBooksRequest { string identity_id = 1; int64 clock = 2; string epoch = 3; }
message ReadAloudRequest { string book_id = 1; }
message Page { string text = 1; }
message GetHealthRequest {}
message Health { string status = 1; int64 max_clock = 2; }
message WriteNoteRequest { string book_id = 1; string place = 2; string text = 3; string tag = 4; }
message EraseNoteRequest { string book_id = 1; string spot = 2; string tag = 3; }
message CreateBookRequest { string identity_id = 1; string title = 2; }
message GetBookRequest { string book_id = 1; }
message ListBooksRequest { string identity_id = 1; int32 page_size = 2; string page_token = 3; string title = 4; BookStatus status = 5; Side side = 6; pavise.common.v1.Date from = 7; pavise.common.v1.Date until = 8; BookOrder order = 9; bool show_total = 10; }
enum BookOrder { BOOK_ORDER_UNSPECIFIED = 0; BOOK_ORDER_FIRST = 1; BOOK_ORDER_LAST = 2; }
message ListBooksResponse { repeated Book books = 1; string next_page_token = 2; int32 total_size = 3; bool total_is_capped = 4; }
message PickBooksRequest { repeated string hashes = 1; }
message PickBooksResponse { repeated Book books = 1; repeated string not_found = 2; }
message Spine { string id = 1; string title = 7; }
message FindBooksRequest { string text = 1; int32 page_size = 2; string page_token = 3; BookStatus status = 4; }
message FindBooksResponse { repeated Book books = 1; string next_page_token = 2; }
message LendBookRequest { string book_id = 1; string borrower = 2; }
message GiveBookRequest { string identity_id = 1; string book_id = 2; string new_owner_id = 3; }
message DeleteBookRequest { string book_id = 1; }
message BuyBookRequest { string title = 1; }
message LoseBookRequest { string book_id = 1; }
message CountBooksRequest {}
message MendBookRequest { string book_id = 1; string borrower = 2; }
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
    option (pavise.contract.v1.call) = { list: { filters: ["title", "status"] roles: [{field: "side" value: "BORROWER" lookup: "borrower"}] rise: { lookup: "lent_on" from: "from" until: "until" order: "order" rising: "FIRST" falling: "LAST" } total: {at_most: 100} } };
  }
  // FindBooks answers books by how a tag, a colour or the id begins.
  rpc FindBooks(FindBooksRequest) returns (FindBooksResponse) {
    option (pavise.contract.v1.access) = { realms: [REALM_INTERNAL] permission: "shelves.books.read" };
    option (pavise.contract.v1.call) = { list: { filters: ["status"] search: { text: "text" lookups: ["tags", "cover.colour", "id"] per_minute: 60 } } pace: { per: PER_ADDRESS count: 9 seconds: 60 } };
  }
  // LendBook gives a book out.
  rpc LendBook(LendBookRequest) returns (Book) {
    option (google.api.http) = { post: "/v1/books/{book_id}/lend" body: "*" };
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { change: { action: "LENT" from: ["IN"] to: "OUT" set: ["borrower"] } };
  }
  // GiveBook gives a book to another member.
  rpc GiveBook(GiveBookRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] owner: "identity_id" };
    option (pavise.contract.v1.call) = { change: { action: "LENT" assign: {field: "owner_id" from: "new_owner_id"} } };
  }
  // WriteNote writes a note at a place, or another one over it.
  rpc WriteNote(WriteNoteRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { change: { action: "LENT" put: [{list: "notes" key: "place"}, {list: "tags" from: "tag"}] } };
  }
  // EraseNote takes a note away.
  rpc EraseNote(EraseNoteRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { change: { action: "LENT" remove_from: [{list: "notes" key: "place" from: "spot"}, {list: "tags" from: "tag"}] } };
  }
  // DeleteBook removes a book.
  rpc DeleteBook(DeleteBookRequest) returns (Book) {
    option (google.api.http) = { delete: "/v1/books/{book_id}" };
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { delete: { action: "DELETED" } };
  }
  // MoveNote takes a note elsewhere, and makes room for others.
  rpc MoveNote(MoveNoteRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = {
      change: {
        action: "LENT"
        rename: [{list: "notes" key: "place" from: "from" to: "new.place"}, {list: "tags" from: "from" to: "new.text"}]
        put: [{list: "notes" key: "place" from: "places"}, {list: "tags" from: "words"}]
        mark: ["favourite"]
        actions: ["DELETED"]
      }
    };
  }
  // GetCover answers the cover of a book that is in.
  rpc GetCover(GetCoverRequest) returns (Cover) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { get: { aggregate: "Book" part: "cover" statuses: ["IN"] } };
  }
  // PaintCover paints it.
  rpc PaintCover(PaintCoverRequest) returns (Cover) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { change: { action: "LENT" set: ["cover"] aggregate: "Book" part: "cover" } };
  }
  // GetCard answers what the catalog says of a book.
  rpc GetCard(GetCardRequest) returns (BookCard) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { get: { aggregate: "Book" optional: true } };
  }
  // ListCards answers the whole catalog.
  rpc ListCards(ListCardsRequest) returns (ListCardsResponse) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { list: { aggregate: "Book" statuses: ["IN", "OUT"] } };
  }
  // GetHealth says how the service is.
  rpc GetHealth(GetHealthRequest) returns (Health) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { health: {} };
  }
  // CountBooks counts.
  rpc CountBooks(CountBooksRequest) returns (CountBooksResponse) {
    option (pavise.contract.v1.access) = { public: true };
    option (pavise.contract.v1.call) = { custom: { reads: true } };
  }
  // WatchBook streams the changes of a book.
  rpc WatchBook(WatchBookRequest) returns (stream pavise.common.v1.JournalEntry) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { watch: { aggregate: "Book" id: "book_id" } };
  }
  // WatchBooks streams the changes of a member's books.
  rpc WatchBooks(WatchBooksRequest) returns (stream pavise.common.v1.JournalEntry) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] owner: "identity_id" };
    option (pavise.contract.v1.call) = { watch: { aggregate: "Book" owned: true } };
  }
  // ReadAloud reads a book page by page.
  rpc ReadAloud(ReadAloudRequest) returns (stream Page) {
    option (pavise.contract.v1.access) = { public: true };
    option (pavise.contract.v1.call) = { custom: { unproved: "Everybody may read books." reads: true stream: true } };
  }
  // BuyBook buys a book, which is out at first.
  rpc BuyBook(BuyBookRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { custom: { action: "CREATED" makes: ["OUT"] } };
  }
  // MendBook mends a book that somebody has.
  rpc MendBook(MendBookRequest) returns (Book) {
    option (google.api.http) = { post: "/v1/books/{book_id}/mend" body: "*" };
    option (pavise.contract.v1.access) = {
      realms: [REALM_INTERNAL] permission: "shelves.books.write"
      roles: [{ name: "BINDER" realms: [REALM_INTERNAL] permission: "shelves.books.write" }]
    };
    option (pavise.contract.v1.call) = { change: { action: "LENT" edit: true scope: ["borrower"] reasons: ["BOOK_TORN"] } };
  }
  // PickBooks answers some books.
  rpc PickBooks(PickBooksRequest) returns (PickBooksResponse) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER, REALM_INTERNAL] permission: "shelves.books.read" roles: [{ name: "BINDER" realms: [REALM_INTERNAL] }] };
    option (pavise.contract.v1.call) = { batch: { ids: "hashes" lookup: "hash" statuses: ["IN"] views: [{role: "BINDER"}, {message: "Spine"}] } };
  }
  // LoseBook says where a book is not.
  rpc LoseBook(LoseBookRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] };
    option (pavise.contract.v1.call) = { custom: { action: "LENT" to: ["LOST", "IN"] steps: [{from: ["IN", "OUT"] to: ["LOST"]}, {from: ["OUT"] to: ["IN"]}] reasons: ["BOOK_BURNT"] } };
  }
}
"#;

fn build(proto: &str) -> Result<String, String> {
    build_files(&[("book.proto", proto)])
}

fn build_files(files: &[(&str, &str)]) -> Result<String, String> {
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
    for (name, proto) in files {
        fs::write(own.join(name), proto).unwrap();
    }
    let out = folder.path().join("out");
    fs::create_dir_all(&out).unwrap();
    let builder = pavise_contract_build::domain("shelves")
        .protos(folder.path().join("proto"))
        .migrations(folder.path())
        .out(&out);
    builder.generate().map_err(|error| error.to_string())?;
    Ok(fs::read_to_string(out.join("contract.rs")).unwrap())
}

#[test]
fn a_right_contract_becomes_calls_constants_and_a_table() {
    // Line breaks, and a comma before them, do not matter.
    let without_space = |text: &str| {
        let text = text.split_whitespace().collect::<String>();
        [",>", ",)", ",}", ",]"].iter().fold(text, |text, end| text.replace(end, end.trim_start_matches(',')))
    };
    let code = build(SHELVES).unwrap();
    for expected in [
        "crate::books::count_books(&call, request).await",
        "pub const LENT: &str = \"LENT\";",
        "pub const COVER_COLOUR: &str = \"cover.colour\";",
        "::pavise_kernel::Edit::edit(entity, &request, &context)?;",
        "fn scope(&self) -> Vec<(&'static str, String)> { vec![(\"borrower\", self.borrower.clone())] }",
        "\"borrower\" => Some(self.borrower.as_str())",
        "roles: &[Role { name: \"BINDER\", realms: &[Realm::Internal], permission: \"shelves.books.write\" }]",
        "pub const BINDER: &str = \"BINDER\";",
        "entity.borrower = request.borrower.clone();",
        "entity.status = 2;",
        "entity.notes.iter_mut().find(|known| known.place == request.place)",
        "Some(known) => { known.place = request.place.clone(); known.text = request.text.clone(); }",
        "v1::Note { place: request.place.clone(), text: request.text.clone(), ..Default::default() }",
        "if !entity.tags.iter().any(|known| known.eq_ignore_ascii_case(&request.tag)) { entity.tags.push(request.tag.clone()); }",
        "remove(&mut entity.notes, ::core::slice::from_ref(&request.spot), ::pavise_kernel::edit::RequestField { name: \"spot\", many: false }, |item: &self::pavise::shelves::v1::Note, key| { item.place == *key }, false)?;",
        "|item: &String, key| item.eq_ignore_ascii_case(key), false)?;",
        "from: &[\"IN\"]",
        "from: &[\"IN\", \"OUT\", \"LOST\"]",
        "from: &[], to: &[], steps: &[], reasons: &[], pace: &[], event: ::pavise_kernel::table::SecurityEvent::Unspecified, sends: false, proves: false };",
        "pace: &[Pace { per: Per::Address, count: 9, seconds: 60 }], event: ",
        "from: &[\"IN\", \"OUT\"], to: &[\"IN\", \"LOST\"], steps: &[(\"IN\", \"LOST\"), (\"OUT\", \"LOST\"), (\"OUT\", \"IN\")], reasons: &[\"BOOK_BURNT\"], pace: &[], event: ::pavise_kernel::table::SecurityEvent::Unspecified, sends: false, proves: false };",
        "steps: &[], reasons: &[\"BOOK_TORN\", \"BOOK_BURNT\"], pace: &[], event: ::pavise_kernel::table::SecurityEvent::Unspecified, sends: false, proves: false };",
        "self.hash = ::core::default::Default::default();",
        "(\"status\", request.status().spelling().to_owned())",
        "<Self as ::pavise_kernel::Consequences>::follow(call, step).await",
        "call.apply_create(",
        "call.apply_delete::<self::pavise::shelves::v1::Book>(&request.book_id",
        "Clone::clone, |entity| { entity.borrower",
        "Lookup { name: \"lent_on\", json: \"lentOn\", unique: false, fold: false, many: false, prefix: false, rises: Some(Rises::Day), within: &[], ..Lookup::PLAIN }",
        "indexes: &[&[\"status\"], &[\"owner_id\", \"status\"], &[\"owner_id\", \"lent_on\"]]",
        "fn rise_value(&self, lookup: &str) -> String { match lookup { \"lent_on\" => ::pavise_kernel::rise::Rising::key(&self.lent_on),",
        "self.lent_on = ::pavise_kernel::due::earliest_day(&[([2].contains(&self.status), self.back_on.as_ref(), 2)]);",
        "call.page_in_order::<self::pavise::shelves::v1::Book>(None.or((request.side == 1).then_some(\"borrower\")), ::pavise_kernel::Rise { lookup: \"lent_on\", from: ::pavise_kernel::rise::Rising::key(&request.from), until: ::pavise_kernel::rise::Rising::key(&request.until), rising: request.order == 1, falling: request.order == 2 },",
        "let (size, capped) = if request.show_total { call.total::<self::pavise::shelves::v1::Book>(",
        "total_size: size, total_is_capped: capped,",
        "let (found, missing) = call.batch::<self::pavise::shelves::v1::Book>(&request.hashes, Some(\"hash\"), &[\"IN\"]).await?;",
        "if call.has_role(\"BINDER\") { entity } else { self::pavise::shelves::v1::Book { id: entity.id, title: entity.title, ..Default::default() } }",
        "call.search::<self::pavise::shelves::v1::Book>(::pavise_kernel::Search { text: &request.text, lookups: &[\"tags\", \"cover.colour\", \"id\"], per_minute: 60, words: \"\", criteria: &[] },",
        "Lookup { name: \"tags\", json: \"tags\", unique: false, fold: true, many: true, prefix: true, rises: None, within: &[], ..Lookup::PLAIN }",
        "if let Some(cover) = &self.cover { if !cover.colour.is_empty()",
        "from: (&request.from, \"from\"), to: (request.new.as_ref().map_or(\"\", |new| new.place.as_str()), \"new.place\"), fold: false",
        "rename(&mut entity.tags, |item| item, |_| false,",
        "to: (request.new.as_ref().map_or(\"\", |new| new.text.as_str()), \"new.text\"), fold: true",
        "for text in &request.places { if !entity.notes.iter().any(|known| known.place == *text) {",
        "for text in &request.words { if !entity.tags.iter().any(|known| known.eq_ignore_ascii_case(text)) {",
        "entity.favourite = true;",
        "call.get_only::<self::pavise::shelves::v1::Book>(&request.book_id, &[\"IN\"]",
        "entity.cover.clone().unwrap_or_default()",
        "call.get_or_empty::<self::pavise::shelves::v1::Book>(&request.book_id",
        "v1::BookCard::from(entity)",
        "Holding { processor: \"shelf\", domain: \"shelves\", message: \"pavise.shelves.v1.Book\", place: 7, list: ::pavise_kernel::table::OwnerList { path: \"/pavise.shelves.v1.BookService/ListBooks\", owner: 1, status: 5, statuses: &[1, 2], page_size: 2, page_token: 3, items: 1, item_id: 1, next_page_token: 2 }",
        "transfer: Some(::pavise_kernel::table::Transfer { path: \"/pavise.shelves.v1.BookService/GiveBook\", entity: 2, owner: 1, new_owner: 3, waits: &[] })",
        "call.watch_entity::<self::pavise::shelves::v1::Book>(&request.book_id, request.clock, &request.epoch).await",
        "call.watch_owned::<self::pavise::shelves::v1::Book>(request.clock, &request.epoch).await",
        "self.kernel.serve_stream(&book_calls::READ_ALOUD, request, |call, request| async move { crate::books::read_aloud(&call, request).await }).await",
        "::tonic::Response<::pavise_kernel::stream::Messages<self::pavise::shelves::v1::Page>,>",
        "services.streaming(&book_calls::READ_ALOUD, &own, |own, request| ::std::boxed::Box::pin(own.read_aloud(request)),);",
        "cards: items.iter().map(self::pavise::shelves::v1::BookCard::from).collect()",
        "(\"status\", \"OUT\".to_owned())",
        "status: \"UP\".to_owned(), max_clock: head.clock,",
    ] {
        assert!(without_space(&code).contains(&without_space(expected)), "{expected} is missing in\n{code}");
    }
}

/// The test that adds this domain to the platform builds for minutes, and so runs seldom.
#[test]
fn the_domain_that_a_platform_test_adds_is_right() {
    const BOOKS: &str =
        include_str!("../../pavise/tests/platform/operating/new_domain/proto/pavise/shelves/v1/book_service.proto");
    const READERS: &str =
        include_str!("../../pavise/tests/platform/operating/new_domain/proto/pavise/shelves/v1/reader_service.proto");
    build_files(&[("book_service.proto", BOOKS), ("reader_service.proto", READERS)]).unwrap();
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
            "LendBook: only an edit has steps of its own aggregate, or a call with",
        ),
        (
            "to: \"OUT\" steps: {from: [\"IN\"] to: [\"LOST\"]} edit: true",
            "LendBook: an edit has `to` or steps, not both",
        ),
        ("steps: {from: [\"IN\"]} edit: true", "LendBook: an edit makes no entity and removes none"),
        (
            "from: [\"IN\"] steps: {from: [\"OUT\"] to: [\"LOST\"]} edit: true",
            "LendBook: a step begins in a status that `from` does not name",
        ),
    ] {
        let error = lend(text).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}

#[test]
fn only_a_call_with_rust_has_reasons() {
    let plain = SHELVES.replace("    consequences: true\n    reasons: [\"BOOK_BURNT\"]\n", "");
    let plain = plain.replace("        actions: [\"DELETED\"]\n", "");
    build(&plain).unwrap();
    let lend = "from: [\"IN\"] to: \"OUT\" set: [\"borrower\"]";
    let error = build(&plain.replace(lend, &format!("{lend} reasons: [\"BOOK_TORN\"]"))).unwrap_err();
    assert!(error.contains("LendBook: no Rust of the call refuses, so it has no reasons"), "{error}");
    build(&SHELVES.replace(lend, &format!("{lend} reasons: [\"BOOK_TORN\"]"))).unwrap();
}

#[test]
fn a_permission_that_a_service_mentions_can_be_asked_for() {
    let mentioned = SHELVES.replace("{ name: \"books\" }", "{ name: \"books\" permissions: [\"cards.stamp\"] }");
    build(&mentioned.replace("shelves.books.read", "shelves.cards.stamp")).unwrap();
    assert!(build(&SHELVES.replace("shelves.books.read", "shelves.cards.stamp")).is_err());
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
        (
            "set: [\"borrower\"]",
            "assign: {field: \"tags\" from: \"borrower\"}",
            "LendBook: tags and borrower have different types",
        ),
        (
            "set: [\"borrower\"]",
            "assign: {field: \"version\" from: \"borrower\"}",
            "LendBook: version is set by the kernel",
        ),
        ("set: [\"borrower\"]", "assign: {field: \"title\" from: \"borrower\"}", "LendBook: title is immutable"),
        ("set: [\"borrower\"]", "clear: [\"status\"]", "LendBook: status cannot be cleared"),
        (" from: \"from\" to: \"new.place\"", " from: \"from\"", "MoveNote: rename needs a list"),
        (" key: \"place\" from: \"from\"", " from: \"from\"", "MoveNote: notes names no key"),
        ("to: \"new.place\"", "to: \"new.where\"", "MoveNote: the request has no string field new.where"),
        (
            " key: \"place\" from: \"places\"",
            " from: \"places\"",
            "MoveNote: notes takes no list of texts; name the items' key",
        ),
        ("mark: [\"favourite\"]", "mark: [\"borrower\"]", "MoveNote: borrower is neither true nor false"),
        ("actions: [\"DELETED\"]", "actions: [\"BURNT\"]", "MoveNote: BookAction has no action BURNT"),
        (
            "    consequences: true\n    reasons: [\"BOOK_BURNT\"]\n",
            "    consequences: true\n    reasons: [\"BOOK_LOST\"]\n",
            "Book: there is no reason BOOK_LOST",
        ),
        ("    consequences: true\n", "", "Book: reasons are those of its rules and consequences, and it has none"),
        ("reasons: [\"BOOK_TORN\"]", "reasons: [\"BOOK_LOST\"]", "MendBook: there is no reason BOOK_LOST"),
        (
            "reasons: [\"BOOK_TORN\"]",
            "reasons: [\"BOOK_TORN\", \"BOOK_TORN\"]",
            "MendBook: the reason BOOK_TORN is named twice",
        ),
        (
            "    consequences: true\n    reasons: [\"BOOK_BURNT\"]\n",
            "",
            "MoveNote: further actions are those of consequences",
        ),
        ("part: \"cover\" statuses", "part: \"spine\" statuses", "GetCover: Book has no field spine"),
        ("part: \"cover\" statuses", "part: \"title\" statuses", "GetCover: title of Book is no Cover"),
        ("statuses: [\"IN\"]", "statuses: [\"ON\"]", "GetCover: Book has no status ON"),
        (
            "{ aggregate: \"Book\" optional",
            "{ aggregate: \"Books\" optional",
            "GetCard: there is no aggregate pavise.shelves.v1.Books",
        ),
        ("aggregate: \"Book\" optional: true", "optional: true", "GetCard: a get answers an aggregate"),
        ("optional: true", "optional: true statuses: [\"IN\"]", "GetCard: what is optional is answered in any status"),
        ("list: { aggregate: \"Book\" statuses", "list: { statuses", "ListCards: a list answers a repeated aggregate"),
        (
            "message ListCardsRequest {}",
            "message ListCardsRequest { int32 page_size = 1; string page_token = 2; }",
            "ListCards: a list has page_size",
        ),
        (
            "filters: [\"title\", \"status\"]",
            "filters: [\"status\"] statuses: [\"IN\"]",
            "ListBooks: a list of some statuses",
        ),
        ("value: \"BORROWER\"", "value: \"READER\"", "ListBooks: Side has no value READER"),
        ("{field: \"side\" value", "{field: \"title\" value", "ListBooks: the request has no enumeration title"),
        ("lookup: \"borrower\"", "lookup: \"favourite\"", "ListBooks: role favourite is no lookup"),
        (
            "search: { text: \"text\"",
            "search: { text: \"page_size\"",
            "FindBooks: search names page_size, which is no text",
        ),
        (
            "[\"tags\", \"cover.colour\"",
            "[\"title\", \"cover.colour\"",
            "FindBooks: Book is not found by how its title begins",
        ),
        ("lookups: [\"tags\", \"cover.colour\", \"id\"] per", "per", "FindBooks: say what is looked through"),
        ("per_minute: 60", "per_minute: 60 words: \"id\"", "FindBooks: Book has no list of words"),
        ("per_minute: 60", "per_minute: 60 words: \"cover.colour\"", "FindBooks: Book has no list of words"),
        ("per_minute: 60", "per_minute: 0", "FindBooks: say how often one caller may search"),
        (
            "unproved: \"Everybody may read books.\" reads: true stream: true",
            "reads: true",
            "ReadAloud: only a watch, or a custom call with `stream`",
        ),
        ("returns (stream Page)", "returns (Page)", "ReadAloud: it returns a stream"),
        ("(stream pavise.common.v1.JournalEntry) {", "(stream Page) {", "WatchBook: a watch answers a stream of"),
        (
            "int64 clock = 2; string epoch = 3;",
            "int64 clock = 2;",
            "WatchBook: the request of a watch has an int64 clock",
        ),
        (
            "aggregate: \"Book\" id: \"book_id\"",
            "aggregate: \"Book\"",
            "WatchBook: a narrowed watch names an id or a scope, or is owned",
        ),
        (
            "aggregate: \"Book\" id: \"book_id\"",
            "aggregate: \"Book\" id: \"title\"",
            "WatchBook: the request has no string field title",
        ),
        (
            "aggregate: \"Book\" id: \"book_id\"",
            "aggregate: \"Book\" owned: true",
            "WatchBook: a watch of one owner needs an access rule that names the owner",
        ),
        ("aggregate: \"Book\" owned", "aggregate: \"Shelf\" owned", "WatchBooks: there is no aggregate"),
        ("count: 9 seconds", "seconds", "FindBooks: a pace says per whom, a count, and at most a day of seconds"),
        ("seconds: 60", "seconds: 86401", "FindBooks: a pace says per whom, a count, and at most a day of seconds"),
        ("per: PER_ADDRESS count", "count", "FindBooks: a pace says per whom"),
        ("per: PER_ADDRESS", "per: PER_OWNER", "FindBooks: a pace per owner needs an access rule that names the owner"),
        (
            "pace: { per: PER_ADDRESS count: 9 seconds: 60 }",
            "pace: [{ per: PER_CALLER count: 9 seconds: 60 }, { per: PER_CALLER count: 9 seconds: 5 }]",
            "FindBooks: it has two paces of one kind",
        ),
        ("string status = 1; int64 max_clock = 2;", "string status = 1;", "GetHealth: health answers a text status"),
        ("shelves.books.read", "shelves.book.read", "GetBook: the domain shelves has no permission shelves.book.read"),
        (
            "shelves.books.read",
            "shelves.books.raed",
            "GetBook: the domain shelves has no permission shelves.books.raed",
        ),
        ("shelves.books.read", "books.books.read", "GetBook: the domain shelves has no permission books.books.read"),
        (
            "{ realms: [REALM_USER] };\n    option (pavise.contract.v1.call) = { change: { action: \"LENT\" from",
            "{ realms: [REALM_USER] owner_only: true };\n    option (pavise.contract.v1.call) = { change: { action: \"LENT\" from",
            "LendBook: a call of the owner only names the owner",
        ),
        ("key: \"place\"}", "key: \"at\"}", "WriteNote: notes.at is no string field"),
        (
            "{list: \"notes\" key: \"place\"}",
            "{list: \"borrower\" key: \"place\"}",
            "WriteNote: borrower is no repeated message, string or enumeration",
        ),
        (
            "from: \"tag\"}] } };\n  }\n  // EraseNote",
            "from: \"gat\"}] } };\n  }\n  // EraseNote",
            "WriteNote: the request has no string field gat",
        ),
        ("string text = 3; string tag", "int32 seen = 3; string tag", "Note.seen is set by the service only"),
        (
            "key: \"place\" from: \"spot\"",
            "key: \"where\" from: \"spot\"",
            "EraseNote: the items of notes have no where",
        ),
        (
            "message CreateBookRequest {",
            "message CreateBookRequest { string hash = 9;",
            "CreateBook: hash is set by the service only",
        ),
        ("filters: [\"title\", \"status\"]", "filters: [\"borrower\"]", "ListBooks: filter borrower is no field"),
        ("{field: \"title\"}", "{field: \"titel\"}", "Book: lookup titel is no field"),
        ("initial: \"IN\"", "initial: \"NEW\"", "Book: there is no status \"NEW\""),
        ("    display:", "    //", "Book: say in display how the console shows it, because GetBook answers it"),
        ("heading: \"Books\"", "", "Book: display needs a heading, a place above zero and a key"),
        ("{title|id}", "{titel|id}", "Book: display.title: Book has no field \"titel\""),
        ("{title|id}", "{title|hash}", "Book: display.title: hash of Book is secret"),
        ("{title|id}", "{title[]}", "Book: display.title: title of Book is no list"),
        ("{title|id}", "{cover}", "Book: display.title: cover of Book is no single value"),
        ("{title|id}", "{title.text}", "Book: display.title: title of Book has no fields"),
        ("{title|id}", "{title", "has no partner"),
        ("\"{title|id} · {notes[].text}\"", "\"Book\"", "Book: display.title names no field"),
        ("{cover.colour}", "{cover.color}", "Book: display.subtitle: Cover has no field \"color\""),
        ("{owner_id.title}", "{shelf_id.title}", "Book: display.subtitle: Book has no field \"shelf_id\""),
        ("[\"status\", \"title\"] key", "[\"status\", \"titel\"] key", "display.columns: Book has no field \"titel\""),
        ("[\"status\", \"title\"] key", "[\"title\", \"title\"] key", "display.columns: title is named twice"),
        ("[\"status\", \"title\"] key", "[] key", "Book: display needs columns"),
        ("key: \"b\" }", "key: \"B\" }", "Book: display.key is one or two small letters"),
        ("key: \"b\" }", "key: \"jb\" }", "Book: display.key \"jb\" begins as \"j\", the key of the console"),
        (".tone = TONE_BAD", ".tone = TONE_UGLY", "TONE_UGLY"),
        (".tone = TONE_BAD", ".words = \"Gone\"", "so its status BOOK_STATUS_LOST needs a tone"),
        ("    on_merge:", "    //", "Book: say in on_merge what a merge of two identities does with it"),
        (
            "    on_merge:",
            "    shared: true on_merge:",
            "Book: it is shared and belongs to no identity; it has no on_merge",
        ),
        (
            "on_merge: { move: \"GiveBook\"",
            "on_merge: { keep: \"it is lent\"",
            "Book: on_merge: what stays has nothing else to say",
        ),
        ("on_merge: { move: \"GiveBook\"", "on_merge: {", "Book: on_merge: say keep, move or custom"),
        ("move: \"GiveBook\"", "move: \"BuyBook\"", "Book: on_merge: BuyBookRequest has no field \"book_id\""),
        ("move: \"GiveBook\"", "move: \"GetCard\"", "Book: on_merge: the access of GetCard names no owner"),
        ("move: \"GiveBook\"", "waits: [\"BUSY\"] move: \"GiveBook\"", "Book: on_merge: there is no reason BUSY"),
        (
            "list: \"ListBooks\" statuses",
            "list: \"ListShelves\" statuses",
            "Book: on_merge: the service books has no call \"ListShelves\"",
        ),
        ("[\"IN\", \"OUT\"] processor", "[\"GONE\"] processor", "Book: on_merge: there is no status GONE"),
        (
            "[\"IN\", \"OUT\"] processor",
            "[\"IN\"] item_id: \"number\" processor",
            "Book: on_merge: Book has no field \"number\"",
        ),
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
        ("{from: [\"IN\", \"OUT\"] to: [\"LOST\"]}", "{}", "LoseBook: a step names statuses that it leads from"),
        (
            "[\"IN\", \"OUT\"] to: [\"LOST\"]",
            "[\"IN\"] to: [\"IN\"]",
            "LoseBook: a step names statuses that it leads from",
        ),
        ("[\"IN\", \"OUT\"] to: [\"LOST\"]", "[\"IN\", \"GONE\"] to: [\"LOST\"]", "LoseBook: Book has no status GONE"),
        (
            "{from: [\"IN\", \"OUT\"]",
            "{aggregate: \"Shelf\" from: [\"IN\"]",
            "LoseBook: there is no aggregate pavise.shelves.v1.Shelf",
        ),
        ("to: [\"LOST\", \"IN\"]", "to: [\"LOST\"]", "LoseBook: a step leads to IN, which `to` does not name"),
        (", {from: [\"OUT\"] to: [\"IN\"]}", "", "LoseBook: nothing leads to IN, which `to` names"),
        (
            "delete: { action: \"DELETED\"",
            "delete: { action: \"DELETED\" steps: [{from: [\"IN\"]}]",
            "DeleteBook: the steps of a declared call",
        ),
        (
            "\"LOST\", \"IN\"] steps: [{from: [\"IN\", \"OUT\"] to: [\"LOST\"]}, ",
            "\"IN\"] steps: [",
            "Book: no call leads to LOST",
        ),
        ("terminal: [\"LOST\"]", "terminal: [\"LOST\"] unreached: [\"LOST\"]", "Book: LOST is reached, and named"),
        ("terminal: [\"LOST\"]", "unreached: [\"GONE\"]", "Book: there is no status \"GONE\""),
        (
            "string owner_id = 2;\n  BookStatus",
            "string owner = 2;\n  BookStatus",
            "Book: field 2 of an aggregate is owner_id",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(SHELVES.contains(from), "{from}");
        let error = build(&SHELVES.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
    println!("{} wrong contracts refused", cases.len());
}

#[test]
fn a_wrong_range_index_batch_or_view_is_a_build_error() {
    let cases = [
        (
            "\"lent_on\" rises: true",
            "\"lent_on\" rises: true unique: true",
            "lookup lent_on: a lookup that rises is neither",
        ),
        ("\"lent_on\" rises: true", "\"lent_on\"", "lookup lent_on: what is due is found in order: say `rises`"),
        ("\"tags\" fold: true prefix: true", "\"tags\" rises: true", "lookup tags: what rises is a text, a Date"),
        ("\"cover.colour\" prefix: true", "\"cover.colour\" rises: true", "lookup cover.colour: what rises is a text"),
        ("field: \"back_on\"", "field: \"title\"", "lookup lent_on: title is no day or instant"),
        ("field: \"back_on\"", "field: \"created_at\"", "lookup lent_on: created_at is no day or instant"),
        ("statuses: \"OUT\"", "statuses: \"GONE\"", "lookup lent_on: there is no status GONE"),
        (
            "\"status\" together",
            "\"status\" fold: true together",
            "lookup status: status has an index, and nothing else",
        ),
        ("{with: \"owner_id\"} due", "{with: \"tags\"} due", "lookup lent_on: tags is no owner_id, status or lookup"),
        (
            "{with: \"owner_id\"} due",
            "{with: \"lent_on\"} due",
            "lookup lent_on: an index has several parts, each once",
        ),
        ("{with: \"owner_id\"} due", "{} due", "lookup lent_on: an index has several parts"),
        (" together: {with: \"owner_id\"} due", " due", "ListBooks: no index has owner_id and lent_on"),
        ("{field: \"status\" together: {with: \"owner_id\"}}, ", "", "FindBooks: no index has status together"),
        (
            "{ filters: [\"status\"] search",
            "{ filters: [\"status\"] filter_by: {lookup: \"title\" from: \"text\"} search",
            "FindBooks: no index has status, title together",
        ),
        (
            "{ filters: [\"status\"] search",
            "{ filters: [\"status\"] sifts: {filters: \"status\"} search",
            "FindBooks: a sift names filters, and the reason",
        ),
        (
            "{ filters: [\"status\"] search",
            "{ filters: [\"status\"] sifts: {filters: \"title\" reason: \"few\"} search",
            "FindBooks: title is no filter of the list that is sifted",
        ),
        (
            "rise: { lookup: \"lent_on\"",
            "rise: { lookup: \"title\"",
            "ListBooks: title is no lookup of Book that rises",
        ),
        (
            "from: \"from\" until",
            "from: \"title\" until",
            "ListBooks: title is no request field of the type of lent_on",
        ),
        ("order: \"order\"", "order: \"title\"", "ListBooks: the request has no enumeration title"),
        ("rising: \"FIRST\"", "rising: \"SIDEWAYS\"", "ListBooks: BookOrder has no value SIDEWAYS"),
        (
            "from: \"from\" until: \"until\" order: \"order\" rising: \"FIRST\" falling: \"LAST\"",
            "",
            "ListBooks: say which request fields ask",
        ),
        (
            "{ filters: [\"status\"] search",
            "{ filters: [\"status\"] rise: {lookup: \"lent_on\"} search",
            "FindBooks: a search has an order of its own",
        ),
        ("bool show_total = 10;", "", "ListBooks: a count needs the field show_total"),
        (
            "per_minute: 60 }",
            "per_minute: 60 criteria: {lookup: \"title\" from: \"text\"} }",
            "FindBooks: criterion title is no lookup with `prefix`",
        ),
        (
            "per_minute: 60 }",
            "per_minute: 60 criteria: {lookup: \"tags\" from: \"status\"} }",
            "FindBooks: criterion status is no text of the request",
        ),
        ("total: {at_most: 100}", "total: {} narrow: true", "ListBooks: a list that Rust narrows"),
        ("ids: \"hashes\" lookup", "lookup", "PickBooks: a batch reads by a repeated text of the request"),
        ("lookup: \"hash\"", "lookup: \"title\"", "PickBooks: title is no unique lookup"),
        ("repeated string not_found = 2;", "", "PickBooks: a batch names what was not found"),
        ("views: [{role: \"BINDER\"}", "views: [{role: \"READER\"}", "PickBooks: the access rule has no role READER"),
        ("{message: \"Spine\"}", "{role: \"BINDER\"}", "PickBooks: each view names a role, but for the last"),
        ("{message: \"Spine\"}", "{message: \"Spin\"}", "PickBooks: there is no message pavise.shelves.v1.Spin"),
        (
            "string id = 1; string title = 7;",
            "string id = 1; int32 title = 7;",
            "PickBooks: title of Spine is no field of Book",
        ),
        ("{message: \"Spine\"}", "{message: \"Spine\" show: true}", "PickBooks: a view has a message, or Rust shows"),
    ];
    for (from, to, expected) in cases {
        assert!(SHELVES.contains(from), "{from}");
        let error = build(&SHELVES.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}

#[test]
fn a_reason_replaces_an_index() {
    let list = |text: &str| build(&SHELVES.replacen("{ filters: [\"status\"] search", text, 1));
    let both = "{ filters: [\"status\"] filter_by: {lookup: \"title\" from: \"text\"} ";
    list(&format!("{both} sifts: {{filters: \"title\" reason: \"A shelf has few books.\"}} search")).unwrap();
    list(&format!("{both} sifts: {{filters: \"status\" beside: \"title\" reason: \"Few have a title.\"}} search"))
        .unwrap();
    let error = list(&format!("{both} sifts: {{filters: \"status\" beside: \"status\" reason: \"No.\"}} search"));
    assert!(error.unwrap_err().contains("FindBooks: no index has status, title together"));
}
