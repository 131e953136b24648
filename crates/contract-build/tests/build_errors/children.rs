//! Children: what a right declaration becomes, and the errors of a wrong one.

use super::{SHELVES, build_files};

/// Reviews of the books; each case breaks one line of them.
const REVIEWS: &str = r#"
syntax = "proto3";
package pavise.shelves.v1;
import "google/api/annotations.proto";
import "google/protobuf/timestamp.proto";
import "pavise/common/v1/journal.proto";
import "pavise/contract/v1/options.proto";

enum ReviewStatus { REVIEW_STATUS_UNSPECIFIED = 0; REVIEW_STATUS_SHOWN = 1 [(pavise.contract.v1.value_ui).tone = TONE_GOOD]; }
enum ReviewAction { REVIEW_ACTION_UNSPECIFIED = 0; REVIEW_ACTION_CREATED = 1; REVIEW_ACTION_UPDATED = 2; REVIEW_ACTION_DELETED = 3; }
message Review {
  option (pavise.contract.v1.aggregate) = {
    table: "reviews" actions: "ReviewAction" initial: "SHOWN"
    lookups: [{field: "book_id"}, {field: "stars" sortable: true indexed_with: {fields: "book_id"}}, {field: "kind"}]
    parent: { aggregate: "Book" field: "book_id" order: "BEST" }
    display: { title: "{text}" columns: ["text"] }
  };
  string id = 1;
  string owner_id = 2;
  ReviewStatus status = 3;
  int64 version = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.Timestamp updated_at = 6;
  string book_id = 7 [(pavise.contract.v1.field).immutable = true];
  string text = 8;
  int32 stars = 9;
  string kind = 10;
}
enum ReviewOrder { REVIEW_ORDER_UNSPECIFIED = 0; REVIEW_ORDER_BEST = 1; }
message CreateReviewRequest { string book_id = 1; string text = 2; }
message GetReviewRequest { string book_id = 1; string review_id = 2; }
message ListReviewsRequest { string book_id = 1; string kind = 2; ReviewStatus status = 3; ReviewOrder order = 4; int32 page_size = 5; string page_token = 6; }
message ListReviewsResponse { repeated Review reviews = 1; string next_page_token = 2; }
message CountReviewsRequest { string book_id = 1; }
message CountReviewsResponse { int32 count = 1; }
service ReviewService {
  option (pavise.contract.v1.service) = { name: "reviews" access: { reads: { realms: [REALM_USER] } writes: { realms: [REALM_USER] } } };
  // CreateReview makes one.
  rpc CreateReview(CreateReviewRequest) returns (Review) {
    option (google.api.http) = { post: "/v1/books/{book_id}/reviews" body: "*" };
    option (pavise.contract.v1.call) = { create: { action: "CREATED" } };
  }
  // GetReview answers one.
  rpc GetReview(GetReviewRequest) returns (Review) {
    option (google.api.http) = { get: "/v1/books/{book_id}/reviews/{review_id}" };
    option (pavise.contract.v1.call) = { get: {} };
  }
  // ListReviews answers those of a book.
  rpc ListReviews(ListReviewsRequest) returns (ListReviewsResponse) {
    option (pavise.contract.v1.call) = { list: { filters: ["kind", "status"] range: { lookup: "stars" order: "order" descending: "BEST" } } };
  }
  // CountReviews counts those of a book.
  //
  // Custom: nothing declared counts.
  rpc CountReviews(CountReviewsRequest) returns (CountReviewsResponse) {
    option (pavise.contract.v1.call) = { custom: { reads: true aggregate: "Review" } };
  }
}
"#;

fn build(books: &str, reviews: &str) -> Result<String, String> {
    build_files(&[("book.proto", books), ("review.proto", reviews)])
}

fn fails(from: &str, to: &str, expected: &str) {
    assert!(REVIEWS.contains(from), "{from}");
    let error = build(SHELVES, &REVIEWS.replacen(from, to, 1)).unwrap_err();
    assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
}

#[test]
fn each_call_about_a_child_admits_the_parent_first() {
    let code = build(SHELVES, REVIEWS).unwrap().split_whitespace().collect::<String>();
    let code = code.replace(",>", ">").replace(",)", ")");
    for expected in [
        "staticREVIEW_PARENT:::pavise_kernel::Parent=::pavise_kernel::Parent::of::<self::pavise::shelves::v1::Book>(\"book_id\",&book_calls::GET_BOOK,&[])",
        "constPARENT:Option<&'static::pavise_kernel::Parent>=Some(&REVIEW_PARENT);",
        "fnparent_id(&self)->&str{&self.book_id}",
        "name:\"reviews\",journal:\"books\"",
        "service:\"reviews\",journal:\"books\"",
    ] {
        assert!(code.contains(expected), "{expected} is missing");
    }
    let admissions = code.matches("call.admit_parent::<self::pavise::shelves::v1::Review>(&request.book_id).await?;");
    assert_eq!(admissions.count(), 4, "{code}");
    assert!(!code.contains("TitleSource::of::<self::pavise::shelves::v1::Review"), "a child has no title");
    let create = code.split("fncreate_review").nth(1).unwrap();
    assert!(!create.split("fn").next().unwrap().contains("owner_id"), "{create}");
}

