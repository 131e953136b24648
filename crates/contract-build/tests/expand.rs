//! The short form of a contract means the long one, and nothing of it is lost on the way.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use prost_reflect::DescriptorPool;
use protox::file::{ChainFileResolver, DescriptorSetFileResolver, GoogleFileResolver, IncludeFileResolver};

/// The parts that both forms share; `{…}` is filled in.
const LAMPS: &str = r#"
syntax = "proto3";
package pavise.lamps.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/protobuf/timestamp.proto";
import "pavise/contract/v1/options.proto";

enum LampStatus {
  LAMP_STATUS_UNSPECIFIED = 0;
  LAMP_STATUS_OFF = 1;
  LAMP_STATUS_ON = 2;
  LAMP_STATUS_DIM = 3 [(pavise.contract.v1.spelling) = "Half lit"];
  LAMP_STATUS_BROKEN = 4;
}
message Lamp {
  option (pavise.contract.v1.aggregate) = { table: "lamps" initial: "OFF" terminal: ["BROKEN"] {aggregate} };
  string id = 1;
  string owner_id = 2;
  LampStatus status = 3;
  int64 version = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.Timestamp updated_at = 6;
  string maker = 7 [(pavise.contract.v1.field).pii = true];
  string room_id = 8;
}
message Bulb { string bulb_id = 1{bulb}; LampStatus status = 2{bulb_status}; repeated string ids = 3{bulb_ids}; }
message GetLampRequest { string identity_id = 1{id}; string lamp_id = 2{id}; }
message ListLampsRequest {
  string identity_id = 1{id};
  int32 page_size = 2{page_size};
  string page_token = 3{page_token};
  LampStatus status = 4{status};
  string room_id = 5{most};
}
message ListLampsResponse { repeated Lamp lamps = 1; string next_page_token = 2; }
message LightLampRequest { string identity_id = 1{id}; string lamp_id = 2{id}; string room_id = 3{room}; repeated string bulb_ids = 4{ids}; }
message SwapLampsRequest { int32 page_size = 1{none}; repeated LampStatus statuses = 2{statuses}; string old_id = 3{longer}; }
message ReadLampsRequest { int64 clock = 1; }
service LampService {
  option (pavise.contract.v1.service) = { name: "lamps" {service} };
  // GetLamp answers a lamp.
  rpc GetLamp(GetLampRequest) returns (Lamp) {
    option (google.api.http) = { get: "/v1/identities/{identity_id}/lamps/{lamp_id}" };
    {get_access}
    option (pavise.contract.v1.call).get = {get};
    {get_facts}
  }
  // ListLamps answers lamps.
  rpc ListLamps(ListLampsRequest) returns (ListLampsResponse) {
    option (google.api.http) = { get: "/v1/lamps" additional_bindings { get: "/v1/identities/{identity_id}/lamps" } };
    {list_access}
    option (pavise.contract.v1.call).list = { filters: ["status"] {list} };
    {list_facts}
  }
  // LightLamp lights a lamp.
  rpc LightLamp(LightLampRequest) returns (Lamp) {
    option (google.api.http) = { post: "/v1/identities/{identity_id}/lamps/{lamp_id}/light" body: "*" };
    {light_access}
    option (pavise.contract.v1.call).change = { action: "LIT" to: "ON" {light} };
    {light_facts}
  }
  // SwapLamps changes lamps.
  rpc SwapLamps(SwapLampsRequest) returns (Lamp) {
    {swap_access}
    option (pavise.contract.v1.call).custom = { action: "SWAPPED" {swap} };
    {swap_facts}
  }
  // ReadLamps reads the journal.
  rpc ReadLamps(ReadLampsRequest) returns (ListLampsResponse) {
    {read_access}
    option (pavise.contract.v1.call).journal = {};
    {read_facts}
  }
}
"#;

