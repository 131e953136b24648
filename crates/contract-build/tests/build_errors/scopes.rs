//! Scopes and audiences: what a right declaration becomes, and the errors of a wrong one.

use super::build;

/// A small correct domain; each case breaks one line of it.
const CASES: &str = r#"
syntax = "proto3";
package pavise.shelves.v1;
import "google/protobuf/timestamp.proto";
import "pavise/common/v1/journal.proto";
import "pavise/contract/v1/options.proto";

enum CaseStatus { CASE_STATUS_UNSPECIFIED = 0; CASE_STATUS_OPEN = 1 [(pavise.contract.v1.value_ui).tone = TONE_GOOD]; }
enum CaseAction { CASE_ACTION_UNSPECIFIED = 0; CASE_ACTION_CREATED = 1; }
message Case {
  option (pavise.contract.v1.aggregate) = {
    table: "cases" actions: "CaseAction" initial: "OPEN"
    lookups: [{field: "group_id"}, {field: "division_id" indexed_with: {fields: "group_id"}}, {field: "branch_ids"}, {field: "notes.word"}]
    group: "group_id"
    scopes: [{kind: SCOPE_KIND_DIVISION field: "division_id"}, {kind: SCOPE_KIND_BRANCH field: "branch_ids"}]
    on_merge: {keep: "they stay"}
    display: { heading: "Cases" place: 100 title: "{id}" columns: ["status"] key: "c" }
  };
  string id = 1;
  string owner_id = 2;
  CaseStatus status = 3;
  int64 version = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.Timestamp updated_at = 6;
  string group_id = 7;
  optional string division_id = 8;
  repeated string branch_ids = 9;
  repeated Note notes = 10;
  string key = 11 [(pavise.contract.v1.field).secret = true];
}
message Note { string text = 1; string word = 2 [(pavise.contract.v1.field).audience = REALM_INTERNAL]; }
message ListCasesRequest { string group_id = 1; optional string division_id = 2; string branch_id = 3; int32 page_size = 4; string page_token = 5; string word = 6; }
message ListCasesResponse { repeated Case cases = 1; string next_page_token = 2; }
message CreateCaseRequest { string group_id = 1; string division_id = 2; }
message GetCaseRequest { string case_id = 1; }
message WatchCasesRequest { string group_id = 1; int64 clock = 2; string epoch = 3; }
service CaseService {
  option (pavise.contract.v1.service) = { name: "cases" access: { reads: {
    realms: [REALM_GROUP_ADMIN, REALM_PARTNER] permission: "read" group: "group_id"
    scopes: [{kind: SCOPE_KIND_DIVISION field: "division_id" roles: ["GROUP_ADMINISTRATOR"]}, {kind: SCOPE_KIND_BRANCH roles: ["LAWYER", "CSR"]}]
  } } };
  // ListCases answers cases.
  rpc ListCases(ListCasesRequest) returns (ListCasesResponse) {
    option (pavise.contract.v1.call) = { list: {} };
  }
  // CreateCase makes a case.
  rpc CreateCase(CreateCaseRequest) returns (Case) {
    option (pavise.contract.v1.access) = { realms: [REALM_GROUP_ADMIN] scopes: [{kind: SCOPE_KIND_GROUP field: "group_id"}] };
    option (pavise.contract.v1.call) = { create: { action: "CREATED" } };
  }
  // GetCase answers a case.
  rpc GetCase(GetCaseRequest) returns (Case) {
    option (pavise.contract.v1.call) = { get: {} };
  }
  // WatchCases streams the changes of a group's cases.
  rpc WatchCases(WatchCasesRequest) returns (stream pavise.common.v1.JournalEntry) {
    option (pavise.contract.v1.access) = { realms: [REALM_GROUP_ADMIN, REALM_PARTNER] permission: "read" scopes: [{kind: SCOPE_KIND_GROUP field: "group_id" roles: ["AUTHORIZED_USER"]}] };
    option (pavise.contract.v1.call) = { watch: { aggregate: "Case" scope: SCOPE_KIND_GROUP } };
  }
}
"#;

fn without_space(text: &str) -> String {
    let text = text.split_whitespace().collect::<String>();
    [",>", ",)", ",}", ",]"].iter().fold(text, |text, end| text.replace(end, end.trim_start_matches(',')))
}

#[test]
fn scopes_become_rules_lookups_and_values() {
    let code = without_space(&build(CASES).unwrap());
    for expected in [
        "scopes: &[(ScopeKind::Group, \"group_id\"), (ScopeKind::Division, \"division_id\"), (ScopeKind::Branch, \"branch_ids\")]",
        "ScopeRule { kind: ScopeKind::Group, named: true, roles: &[] }",
        "ScopeRule { kind: ScopeKind::Division, named: true, roles: &[\"GROUP_ADMINISTRATOR\"] }",
        "ScopeRule { kind: ScopeKind::Branch, named: false, roles: &[\"LAWYER\", \"CSR\"] }",
        "scopes: &[ScopeRule { kind: ScopeKind::Division, named: false, roles: &[\"GROUP_ADMINISTRATOR\"] }, ScopeRule { kind: ScopeKind::Branch",
        "scopes.extend(self.branch_ids.iter().filter(|id| !id.is_empty()).map(|id| (ScopeKind::Branch, id.as_str())));",
        "scopes.extend([&self.group_id].into_iter()",
        "self.division_id.as_deref().filter(|value| !value.is_empty()).map(|id| (::pavise_kernel::table::ScopeKind::Division, id))",
        "if realm != ::pavise_kernel::table::Realm::Machine && ![::pavise_kernel::table::Realm::Internal].contains(&realm) { self.word = ::core::default::Default::default(); }",
        "for inner in self.cases.iter_mut() { ::pavise_kernel::Redact::hide(inner, realm); }",
        "::pavise_kernel::Redact::hide(&mut entity, realm);",
        "call.watch_scope::<self::pavise::shelves::v1::Case>(::pavise_kernel::table::ScopeKind::Group, request.clock, &request.epoch).await",
    ] {
        assert!(code.contains(&without_space(expected)), "{expected} is missing in\n{code}");
    }
}

