//! Edits of lists in a contract: their code, and what does not build.

use super::build_files;

/// A correct domain of edits of lists; each case breaks one line of it.
const BOXES: &str = r#"
syntax = "proto3";
package pavise.shelves.v1;
import "google/protobuf/timestamp.proto";
import "pavise/contract/v1/options.proto";

enum BoxStatus { BOX_STATUS_UNSPECIFIED = 0; BOX_STATUS_OPEN = 1 [(pavise.contract.v1.value_ui).tone = TONE_GOOD]; }
enum BoxAction { BOX_ACTION_UNSPECIFIED = 0; BOX_ACTION_CHANGED = 1; }
enum Colour { COLOUR_UNSPECIFIED = 0; COLOUR_RED = 1; COLOUR_BLUE = 2; }
message Box {
  option (pavise.contract.v1.aggregate) = {
    table: "boxes" actions: "BoxAction" initial: "OPEN" lookups: [{field: "parts.name" fold: true}] shared: true
  };
  string id = 1;
  string owner_id = 2;
  BoxStatus status = 3;
  int64 version = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.Timestamp updated_at = 6;
  repeated Part parts = 7;
  repeated string labels = 8;
  repeated Colour colours = 9;
  repeated Tray trays = 10;
  repeated Stamp stamps = 11;
}
message Part { string id = 1; string name = 2; Colour colour = 3; int32 seen = 4 [(pavise.contract.v1.field).output_only = true]; }
message Tray { string id = 1; Colour colour = 2; repeated Part parts = 3; repeated string tags = 4; string title = 5; }
message Stamp { string id = 1 [(pavise.contract.v1.field).output_only = true]; string text = 2; }
message AddPartsRequest { string box_id = 1; repeated Part parts = 2; }
message AddPartRequest { string box_id = 1; Part part = 2; string id = 3; }
message ChangePartsRequest { string box_id = 1; repeated Part parts = 2; }
message RemovePartsRequest { string box_id = 1; repeated string part_ids = 2; repeated string names = 3; }
message PutTrayPartsRequest { string box_id = 1; string tray_id = 2; repeated Part parts = 3; }
message RemoveTrayPartsRequest { string box_id = 1; Colour colour = 2; repeated Colour colours = 3; }
message LabelRequest { string box_id = 1; string label = 2; repeated string labels = 3; repeated Colour colours = 4; repeated Stamp stamps = 5; }
service BoxService {
  option (pavise.contract.v1.service) = { name: "boxes" access: { writes: { realms: [REALM_INTERNAL] permission: "write" } } };
  // AddParts adds parts.
  rpc AddParts(AddPartsRequest) returns (Box) {
    option (pavise.contract.v1.call).change = { action: "CHANGED" add_items: {list: "parts"} };
  }
  // AddPart adds a part.
  rpc AddPart(AddPartRequest) returns (Box) {
    option (pavise.contract.v1.call).change = { action: "CHANGED" add_items: {list: "parts" from: "part"} };
  }
  // ChangeParts replaces parts.
  rpc ChangeParts(ChangePartsRequest) returns (Box) {
    option (pavise.contract.v1.call).change = { action: "CHANGED" replace_items: {list: "parts" key: "name"} };
  }
  // RemoveParts removes parts.
  rpc RemoveParts(RemovePartsRequest) returns (Box) {
    option (pavise.contract.v1.call).change = { action: "CHANGED" remove_items: [{list: "parts" from: "part_ids"}, {list: "parts" key: "name" from: "names" missing_ok: true}] };
  }
  // PutTrayParts puts parts on a tray.
  rpc PutTrayParts(PutTrayPartsRequest) returns (Box) {
    option (pavise.contract.v1.call).change = { action: "CHANGED" upsert_items: {list: "trays[tray_id].parts" key: "colour"} };
  }
  // RemoveTrayParts takes parts from a tray.
  rpc RemoveTrayParts(RemoveTrayPartsRequest) returns (Box) {
    option (pavise.contract.v1.call).change = { action: "CHANGED" remove_items: {list: "trays[colour].parts" key: "colour" from: "colours"} };
  }
  // Label labels a box.
  rpc Label(LabelRequest) returns (Box) {
    option (pavise.contract.v1.call).change = { action: "CHANGED" add_items: [{list: "labels"}, {list: "stamps"}] upsert_items: {list: "colours"} };
  }
}
"#;

fn build(proto: &str) -> Result<String, String> {
    build_files(&[("box.proto", proto)])
}

