//! The check finds each loosened or dropped rule of a contract, and nothing else.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use pavise_contract::{Contract, breaking};
use prost_reflect::DescriptorPool;

#[path = "breaking/scopes.rs"]
mod scopes;

const DOORS: &str = r#"
syntax = "proto3";
package pavise.doors.v1;
import "google/protobuf/timestamp.proto";
import "pavise/contract/v1/options.proto";

enum DoorStatus { DOOR_STATUS_UNSPECIFIED = 0; DOOR_STATUS_OPEN = 1; DOOR_STATUS_SHUT = 2; DOOR_STATUS_GONE = 3; }
enum DoorAction { DOOR_ACTION_UNSPECIFIED = 0; DOOR_ACTION_SHUT = 1; DOOR_ACTION_PAINTED = 2; DOOR_ACTION_SCRATCHED = 3; }
message Door {
  option (pavise.contract.v1.aggregate) = { table: "doors" actions: "DoorAction" initial: "OPEN" terminal: ["GONE"] };
  string id = 1;
  string owner_id = 2;
  DoorStatus status = 3;
  int64 version = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.Timestamp updated_at = 6;
  string colour = 7;
  string lock_hash = 8 [(pavise.contract.v1.field) = { secret: true output_only: true }];
  string maker = 9 [(pavise.contract.v1.field) = { pii: true immutable: true }];
}
enum FrameStatus { FRAME_STATUS_UNSPECIFIED = 0; FRAME_STATUS_WHOLE = 1; }
message Frame {
  option (pavise.contract.v1.aggregate) = { table: "frames" actions: "DoorAction" initial: "WHOLE" };
  string id = 1;
  string owner_id = 2;
  FrameStatus status = 3;
  int64 version = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.Timestamp updated_at = 6;
}
message ShutDoorRequest { string identity_id = 1; string door_id = 2; }
message PaintDoorRequest { string identity_id = 1; string door_id = 2; string colour = 3; }
service DoorService {
  option (pavise.contract.v1.service) = { name: "doors" };
  rpc ShutDoor(ShutDoorRequest) returns (Door) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER, REALM_INTERNAL] permission: "doors.write" owner: "identity_id" };
    option (pavise.contract.v1.call) = { change: { action: "SHUT" from: ["OPEN"] to: "SHUT" } };
  }
  rpc PaintDoor(PaintDoorRequest) returns (Door) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] owner: "identity_id" owner_only: true impersonation: IMPERSONATION_DENY };
    option (pavise.contract.v1.call) = { custom: { action: "PAINTED" actions: ["SCRATCHED"] } };
  }
  rpc HangDoor(PaintDoorRequest) returns (Door) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] owner: "identity_id" };
    option (pavise.contract.v1.call) = { custom: { action: "PAINTED" makes: ["OPEN", "SHUT"] } };
  }
  rpc MoveDoor(PaintDoorRequest) returns (Door) {
    option (pavise.contract.v1.access) = { realms: [REALM_USER] owner: "identity_id" };
    option (pavise.contract.v1.call) = {
      custom: {
        action: "PAINTED" to: ["SHUT", "GONE"]
        steps: [{from: ["OPEN"] to: ["SHUT"]}, {from: ["OPEN", "SHUT"] to: ["GONE"]}, {aggregate: "Frame" from: ["WHOLE"]}]
      }
    };
  }
}
"#;

fn contract(proto: &str) -> Contract {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("pavise/doors/v1")).unwrap();
    fs::write(folder.path().join("pavise/doors/v1/door.proto"), proto).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let mut compiler = protox::Compiler::new([folder.path(), root.as_path()]).unwrap();
    compiler.include_imports(true).open_file("pavise/doors/v1/door.proto").unwrap();
    let pool = DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap();
    Contract::read(&pool).unwrap()
}

