//! The JSON of given wire bytes.

use super::{PLAIN, delimited, schema, to_json};
use pavise_transcode::ToJson;

const DEFAULTS: ToJson = ToJson { defaults: true, secrets: true };

#[track_caller]
fn written(name: &str, wire: &[u8], json: &str) {
    assert_eq!(to_json(name, wire, PLAIN).expect("the wire is right"), json);
}

#[track_caller]
fn refused(name: &str, wire: &[u8], message: &str) {
    let mut out = b"before".to_vec();
    let error = schema(name).to_json(wire, PLAIN, &mut out).expect_err("the wire is wrong");
    assert_eq!(error.to_string(), message);
    assert_eq!(out, b"before");
}

#[test]
fn nothing_is_an_empty_object() {
    written("Scalars", &[], "{}");
    written("Everything", &[], "{}");
}

#[test]
fn defaults_are_printed_where_there_is_no_presence() {
    let scalars = concat!(
        r#"{"aDouble":0,"aFloat":0,"anInt32":0,"anInt64":"0","aUint32":0,"aUint64":"0","aSint32":0,"aSint64":"0","#,
        r#""aFixed32":0,"aFixed64":"0","aSfixed32":0,"aSfixed64":"0","aBool":false,"aString":"","someBytes":"","#,
        r#""size":"SMALL","nothing":null,"@renamed\"":"","far":""}"#
    );
    assert_eq!(to_json("Scalars", &[], DEFAULTS).expect("right"), scalars);
    assert_eq!(to_json("Optionals", &[], DEFAULTS).expect("right"), "{}");
    assert_eq!(to_json("Choices", &[], DEFAULTS).expect("right"), r#"{"between":""}"#);
    assert_eq!(to_json("Everything", &[], DEFAULTS).expect("right"), r#"{"many":[]}"#);
    // The text is the same at every position of the set fields.
    let expected = r#"{"open":"","hidden":"x","hiddenList":[],"hiddenMap":{},"openList":[],"last":3}"#;
    assert_eq!(to_json("Secrets", &[0x12, 1, b'x', 0x48, 3], DEFAULTS).expect("right"), expected);
    assert_eq!(to_json("Secrets", &[0x48, 3, 0x12, 1, b'x'], DEFAULTS).expect("right"), expected);
}

#[test]
fn explicit_zeros_are_defaults() {
    let wire = [0x18, 0, 0x72, 0, 0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0x15, 0, 0, 0, 0];
    written("Scalars", &wire, "{}");
    written("Optionals", &wire, r#"{"aDouble":0,"aFloat":0,"anInt32":0,"aString":""}"#);
    // Only the lower 32 bits count, and minus zero is not zero.
    written("Scalars", &[0x18, 0x80, 0x80, 0x80, 0x80, 0x10], "{}");
    written("Scalars", &[0x15, 0, 0, 0, 0x80], r#"{"aFloat":-0}"#);
    written("Lists", &[0x1a, 0], "{}");
}

#[test]
fn enumerations_are_spelled() {
    written("Scalars", &[0x80, 1, 2], r#"{"colour":"Light Blue"}"#);
    written("Scalars", &[0x80, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], r#"{"colour":"BELOW"}"#);
    written("Scalars", &[0x80, 1, 77], r#"{"colour":77}"#);
    written("Scalars", &[0x88, 1, 1], r#"{"size":"LARGE"}"#);
}

#[test]
fn what_is_not_said_has_no_spelling() {
    written("Scalars", &[0x80, 1, 0], "{}");
    written("Optionals", &[0x80, 1, 0], "{}");
    written("Choices", &[0x70, 0], "{}");
    written("Lists", &[0x82, 1, 3, 1, 0, 2], r#"{"colours":["RED","COLOUR_UNSPECIFIED","Light Blue"]}"#);
    written("Maps", &delimited(5, &[0x08, 1, 0x10, 0]), r#"{"byUint64":{"1":"COLOUR_UNSPECIFIED"}}"#);
    // Zero with a spelling is a value like any other.
    written("Optionals", &[0x88, 1, 0], r#"{"size":"SMALL"}"#);
}

#[test]
fn null_is_null() {
    written("Optionals", &[0x90, 1, 0], r#"{"nothing":null}"#);
    written("Choices", &[0x58, 0], r#"{"nothing":null}"#);
    written("Lists", &[0xa2, 1, 2, 0, 0], r#"{"nothings":[null,null]}"#);
}

#[test]
fn the_last_of_two_values_counts() {
    written("Scalars", &[0x18, 1, 0x18, 2], r#"{"anInt32":2}"#);
    written("Scalars", &[0x18, 1, 0x18, 0], "{}");
    written("Scalars", &[0x18, 1, 0x68, 1, 0x18, 2], r#"{"anInt32":2,"aBool":true}"#);
}

#[test]
fn lists_come_in_one_piece_or_in_many() {
    written("Lists", &[0x1a, 2, 1, 2], r#"{"int32s":[1,2]}"#);
    written("Lists", &[0x18, 1, 0x18, 2], r#"{"int32s":[1,2]}"#);
    written("Lists", &[0x18, 1, 0x1a, 2, 2, 3, 0x18, 4], r#"{"int32s":[1,2,3,4]}"#);
    written("Lists", &[0x18, 1, 0x68, 1, 0x18, 2], r#"{"int32s":[1,2],"bools":[true]}"#);
    written("Lists", &[0x92, 1, 2, 7, 8], r#"{"unpacked":[7,8]}"#);
}

#[test]
fn maps_are_written_by_key_and_their_last_entries_count() {
    let entry = |key: u8, value: u8| delimited(2, &[0x08, key, 0x10, value]);
    written("Maps", &[entry(2, 1), entry(1, 1), entry(2, 5)].concat(), r#"{"byInt32":{"1":1,"2":5}}"#);
    // Key and value may be missing, or in the other order.
    written("Maps", &delimited(2, &[]), r#"{"byInt32":{"0":0}}"#);
    written("Maps", &delimited(2, &[0x10, 7, 0x08, 1]), r#"{"byInt32":{"1":7}}"#);
    written("Maps", &delimited(6, &[]), r#"{"bySint32":{"0":{}}}"#);
    // A value in several parts is one value.
    let parts =
        [delimited(1, b"k"), delimited(2, &delimited(7, &[0x48, 1])), delimited(2, &delimited(7, &delimited(1, b"o")))];
    written("Maps", &delimited(13, &parts.concat()), r#"{"deep":{"k":{"secrets":{"open":"o","last":1}}}}"#);
}

#[test]
fn of_a_oneof_the_last_member_counts() {
    written("Choices", &[0x0a, 1, b'a', 0x48, 1], r#"{"number":"1"}"#);
    written("Choices", &[0x48, 1, 0x0a, 1, b'a'], r#"{"text":"a"}"#);
    // A message that another member replaced starts anew.
    let message = |bytes: &[u8]| delimited(3, bytes);
    let replaced = [message(&[0x18, 1]), vec![0x48, 1], message(&[0x28, 2]), message(&[0x68, 1])].concat();
    written("Choices", &replaced, r#"{"message":{"aUint32":2,"aBool":true}}"#);
}

#[test]
fn a_oneof_in_the_order_of_prost_is_in_order() {
    // The members stand at the place of the lowest number.
    written("Choices", &[0x48, 1, 0x12, 1, b'b'], r#"{"number":"1","between":"b"}"#);
    written("Choices", &[0x12, 1, b'b', 0x48, 1], r#"{"number":"1","between":"b"}"#);
}

#[test]
fn parts_of_a_message_are_merged() {
    let secrets = |bytes: &[u8]| delimited(7, bytes);
    let wire = [secrets(&[0x48, 1]), secrets(&delimited(1, b"a")), secrets(&delimited(6, &[0x48, 2]))].concat();
    written("Everything", &wire, r#"{"secrets":{"open":"a","openMessage":{"last":2},"last":1}}"#);
    // This also holds if one part alone would be wrong.
    let url = b"type.googleapis.com/google.protobuf.Empty";
    let any = [delimited(8, &delimited(2, &[])), delimited(8, &delimited(1, url))].concat();
    written("Secrets", &any, r#"{"openAny":{"@type":"type.googleapis.com/google.protobuf.Empty","value":{}}}"#);
}

#[test]
fn unknown_fields_and_groups_are_passed_over() {
    // Number 1000 as varint, as bytes, and as a group with a field of a known number inside.
    written(
        "Scalars",
        &[0xc0, 0x3e, 1, 0xc2, 0x3e, 1, 0xff, 0xc3, 0x3e, 0x18, 1, 0xc4, 0x3e, 0x18, 5],
        r#"{"anInt32":5}"#,
    );
    written("google.protobuf.Timestamp", &[0x1b, 0x1c, 0x08, 1], r#""1970-01-01T00:00:01Z""#);
}

#[test]
fn wrong_wire_bytes_are_refused() {
    refused("Scalars", &[0x18], "an_int32: a number is cut off");
    refused("Scalars", &[0x72, 2, b'a'], "a_string: a field is cut off");
    refused("Scalars", &[0x72, 1, 0xff], "a_string: text is not UTF-8");
    refused("Scalars", &[0x1a, 1, 1], "an_int32: the field has the wire type of another kind");
    refused("Scalars", &[0x1d, 0, 0, 0, 0], "an_int32: the field has the wire type of another kind");
    refused("Scalars", &[0x00], "a field number is out of range");
    refused("Scalars", &[0xc3, 0x3e], "a group has no end");
    refused(
        "Everything",
        &delimited(7, &delimited(6, &[0x0a, 1, 0xff])),
        "secrets.open_message.open: text is not UTF-8",
    );
    refused("Maps", &delimited(1, &[0x0a, 1, 0xff]), "by_string: a key is not UTF-8");
}

#[test]
fn what_json_cannot_say_is_refused() {
    refused(
        "google.protobuf.Timestamp",
        &[0x10, 0xff, 0xff, 0xff, 0xff, 0x0f],
        "the time is not between the years 1 and 9999",
    );
    refused("google.protobuf.Duration", &[0x08, 1, 0x10, 0xff, 0xff, 0xff, 0xff, 0x0f], "the duration is out of range");
    refused("google.protobuf.FieldMask", &delimited(1, b"fooBar"), "a path of the mask has no JSON name");
    let infinity = [0x11, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f];
    refused("google.protobuf.Value", &infinity, "a value is a number that JSON does not have");
    refused("google.protobuf.Any", &delimited(1, b"x/no.Such"), "x/no.Such is not known");
    refused(
        "WellKnown",
        &delimited(1, &[0x10, 0xff, 0xff, 0xff, 0xff, 0x0f]),
        "timestamp: the time is not between the years 1 and 9999",
    );
}

#[test]
fn well_known_types_of_nothing() {
    written("google.protobuf.Timestamp", &[], r#""1970-01-01T00:00:00Z""#);
    written("google.protobuf.Duration", &[], r#""0s""#);
    written("google.protobuf.FieldMask", &[], r#""""#);
    written("google.protobuf.Struct", &[], "{}");
    written("google.protobuf.Value", &[], "null");
    written("google.protobuf.ListValue", &[], "[]");
    written("google.protobuf.Any", &[], "{}");
    written("google.protobuf.Empty", &[], "{}");
    written("google.protobuf.Int64Value", &[], r#""0""#);
    written("google.protobuf.DoubleValue", &[], "0");
    written("google.protobuf.BoolValue", &[], "false");
    written("google.protobuf.StringValue", &[], r#""""#);
    written("google.protobuf.BytesValue", &[], r#""""#);
    written("pavise.common.v1.Date", &[], r#""0000-00-00""#);
}

#[test]
fn a_date_that_there_is_not_is_written_as_it_is() {
    written("pavise.common.v1.Date", &[0x08, 0xea, 0x0f, 0x10, 2, 0x18, 31], r#""2026-02-31""#);
    written("WellKnown", &[0x92, 1, 3, 0x08, 0xea, 0x0f], r#"{"date":"2026-00-00"}"#);
}

#[test]
fn secrets_are_dropped_wherever_they_are() {
    let secret =
        [delimited(1, b"o"), delimited(2, b"h"), delimited(3, b"l"), delimited(3, b"m"), delimited(5, &[])].concat();
    let any = [delimited(1, b"/everything.v1.Secrets"), delimited(2, &secret)].concat();
    let wire =
        [secret.clone(), delimited(6, &secret), delimited(7, &secret), delimited(8, &any), vec![0x48, 1]].concat();
    let open = concat!(
        r#"{"open":"o","openMessage":{"open":"o"},"openList":[{"open":"o"}],"#,
        r#""openAny":{"@type":"/everything.v1.Secrets","open":"o"},"last":1}"#
    );
    assert_eq!(to_json("Secrets", &wire, ToJson { defaults: false, secrets: false }).expect("right"), open);
    // This also holds out of order, and with defaults.
    let disorder = [vec![0x48, 1], wire].concat();
    assert_eq!(to_json("Secrets", &disorder, ToJson { defaults: false, secrets: false }).expect("right"), open);
    let defaults = to_json("Secrets", &[], ToJson { defaults: true, secrets: false }).expect("right");
    assert_eq!(defaults, r#"{"open":"","openList":[],"last":0}"#);
}

#[test]
fn a_hundred_levels_are_the_limit() {
    let nested = |levels: usize| {
        let mut wire = Vec::new();
        for _ in 0..levels {
            let mut outer = vec![0x42];
            prost::encoding::encode_varint(wire.len() as u64, &mut outer);
            outer.append(&mut wire);
            wire = outer;
        }
        wire
    };
    assert!(to_json("Everything", &nested(100), PLAIN).is_ok());
    assert!(to_json("Everything", &nested(101), PLAIN).expect_err("too deep").is_too_deep());
    assert!(to_json("Everything", &nested(5_000), DEFAULTS).expect_err("too deep").is_too_deep());
    // The fields of every level are out of order.
    let mut wire = Vec::new();
    for _ in 0..200 {
        let mut outer = vec![0x42];
        prost::encoding::encode_varint(wire.len() as u64, &mut outer);
        outer.append(&mut wire);
        outer.extend([0x3a, 0, 0x42, 0]);
        wire = outer;
    }
    assert!(to_json("Everything", &wire, PLAIN).expect_err("too deep").is_too_deep());
}