#[test]
fn edits_of_lists_become_calls_of_the_kernel() {
    // Line breaks, commas before them, and braces around what is on a line of its own do not matter.
    let plain = |text: &str| {
        let text = text.split_whitespace().collect::<String>();
        let text =
            [",>", ",)", ",}", ",]"].iter().fold(text, |text, end| text.replace(end, end.trim_start_matches(',')));
        text.replace(['{', '}'], "")
    };
    let code = plain(&build(BOXES).unwrap());
    for expected in [
        "let places = ::pavise_kernel::edit::ItemPlaces::default();",
        ".await.map_err(|error| places.translate_paths(error))",
        "ItemForm::<self::pavise::shelves::v1::Part> { key: \"id\", same: |one, other| one.id == other.id, id: Some((|item| &item.id, |item| &mut item.id)), keep: |known, item| { item.seen = known.seen; } }",
        "RequestField { name: \"parts\", many: true }",
        "places.note_places(\"parts\", edit.from, &edit.append_items(&mut entity.parts, &request.parts)?);",
        "RequestField { name: \"part\", many: false }",
        "edit.append_items(&mut entity.parts, request.part.as_slice())?",
        "key: \"name\", same: |one, other| one.name.eq_ignore_ascii_case(&other.name)",
        "edit.replace_items(&mut entity.parts, &request.parts)?",
        "remove(&mut entity.parts, &request.part_ids, ::pavise_kernel::edit::RequestField { name: \"part_ids\", many: true }, |item: &self::pavise::shelves::v1::Part, key| item.id == *key, false)?;",
        "key| item.name.eq_ignore_ascii_case(key), true)?;",
        "let (at, outer) = ::pavise_kernel::edit::find_outer(&mut entity.trays, |item| item.id == request.tray_id, \"tray_id\")?;",
        "places.note_places(&format!(\"trays[{at}].parts\"), edit.from, &edit.upsert_items(&mut outer.parts, &request.parts)?);",
        "let (_, outer) = ::pavise_kernel::edit::find_outer(&mut entity.trays, |item| item.colour == request.colour, \"colour\")?;",
        "remove(&mut outer.parts, &request.colours,",
        "ItemForm::<String> { key: \"\", same: |one, other| one == other, id: None, keep: |_, _| () }",
        "keep: |known, item| { item.id = known.id.clone(); }",
        "edit.upsert_items(&mut entity.colours, &request.colours)?",
    ] {
        assert!(code.contains(&plain(expected)), "{expected} is missing in\n{code}");
    }
}

#[test]
fn a_wrong_edit_of_a_list_is_a_build_error_that_names_the_place() {
    let cases = [
        ("add_items: {list: \"parts\"}", "add_items: {list: \"party\"}", "AddParts: Box has no field party"),
        ("add_items: {list: \"parts\"}", "add_items: {list: \"version\"}", "AddParts: version is set by the kernel"),
        (
            "add_items: {list: \"parts\"}",
            "add_items: {list: \"parts\" from: \"box_id\"}",
            "AddParts: the request has no Part field box_id",
        ),
        (
            "add_items: {list: \"parts\"}",
            "add_items: {list: \"parts\" key: \"seen\"}",
            "AddParts: the items of parts have no seen",
        ),
        (
            "add_items: {list: \"parts\"}",
            "add_items: {list: \"parts\" missing_ok: true}",
            "AddParts: `missing_ok` and `to` are not for add_items: leave them out",
        ),
        (
            "replace_items: {list: \"parts\" key: \"name\"}",
            "replace_items: {list: \"labels\" from: \"parts\"}",
            "ChangeParts: replace_items replaces messages, and labels is not a list of messages",
        ),
        ("from: \"part_ids\"}", "from: \"parts\"}", "RemoveParts: the request has no string field parts"),
        (
            "from: \"part_ids\"}",
            "from: \"part_ids\" to: \"x\"}",
            "RemoveParts: `to` is for rename_items only: leave it out",
        ),
        (
            "{list: \"parts\" from: \"part_ids\"}",
            "{list: \"parts\" key: \"colour\" from: \"part_ids\"}",
            "RemoveParts: the request has no Colour field part_ids",
        ),
        ("trays[tray_id].parts", "trays[tray_id]", "PutTrayParts: name a deeper list as in"),
        (
            "trays[tray_id].parts",
            "labels[tray_id].parts",
            "PutTrayParts: the items of labels are not messages with lists",
        ),
        ("trays[tray_id].parts", "trays[tray].parts", "PutTrayParts: the request has no field tray"),
        ("trays[tray_id].parts", "trays[parts].parts", "PutTrayParts: parts and pavise.shelves.v1.Tray.id have"),
        ("trays[tray_id].parts", "trays[tray_id].title", "PutTrayParts: Tray has no list title that a caller may set"),
        (
            "upsert_items: {list: \"colours\"}",
            "upsert_items: {list: \"stamps\"}",
            "Label: upsert_items takes ids from the request",
        ),
        (
            "upsert_items: {list: \"colours\"}",
            "upsert_items: {list: \"colours\" from: \"labels\"}",
            "Label: the request has no Colour field labels",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(BOXES.contains(from), "{from}");
        let error = build(&BOXES.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
    println!("{} wrong edits refused", cases.len());
}