#[test]
fn what_is_loosened_or_dropped_is_found() {
    let before = contract(DOORS);
    assert_eq!(breaking(&before, &contract(DOORS)), []);
    let cases: [(&str, &str, &[&str]); 22] = [
        (
            "realms: [REALM_USER, REALM_INTERNAL]",
            "public: true realms: [REALM_USER, REALM_INTERNAL]",
            &["without a token"],
        ),
        ("realms: [REALM_USER]", "realms: [REALM_USER, REALM_GROUP_ADMIN]", &["PaintDoor: admits REALM_GROUP_ADMIN"]),
        (
            "permission: \"doors.write\"",
            "permission: \"doors.read\"",
            &["asks for permission doors.read instead of doors.write"],
        ),
        (
            "permission: \"doors.write\" owner: \"identity_id\"",
            "permission: \"doors.write\"",
            &["owner none instead of identity_id"],
        ),
        (
            "permission: \"doors.write\" owner: \"identity_id\"",
            "permission: \"doors.write\" owner: \"identity_id\" owner_admitted: true",
            &["asks the owner for no permission"],
        ),
        (" owner_only: true", "", &["PaintDoor: admits others than the owner"]),
        (" impersonation: IMPERSONATION_DENY", "", &["PaintDoor: admits more who act for another"]),
        ("from: [\"OPEN\"]", "from: [\"SHUT\"]", &["ShutDoor: leads no longer from OPEN to SHUT"]),
        (" actions: [\"SCRATCHED\"]", "", &["PaintDoor: no longer writes SCRATCHED"]),
        (
            "custom: { action: \"PAINTED\"",
            "custom: { from: [\"OPEN\"] action: \"PAINTED\"",
            &["leads no longer from SHUT to itself"],
        ),
        (" terminal: [\"GONE\"]", "", &["Door: GONE is no longer terminal"]),
        ("secret: true ", "", &["Door.lock_hash: is no longer secret"]),
        ("secret: true ", "pii: true ", &["Door.lock_hash: is no longer secret"]),
        ("output_only: true", "", &["Door.lock_hash: is no longer set by the service only"]),
        ("pii: true immutable: true", "secret: true", &["Door.maker: is no longer immutable"]),
        ("pii: true ", "", &["Door.maker: is no longer personal"]),
        ("makes: [\"OPEN\", \"SHUT\"]", "makes: [\"OPEN\"]", &["HangDoor: leads no longer from nothing to SHUT"]),
        ("{from: [\"OPEN\", \"SHUT\"] to", "{from: [\"SHUT\"] to", &["MoveDoor: leads no longer from OPEN to GONE"]),
        (
            ", {aggregate: \"Frame\" from: [\"WHOLE\"]}",
            "",
            &["MoveDoor: leads no longer from WHOLE to removal of Frame"],
        ),
        // Stricter rules and further steps break nothing.
        ("realms: [REALM_USER, REALM_INTERNAL]", "realms: [REALM_INTERNAL]", &[]),
        ("from: [\"OPEN\"] to", "from: [\"OPEN\", \"SHUT\"] to", &[]),
        ("{from: [\"OPEN\"] to", "{from: [\"OPEN\", \"GONE\"] to", &[]),
    ];
    for (from, to, expected) in cases {
        assert!(DOORS.contains(from), "{from}");
        let found: Vec<String> =
            breaking(&before, &contract(&DOORS.replacen(from, to, 1))).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expected.len(), "{to}: {found:?}");
        for (one, wanted) in found.iter().zip(expected) {
            assert!(one.contains(wanted), "{one} is not about {wanted}");
        }
    }
}

/// Earlier contracts could not say that a call only creates or removes entities; such a call seemed to keep the status.
#[test]
fn what_a_call_makes_or_removes_is_said_more_exactly_and_takes_nothing_away() {
    let makes = " makes: [\"OPEN\", \"SHUT\"]";
    assert!(DOORS.contains(makes));
    let silent = contract(&DOORS.replacen(makes, "", 1));
    assert_eq!(breaking(&silent, &contract(DOORS)), []);
    let removes = |from: &str| contract(&DOORS.replacen(makes, &format!(" removes: [{from}]"), 1));
    assert_eq!(breaking(&silent, &removes("\"OPEN\", \"SHUT\"")), []);
    let less: Vec<String> = breaking(&silent, &removes("\"OPEN\"")).iter().map(ToString::to_string).collect();
    assert_eq!(less, ["pavise.doors.v1.DoorService.HangDoor: leads no longer from SHUT to itself"]);
}