/// Each place with its short form and its long one.
const PLACES: &[(&str, &str, &str)] = &[
    ("aggregate", "sets: [{name: \"lit\" statuses: [\"ON\", \"Half lit\"]}]", "journal: \"lamps\""),
    ("bulb", " [(buf.validate.field).string.min_len = 1]", " [(buf.validate.field).string = {min_len: 1 max_len: 64}]"),
    (
        "bulb_status",
        " [(buf.validate.field).enum.not_in = 0]",
        " [(buf.validate.field).enum = {defined_only: true not_in: [0]}]",
    ),
    (
        "bulb_ids",
        " [(buf.validate.field).repeated.max_items = 9]",
        " [(buf.validate.field).repeated = {max_items: 9 items: {string: {min_len: 1 max_len: 64}}}]",
    ),
    ("id", "", " [(buf.validate.field).string = {min_len: 1 max_len: 64}]"),
    ("page_size", "", " [(buf.validate.field).int32 = {gte: 0 lte: 500}]"),
    ("page_token", "", " [(buf.validate.field).string.max_len = 1536]"),
    ("status", "", " [(buf.validate.field).enum.defined_only = true]"),
    ("most", "", " [(buf.validate.field).string.max_len = 64]"),
    ("room", " [(buf.validate.field).string.min_len = 1]", " [(buf.validate.field).string = {min_len: 1 max_len: 64}]"),
    ("ids", "", " [(buf.validate.field).repeated = {max_items: 50 items: {string: {min_len: 1 max_len: 64}}}]"),
    ("none", " [(buf.validate.field) = {}]", " [(buf.validate.field) = {}]"),
    (
        "statuses",
        " [(buf.validate.field).repeated.max_items = 3]",
        " [(buf.validate.field).repeated = {max_items: 3 items: {enum: {defined_only: true not_in: [0]}}}]",
    ),
    ("longer", " [(buf.validate.field).string.max_len = 99]", " [(buf.validate.field).string.max_len = 99]"),
    (
        "service",
        r#"permissions: ["swap", "bulbs.turn"] access: {
            reads: {realms: [REALM_USER, REALM_INTERNAL] permission: "read" owner: "identity_id"}
            writes: {realms: [REALM_INTERNAL] permission: "write" owner: "identity_id" impersonation: IMPERSONATION_DENY}
            journal: {realms: [REALM_MACHINE] permission: "journal"}
        }"#,
        r#"permissions: ["lamps.swap", "bulbs.turn"]"#,
    ),
    (
        "get_access",
        "",
        r#"option (pavise.contract.v1.access) = {realms: [REALM_USER, REALM_INTERNAL] permission: "lamps.lamps.read" owner: "identity_id"};"#,
    ),
    ("get", "{}", r#"{id: "lamp_id"}"#),
    (
        "get_facts",
        "",
        r#"option (pavise.contract.v1.facts) = {entity: "pavise.lamps.v1.Lamp" id: "lamp_id" reads: true answers: ANSWERS_ONE};"#,
    ),
    (
        "list_access",
        r#"option (pavise.contract.v1.access) = {realms: [REALM_USER] without: ["owner"]};"#,
        "option (pavise.contract.v1.access) = {realms: [REALM_USER]};",
    ),
    ("list", r#"statuses: ["lit"]"#, r#"statuses: ["ON", "Half lit"]"#),
    (
        "list_facts",
        "",
        r#"option (pavise.contract.v1.facts) = {entity: "pavise.lamps.v1.Lamp" reads: true answers: ANSWERS_MANY};"#,
    ),
    (
        "light_access",
        r#"option (pavise.contract.v1.access) = {permission: "bulbs.turn"};"#,
        r#"option (pavise.contract.v1.access) = {realms: [REALM_INTERNAL] permission: "lamps.bulbs.turn" owner: "identity_id" impersonation: IMPERSONATION_DENY};"#,
    ),
    (
        "light",
        r#"add_items: {list: "bulb_ids"}"#,
        r#"from: ["OFF", "ON", "Half lit"] add_items: {list: "bulb_ids"} id: "lamp_id""#,
    ),
    ("light_facts", "", r#"option (pavise.contract.v1.facts) = {entity: "pavise.lamps.v1.Lamp" id: "lamp_id"};"#),
    (
        "swap_access",
        r#"option (pavise.contract.v1.access) = {public: true realms: [REALM_INTERNAL] permission: "swap"};"#,
        r#"option (pavise.contract.v1.access) = {public: true realms: [REALM_INTERNAL] permission: "lamps.lamps.swap"};"#,
    ),
    (
        "swap",
        r#"makes: ["OFF"] removes: ["BROKEN"] steps: [{from: ["lit", "OFF"] to: ["BROKEN"]}, {aggregate: "Lamp" from: ["lit"]}]"#,
        r#"makes: ["OFF"] removes: ["BROKEN"] from: ["OFF", "ON", "Half lit", "BROKEN"] to: ["BROKEN"]
           steps: [{from: ["OFF", "ON", "Half lit"] to: ["BROKEN"]}, {aggregate: "Lamp" from: ["ON", "Half lit"]}]"#,
    ),
    (
        "swap_facts",
        "",
        r#"option (pavise.contract.v1.facts) = {entity: "pavise.lamps.v1.Lamp"};
           option (pavise.contract.v1.call).rate_limit = {per: RATE_LIMIT_SCOPE_CALLER count: 600 seconds: 600};
           option (pavise.contract.v1.call).rate_limit = {per: RATE_LIMIT_SCOPE_ADDRESS count: 3000 seconds: 3600};"#,
    ),
    (
        "read_access",
        "",
        r#"option (pavise.contract.v1.access) = {realms: [REALM_MACHINE] permission: "lamps.lamps.journal"};"#,
    ),
    ("read_facts", "", r#"option (pavise.contract.v1.facts) = {entity: "pavise.lamps.v1.Lamp" reads: true};"#),
];

#[derive(Clone, Copy)]
enum Form {
    Short,
    Long,
}

fn lamps(form: Form) -> String {
    PLACES.iter().fold(LAMPS.to_owned(), |proto, (place, short, long)| {
        let place = format!("{{{place}}}");
        assert!(proto.contains(&place), "{place}");
        proto.replace(&place, if let Form::Short = form { short } else { long })
    })
}

/// The set of one proto as it is compiled, not expanded.
fn compiled(proto: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lamp.proto"), proto).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let validate = prost_protovalidate_types::DESCRIPTOR_POOL.encode_to_vec();
    let mut resolver = ChainFileResolver::new();
    resolver.add(IncludeFileResolver::new(folder.path().to_owned()));
    resolver.add(IncludeFileResolver::new(root));
    resolver.add(DescriptorSetFileResolver::decode(validate.as_slice()).unwrap());
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(false);
    for file in ["buf/validate/validate.proto", "lamp.proto"] {
        compiler.open_file(file).unwrap();
    }
    compiler.encode_file_descriptor_set()
}

fn text(set: &[u8]) -> String {
    let pool = DescriptorPool::decode(set).unwrap();
    let file = pool.get_message_by_name("google.protobuf.FileDescriptorSet").unwrap();
    let set = prost_reflect::DynamicMessage::decode(file, set).unwrap();
    let files = set.get_field_by_name("file").unwrap().as_list().unwrap().to_vec();
    format!("{:#}", files.last().unwrap())
}

#[test]
fn the_short_form_means_the_long_one() {
    let short = pavise_contract::expand(&compiled(&lamps(Form::Short))).unwrap();
    let long = compiled(&lamps(Form::Long));
    let expected = pavise_contract::expand(&long).unwrap();
    assert_eq!(text(&short), text(&expected));
    assert!(short == expected, "the same but for the order of what is encoded");
    assert_eq!(text(&expected), text(&long), "the long form says everything");
}

#[test]
fn a_file_that_gets_a_rule_imports_what_it_is_written_in() {
    let bare = r#"
        syntax = "proto3";
        package pavise.lamps.v1;
        import "google/api/annotations.proto";
        import "pavise/contract/v1/options.proto";
        message GetSocketRequest { string socket_id = 1; }
        message Socket { string id = 1; }
        service SocketService {
          option (pavise.contract.v1.service) = { name: "sockets" };
          rpc GetSocket(GetSocketRequest) returns (Socket) {
            option (google.api.http) = { get: "/v1/sockets/{socket_id}" };
            option (pavise.contract.v1.access) = { public: true };
            option (pavise.contract.v1.call).custom = { reads: true };
          }
        }"#;
    let set = pavise_contract::expand(&compiled(bare)).unwrap();
    let pool = DescriptorPool::decode(set.as_slice()).unwrap();
    let request = pool.get_message_by_name("pavise.lamps.v1.GetSocketRequest").unwrap();
    let imports: Vec<_> = request.parent_file().dependencies().map(|file| file.name().to_owned()).collect();
    assert_eq!(
        imports,
        ["buf/validate/validate.proto", "google/api/annotations.proto", "pavise/contract/v1/options.proto"]
    );
    let rule = pool.get_extension_by_name("buf.validate.field").unwrap();
    assert!(request.get_field_by_name("socket_id").unwrap().options().has_extension(&rule));
}

#[test]
fn an_unknown_name_in_the_short_form_is_refused() {
    for (from, to, expected) in [
        (
            "without: [\"owner\"]",
            "without: [\"oner\"]",
            "ListLamps: access.without names oner, which is no part of an access rule",
        ),
        (
            "name: \"lit\" statuses: [\"ON\"",
            "name: \"lit\" statuses: [\"IN\"",
            "Lamp: the set lit names IN, which is no status",
        ),
        ("name: \"lit\"", "name: \"OFF\"", "Lamp: the set OFF has the name of a status"),
    ] {
        let proto = lamps(Form::Short);
        assert!(proto.contains(from), "{from}");
        let error = pavise_contract::expand(&compiled(&proto.replace(from, to))).unwrap_err().to_string();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}

#[test]
fn keys_of_the_console_are_told_apart_over_all_aggregates() {
    let keys = |lamp: &str, shade: &str| {
        let aggregates = [("Lamp", lamp), ("Shade", shade)].map(|(name, key)| {
            format!("message {name} {{ option (pavise.contract.v1.aggregate) = {{ display: {{ key: \"{key}\" }} }}; }}")
        });
        let head = r#"syntax = "proto3"; package pavise.lamps.v1; import "pavise/contract/v1/options.proto";"#;
        let set = compiled(&format!("{head} {}", aggregates.concat()));
        pavise_contract::expand(&set).map(drop).map_err(|error| error.to_string())
    };
    keys("l", "s").unwrap();
    keys("sl", "sh").unwrap();
    for (lamp, shade) in [("l", "l"), ("l", "lm"), ("lm", "l")] {
        let error = keys(lamp, shade).unwrap_err();
        let expected = format!("Shade: display.key {shade:?} begins as {lamp:?}, the key of pavise.lamps.v1.Lamp");
        assert!(error.contains(&expected), "expected {expected:?}, got {error:?}");
    }
    assert!(keys("x", "s").unwrap_err().contains("the key of the console"));
}

#[test]
fn expanding_twice_changes_nothing() {
    let once = pavise_contract::expand(&compiled(&lamps(Form::Short))).unwrap();
    assert!(pavise_contract::expand(&once).unwrap() == once);
}

#[test]
fn options_that_are_not_expanded_are_kept() {
    let set = pavise_contract::expand(&compiled(&lamps(Form::Short))).unwrap();
    let pool = DescriptorPool::decode(set.as_slice()).unwrap();
    let lamp = pool.get_message_by_name("pavise.lamps.v1.Lamp").unwrap();
    let maker = lamp.get_field_by_name("maker").unwrap();
    assert_eq!(pavise_contract::Sensitivity::of(&maker), pavise_contract::Sensitivity::Personal);
    let status = pool.get_enum_by_name("pavise.lamps.v1.LampStatus").unwrap();
    assert_eq!(pavise_contract::spelling::of(&status.get_value(3).unwrap()).as_deref(), Some("Half lit"));
}

#[test]
fn a_format_adds_the_rules_that_its_text_does_not_state() {
    let format = |more: &str| format!("[(pavise.contract.v1.field) = {{ format: {more} }}]");
    let own = "[(buf.validate.field).string.max_len = 40, (pavise.contract.v1.field).format = FORMAT_PERSON_NAME]";
    let phone: &[&str] = &["max_len:24", "pattern:\"^[0-9+().-]*$\""];
    let rules: [(&str, String, &[&str], bool); 7] = [
        ("string email = 1", format("FORMAT_EMAIL"), &["max_len:254", "pattern:\"^[A-Za-z0-9.!#"], false),
        ("string email = 1", format("FORMAT_EMAIL can_be_empty: true"), &["pattern:\"^([A-Za-z0-9.!#"], false),
        ("string code = 1", format("FORMAT_POSTAL_CODE can_be_empty: true"), &["A-Za-z][0-9])?$\""], false),
        ("string phone = 1", format("FORMAT_PHONE"), phone, true),
        ("string phone = 1", format("FORMAT_PHONE can_be_empty: true"), phone, false),
        ("repeated string zones = 1", format("FORMAT_TIME_ZONE"), &["repeated", "items", "max_len:64"], true),
        ("string title = 1", own.to_owned(), &["max_len:40", "pattern:"], true),
    ];
    for (field, options, expected, needs_some) in rules {
        let proto = format!(
            "syntax = \"proto3\"; package pavise.lamps.v1; import \"buf/validate/validate.proto\";
             import \"google/api/annotations.proto\";
             import \"pavise/contract/v1/options.proto\"; message Maker {{ {field} {options}; }}"
        );
        let set = text(&pavise_contract::expand(&compiled(&proto)).unwrap());
        let set = set.split_whitespace().collect::<String>();
        for part in expected {
            assert!(set.contains(part), "{field} {options}: {part} is missing in {set}");
        }
        assert_eq!(set.contains("min_len:1"), needs_some, "{field} {options}: {set}");
    }
}
