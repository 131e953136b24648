//! The wire bytes of given JSON.

use prost_reflect::DynamicMessage;

use super::{IGNORE, PLAIN, REFUSE, again, pool, schema, to_json, to_wire};

#[track_caller]
fn read_as(name: &str, json: &str, usual: &str) {
    assert_eq!(again(name, json), usual);
}

#[track_caller]
fn stays(name: &str, json: &str) {
    read_as(name, json, json);
}

#[test]
fn both_names_of_a_field_are_read() {
    read_as("Scalars", r#"{"anInt32":1}"#, r#"{"anInt32":1}"#);
    read_as("Scalars", r#"{"an_int32":1}"#, r#"{"anInt32":1}"#);
    read_as("Scalars", r#"{"other_name":"a"}"#, r#"{"@renamed\"":"a"}"#);
    stays("Scalars", r#"{"@renamed\"":"a"}"#);
    read_as("Scalars", r#"{"\u0061n_int32":1}"#, r#"{"anInt32":1}"#);
    stays("Scalars", r#"{"far":"away"}"#);
}

#[test]
fn white_space_does_not_matter() {
    read_as("Lists", " { \"int32s\" :\n[ 1 ,\t2 ] ,\r\n\"strings\":[ ] } ", r#"{"int32s":[1,2]}"#);
}

#[test]
fn whole_numbers_come_as_numbers_or_text() {
    for json in ["9007199254740993", r#""9007199254740993""#, "9007199254740993.0", "9007199254740.993e3"] {
        read_as("Scalars", &format!(r#"{{"anInt64":{json}}}"#), r#"{"anInt64":"9007199254740993"}"#);
        read_as("Scalars", &format!(r#"{{"aUint64":{json}}}"#), r#"{"aUint64":"9007199254740993"}"#);
    }
    for json in ["100", r#""100""#, "1e2", "100.0", r#""1e2""#, r#""\u0031e2""#] {
        for field in ["anInt32", "aUint32", "aSint32", "aFixed32", "aSfixed32"] {
            read_as("Scalars", &format!(r#"{{"{field}":{json}}}"#), &format!(r#"{{"{field}":100}}"#));
        }
    }
    for (field, value) in [
        ("anInt32", "-2147483648"),
        ("anInt32", "2147483647"),
        ("aSint32", "-2147483648"),
        ("aSfixed32", "-2147483648"),
        ("aUint32", "4294967295"),
        ("aFixed32", "4294967295"),
    ] {
        stays("Scalars", &format!(r#"{{"{field}":{value}}}"#));
    }
    for (field, value) in [
        ("anInt64", i64::MIN.to_string()),
        ("aSint64", i64::MIN.to_string()),
        ("aSfixed64", i64::MAX.to_string()),
        ("aUint64", u64::MAX.to_string()),
        ("aFixed64", u64::MAX.to_string()),
    ] {
        stays("Scalars", &format!(r#"{{"{field}":"{value}"}}"#));
    }
}

#[test]
fn floating_point() {
    for value in ["1.5", "-0", "1e300", "5e-324", "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "123456789.125"] {
        stays("Scalars", &format!(r#"{{"aDouble":{value}}}"#));
    }
    read_as("Scalars", r#"{"aDouble":"1.5e0","aFloat":0.1}"#, r#"{"aDouble":1.5,"aFloat":0.1}"#);
    read_as("Scalars", r#"{"aFloat":16777217}"#, r#"{"aFloat":16777216}"#);
}

#[test]
fn defaults_are_not_sent_unless_they_are_present() {
    let json = r#"{"aDouble":0,"aFloat":0.0,"anInt32":0,"anInt64":"0","aUint64":"0","aSint32":0,"aFixed64":0,"aSfixed32":0,"aBool":false,"aString":"","someBytes":"","size":"SMALL"}"#;
    assert_eq!(to_wire("Scalars", json, REFUSE).expect("right"), b"");
    read_as("Optionals", json, &json.replace("0.0", "0").replace("\"aFixed64\":0", "\"aFixed64\":\"0\""));
    assert_eq!(to_wire("Lists", r#"{"int32s":[],"strings":[]}"#, REFUSE).expect("right"), b"");
    stays("Choices", r#"{"number":"0"}"#);
    stays("WellKnown", r#"{"anInt64":"0","aString":""}"#);
}

#[test]
fn null_is_no_value() {
    let json = r#"{"scalars":null,"many":null,"maps":{"byString":null},"choices":{"text":null,"number":"1"}}"#;
    read_as("Everything", json, r#"{"maps":{},"choices":{"number":"1"}}"#);
    read_as("Scalars", r#"{"anInt32":null,"aString":null,"colour":null}"#, "{}");
    read_as("WellKnown", r#"{"timestamp":null,"anInt64":null,"any":null,"structure":null,"list":null}"#, "{}");
}

#[test]
fn null_is_a_value_where_the_field_has_one() {
    stays("WellKnown", r#"{"value":null}"#);
    stays("WellKnown", r#"{"values":[null,1,null]}"#);
    stays("Optionals", r#"{"nothing":null}"#);
    read_as("Optionals", r#"{"nothing":"NULL_VALUE"}"#, r#"{"nothing":null}"#);
    read_as("Optionals", r#"{"nothing":0}"#, r#"{"nothing":null}"#);
    stays("Lists", r#"{"nothings":[null]}"#);
    stays("Choices", r#"{"value":null}"#);
    stays("Maps", r#"{"byFixed64":{"1":null}}"#);
}

#[test]
fn enumerations_come_as_spelling_name_or_number() {
    for json in
        [r#""Light Blue""#, r#""COLOUR_LIGHT_BLUE""#, "2", "2.0", r#""Light\u0020Blue""#, r#""LIGHT BLUE""#, r#""Sky""#]
    {
        read_as("Scalars", &format!(r#"{{"colour":{json}}}"#), r#"{"colour":"Light Blue"}"#);
    }
    read_as("Scalars", r#"{"colour":-1}"#, r#"{"colour":"BELOW"}"#);
    read_as("Scalars", r#"{"colour":1000000}"#, r#"{"colour":"FAR"}"#);
    read_as("Scalars", r#"{"colour":"COLOUR_UNSPECIFIED"}"#, "{}");
    // Of two names for one number, the first is written.
    read_as("Optionals", r#"{"size":"SHORT"}"#, r#"{"size":"SMALL"}"#);
    read_as("Lists", r#"{"colours":["RED",0,"COLOUR_RED"]}"#, r#"{"colours":["RED","COLOUR_UNSPECIFIED","RED"]}"#);
}

#[test]
fn bytes_come_in_both_alphabets_with_padding_or_without() {
    for json in ["+/8=", "+/8", "-_8=", "-_8"] {
        read_as("Scalars", &format!(r#"{{"someBytes":"{json}"}}"#), r#"{"someBytes":"+/8="}"#);
    }
    let long = "QUJD".repeat(100);
    stays("Scalars", &format!(r#"{{"someBytes":"{long}"}}"#));
}

#[test]
fn strings_of_any_length_and_content() {
    for length in [0, 1, 126, 127, 128, 129, 16_383, 16_384, 100_000] {
        if length > 0 {
            stays("Scalars", &format!(r#"{{"aString":"{}"}}"#, "a".repeat(length)));
        }
        stays("Scalars", &format!(r#"{{"aString":"\n{}"}}"#, "é".repeat(length)));
    }
    read_as("Scalars", r#"{"aString":"\/\ud83e\udd80\u00e9"}"#, r#"{"aString":"/🦀é"}"#);
}

#[test]
fn keys_of_maps() {
    stays("Maps", r#"{"byString":{"":"","a\"":"b"},"byInt32":{"-1":1},"byUint64":{"18446744073709551615":"RED"}}"#);
    stays("Maps", r#"{"byBool":{"false":"LARGE","true":"SMALL"}}"#);
    read_as(
        "Maps",
        r#"{"byInt64":{"1e1":"","9007199254740993":""}}"#,
        r#"{"byInt64":{"10":"","9007199254740993":""}}"#,
    );
    stays("Maps", r#"{"bySfixed32":{"-5":"2026-03-31"},"deep":{"a":{"maps":{"deep":{"b":{}}}}}}"#);
}

#[test]
fn well_known_types() {
    let json = concat!(
        r#"{"timestamp":"2026-03-31T13:20:00.250Z","duration":"-3.500s","mask":"displayName,owner.userId","#,
        r#""structure":{"a":[1,"2",true,null,{"b":{}}],"z":1.5},"value":[[],{}],"list":[0,false],"#,
        r#""any":{"@type":"type.googleapis.com/everything.v1.Scalars","anInt32":1},"empty":{},"aDouble":"NaN","#,
        r#""aFloat":0.1,"anInt64":"-1","aUint64":"1","anInt32":-1,"aUint32":1,"aBool":true,"aString":"s","#,
        r#""someBytes":"AA==","date":"2026-03-31","dates":["0001-01-01","9999-12-31"]}"#
    );
    stays("WellKnown", json);
    read_as("WellKnown", r#"{"timestamp":"2026-03-31T15:20:00+02:00"}"#, r#"{"timestamp":"2026-03-31T13:20:00Z"}"#);
    for (name, json) in [
        ("google.protobuf.Value", r#"{"a":[null]}"#),
        ("google.protobuf.Value", "null"),
        ("google.protobuf.ListValue", "[1,[2]]"),
        ("google.protobuf.Struct", r#"{"a":"b"}"#),
        ("google.protobuf.StringValue", r#""text""#),
        ("pavise.common.v1.Date", r#""2024-02-29""#),
    ] {
        stays(name, json);
    }
}

#[test]
fn any_finds_its_type_wherever_it_stands() {
    let usual = r#"{"@type":"t/everything.v1.Scalars","anInt32":1,"aString":"x"}"#;
    stays("google.protobuf.Any", usual);
    read_as("google.protobuf.Any", r#"{"anInt32":1,"@type":"t/everything.v1.Scalars","aString":"x"}"#, usual);
    read_as("google.protobuf.Any", r#"{"an_int32":1,"aString":"x","\u0040type":"t/everything.v1.Scalars"}"#, usual);
    stays("google.protobuf.Any", "{}");
}

#[test]
fn any_finds_its_type_behind_the_deepest_message() {
    let many = format!("{}{}", r#"{"many":["#.repeat(98), "]}".repeat(98));
    let json = format!(r#"{{"inner":{many},"@type":"t/everything.v1.Everything"}}"#);
    assert!(to_wire("google.protobuf.Any", &json, REFUSE).is_ok());
}

#[test]
fn any_keeps_what_is_no_object_under_value() {
    for json in [
        r#"{"@type":"t/google.protobuf.Timestamp","value":"2026-03-31T13:20:00Z"}"#,
        r#"{"@type":"t/pavise.common.v1.Date","value":"2026-03-31"}"#,
        r#"{"@type":"t/google.protobuf.Int64Value","value":"5"}"#,
        r#"{"@type":"t/google.protobuf.Value","value":null}"#,
        r#"{"@type":"t/google.protobuf.Empty","value":{}}"#,
        r#"{"@type":"t/google.protobuf.Any","value":{"@type":"t/google.protobuf.Duration","value":"1s"}}"#,
    ] {
        stays("google.protobuf.Any", json);
    }
    let usual = r#"{"@type":"t/google.protobuf.Duration","value":"1s"}"#;
    read_as("google.protobuf.Any", r#"{"value":"1s","@type":"t/google.protobuf.Duration"}"#, usual);
    read_as(
        "google.protobuf.Any",
        r#"{"@type":"t/google.protobuf.Empty"}"#,
        r#"{"@type":"t/google.protobuf.Empty","value":{}}"#,
    );
}

#[test]
fn unknown_keys_are_ignored_on_demand() {
    let json = r#"{"x":{"y":[1,{"z":"\n"}]},"anInt32":1,"":null,"q":[]}"#;
    let wire = to_wire("Scalars", json, IGNORE).expect("right");
    assert_eq!(to_json("Scalars", &wire, PLAIN).expect("right"), r#"{"anInt32":1}"#);
    let json = r#"{"@type":"t/google.protobuf.Duration","more":1,"value":"1s"}"#;
    assert!(to_wire("google.protobuf.Any", json, IGNORE).is_ok());
    assert_eq!(to_wire("google.protobuf.Empty", r#"{"a":1}"#, IGNORE).expect("right"), b"");
}

#[test]
fn what_was_there_before_stays() {
    let mut out = b"before".to_vec();
    schema("Scalars").to_wire(br#"{"aBool":true}"#, REFUSE, &mut out).expect("right");
    assert_eq!(out, b"before\x68\x01");
    schema("Scalars").to_wire(br#"{"aBool":true"#, REFUSE, &mut out).expect_err("wrong");
    schema("Scalars").to_wire(br#"{"aBool":true}}"#, REFUSE, &mut out).expect_err("wrong");
    assert_eq!(out, b"before\x68\x01");
}

#[test]
fn a_hundred_levels_are_the_limit_and_prost_agrees() {
    let pool = pool::everything();
    let any = r#"{"@type":"t/google.protobuf.Any","value":"#;
    let cases = [
        ("Everything", r#"{"inner":"#, "{}", "}", 1),
        ("Everything", r#"{"many":[{},"#, "{}", "]}", 1),
        // The map's value takes two levels: its entry, and the message itself.
        ("Maps", r#"{"deep":{"a":{"maps":"#, "{}", "}}}", 3),
        ("google.protobuf.Value", "[", "1", "]", 2),
        ("google.protobuf.Value", r#"{"a":"#, "1", "}", 3),
        ("google.protobuf.Any", any, "{}", "}", 1),
    ];
    for (name, open, middle, close, levels) in cases {
        let nested = |times: usize| format!("{}{middle}{}", open.repeat(times), close.repeat(times));
        let most = to_wire(name, &nested(100 / levels), REFUSE).expect("right");
        let descriptor = pool.get_message_by_name(schema(name).name()).expect("the name is right");
        assert!(DynamicMessage::decode(descriptor, most.as_slice()).is_ok());
        assert!(to_json(name, &most, PLAIN).is_ok());
        let error = to_wire(name, &nested(100 / levels + 1), REFUSE).expect_err("too deep");
        assert_eq!(error.problem, pavise_transcode::Problem::TooDeep);
        let error = to_wire(name, &open.repeat(100_000), REFUSE).expect_err("too deep");
        assert_eq!(error.problem, pavise_transcode::Problem::TooDeep);
    }
}