#[test]
fn a_wrong_scope_or_audience_is_a_build_error_that_names_the_place() {
    let cases = [
        ("scope: SCOPE_KIND_GROUP }", "scope: SCOPE_KIND_FIRM }", "WatchCases: Case has no scope of kind FIRM"),
        (
            "scope: SCOPE_KIND_GROUP }",
            "scope: SCOPE_KIND_BRANCH }",
            "WatchCases: a watch of a scope of kind BRANCH needs an access rule that names its field",
        ),
        (
            "[{kind: SCOPE_KIND_GROUP field: \"group_id\" roles: [\"AUTHORIZED_USER\"]}]",
            "[{kind: SCOPE_KIND_GROUP roles: [\"AUTHORIZED_USER\"]}]",
            "WatchCases: a watch of a scope of kind GROUP needs an access rule that names its field",
        ),
        (
            "scope: SCOPE_KIND_GROUP }",
            "scope: SCOPE_KIND_GROUP owned: true }",
            "WatchCases: a watch of a scope names no id, and is not owned",
        ),
        (
            "scope: SCOPE_KIND_GROUP }",
            "scope: SCOPE_KIND_GROUP id: \"group_id\" }",
            "WatchCases: a watch of a scope names no id, and is not owned",
        ),
        ("aggregate: \"Case\" scope", "scope", "WatchCases: a watch of a scope names its aggregate"),
        (
            "{field: \"branch_ids\"}, ",
            "",
            "Case: the scope branch_ids is no lookup: add it to the lookups, so that lists can be narrowed by it",
        ),
        (
            "field: \"branch_ids\"}]",
            "field: \"key\"}]",
            "Case: the scope key is no lookup: add it to the lookups, so that lists can be narrowed by it",
        ),
        ("{kind: SCOPE_KIND_BRANCH field: \"branch_ids\"}", "{field: \"branch_ids\"}", "Case: a scope names no kind"),
        (
            "{kind: SCOPE_KIND_BRANCH field: \"branch_ids\"}",
            "{kind: SCOPE_KIND_DIVISION field: \"branch_ids\"}",
            "Case: it has two scopes of kind DIVISION",
        ),
        (
            "    group: \"group_id\"\n    scopes",
            "    scopes",
            "Case: a scope of kind DIVISION lies within one of kind GROUP",
        ),
        ("\"LAWYER\", \"CSR\"", "\"LAWYER\", \"KING\"", "a scope of kind BRANCH has no role KING"),
        ("kind: SCOPE_KIND_BRANCH roles", "kind: SCOPE_KIND_DIVISION roles", "names the kind DIVISION twice"),
        (
            "{kind: SCOPE_KIND_GROUP field: \"group_id\"}",
            "{kind: SCOPE_KIND_GROUP}",
            "CreateCase: the scope of kind GROUP is empty: name its `field`, its `roles`, or both",
        ),
        (
            "{kind: SCOPE_KIND_GROUP field: \"group_id\"}",
            "{kind: SCOPE_KIND_DIVISION field: \"division_id\"}",
            "CreateCase: the kind DIVISION lies within another and has no `roles`: name the roles that are admitted",
        ),
        (
            "{kind: SCOPE_KIND_GROUP field: \"group_id\"}",
            "{kind: SCOPE_KIND_DIVISION roles: [\"AUTHORIZED_USER\"]}",
            "CreateCase: a create must name the scope of kind DIVISION of the new entity: set its `field`",
        ),
        (
            "{kind: SCOPE_KIND_GROUP field: \"group_id\"}",
            "{kind: SCOPE_KIND_BRANCH field: \"group_id\" roles: [\"CSR\"]}",
            "CreateCase: roles of the kind BRANCH are those of REALM_PARTNER, which it does not admit",
        ),
        (
            "{kind: SCOPE_KIND_GROUP field: \"group_id\"}",
            "{kind: SCOPE_KIND_GROUP field: \"group\"}",
            "CreateCase: access.scopes names group, which is no text field of the request",
        ),
        (
            "list: {}",
            "list: { filter_by: {lookup: \"notes.word\" from: \"word\"} }",
            "ListCases: it finds or orders by notes.word, which some of its callers may not see: admit only the field's audience, or leave it out",
        ),
        (
            "audience = REALM_INTERNAL",
            "audience = REALM_UNSPECIFIED",
            "Note.word: its audience names the unspecified realm",
        ),
        (
            "field).secret = true",
            "field) = {secret: true audience: REALM_INTERNAL}",
            "Case.key: a secret has no audience",
        ),
        (
            "int64 version = 4;",
            "int64 version = 4 [(pavise.contract.v1.field).audience = REALM_INTERNAL];",
            "Case.version: every reader needs version: leave its `audience` out",
        ),
        (
            "message Note { string text = 1; string word = 2 [(pavise.contract.v1.field).audience = REALM_INTERNAL]; }",
            "message Note { string text = 1; oneof one { string word = 2 [(pavise.contract.v1.field).audience = REALM_INTERNAL]; } }",
            "Note.word: an audience cannot lie below a oneof or a map",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(CASES.contains(from), "{from}");
        let error = build(&CASES.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}