#[test]
fn a_child_names_a_parent_of_its_journal_by_a_lookup() {
    fails("aggregate: \"Book\"", "aggregate: \"Shelf\"", "Review: its parent \"Shelf\" is no aggregate of its package");
    fails("aggregate: \"Book\"", "aggregate: \"Review\"", "Review: its parent Review is a child itself");
    fails("field: \"book_id\" order", "field: \"isbn\" order", "Review: the parent's id \"isbn\" is no text of it");
    fails("field: \"book_id\" order", "field: \"stars\" order", "Review: the parent's id \"stars\" is no text of it");
    fails(
        "string book_id = 7 [(pavise.contract.v1.field).immutable = true]",
        "string book_id = 7",
        "Review: the parent's id book_id is immutable",
    );
    let lookup = "Review: the parent's id book_id is no lookup, neither unique nor fold nor prefix";
    fails("{field: \"book_id\"}", "{field: \"book_id\" unique: true}", lookup);
    fails("{field: \"book_id\"}", "{field: \"book_id\" fold: true}", lookup);
    let parent = "parent: { aggregate: \"Book\"";
    let own = REVIEWS.replacen(parent, &format!("journal: \"reviews\" {parent}"), 1);
    let error = build(SHELVES, &own).unwrap_err();
    assert!(error.contains("Review: its journal is reviews, and its parent's is books"), "{error}");
}

#[test]
fn a_child_has_no_rule_of_its_own_for_its_readers() {
    let parent = "parent: { aggregate: \"Book\"";
    for (said, what) in [
        ("shared: true", "shared"),
        ("scopes: [{kind: SCOPE_KIND_BRANCH field: \"kind\"}]", "scopes"),
        ("group: \"kind\"", "scopes"),
        ("on_merge: {keep: \"they stay\"}", "on_merge"),
    ] {
        let expected = format!("Review: a child has no {what}, because the parent's rule counts: leave it out");
        fails(parent, &format!("{said} {parent}"), &expected);
    }
    fails(
        "display: { title",
        "display: { heading: \"Books\" title",
        "display of a child has `heading`, `place` or `key`: leave them out",
    );
    fails("order: \"BEST\"", "order: \"WORST\"", "Review: no list of it has the order WORST");
}

#[test]
fn the_parent_can_be_read_and_its_id_does_not_come_back() {
    let own_id =
        SHELVES.replacen("create: { action: \"CREATED\" }", "create: { action: \"CREATED\" id: \"title\" }", 1);
    let error = build(&own_id, REVIEWS).unwrap_err();
    assert!(error.contains("Review: CreateBook gives a Book its id"), "{error}");
    let unread = SHELVES.replacen("call) = { get: {} }", "call) = { custom: { action: \"LENT\" } }", 1);
    let error = build(&unread, REVIEWS).unwrap_err();
    assert!(
        error.contains("Review: no call answers a single Book, whose access rule would decide who reads it: add a get"),
        "{error}"
    );
}

#[test]
fn a_call_about_a_child_names_the_parent() {
    fails(
        "message GetReviewRequest { string book_id = 1;",
        "message GetReviewRequest { string shelf_id = 1;",
        "GetReview: it is about a child: add the parent's id book_id to the request",
    );
    fails(
        "message CountReviewsRequest { string book_id = 1; }",
        "message CountReviewsRequest { int32 book_id = 1; }",
        "CountReviews: it is about a child: add the parent's id book_id to the request",
    );
    fails(
        "/v1/books/{book_id}/reviews/{review_id}",
        "/v1/reviews/{review_id}",
        "GetReview: the path /v1/reviews/{review_id} of a child has no {book_id}",
    );
    fails(
        "{ create: { action: \"CREATED\" } }",
        "{ create: { action: \"CREATED\" one_per_owner: true } }",
        "CreateReview: one per owner is not for children",
    );
    fails(
        "{ create: { action: \"CREATED\" } }",
        "{ create: { action: \"CREATED\" upsert: { lookup: \"kind\" } } }",
        "CreateReview: an upsert of a child is by a lookup that is unique within book_id",
    );
    fails(
        "indexed_with: {fields: \"book_id\"}",
        "",
        "ListReviews: no index has book_id and stars: add `indexed_with` to the lookup stars",
    );
    let watch = "  // WatchReview streams.
  rpc WatchReview(WatchReviewRequest) returns (stream pavise.common.v1.JournalEntry) {
    option (pavise.contract.v1.call) = { watch: { aggregate: \"Review\" id: \"review_id\" } };
  }
  // CountReviews";
    let request =
        "message WatchReviewRequest { string book_id = 1; string review_id = 2; int64 clock = 3; string epoch = 4; }
message CountReviewsRequest";
    let watched = REVIEWS.replacen("  // CountReviews", watch, 1).replacen("message CountReviewsRequest", request, 1);
    let error = build(SHELVES, &watched).unwrap_err();
    assert!(error.contains("WatchReview: a child has no stream"), "{error}");
}
