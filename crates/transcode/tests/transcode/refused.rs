//! JSON that is refused, and the text of each refusal.

use pavise_transcode::Problem::{self, InvalidValue, Malformed, TooDeep, UnknownField};

use super::{IGNORE, REFUSE, to_wire};

#[track_caller]
fn refused(name: &str, json: &str, problem: Problem, path: &str, message: &str) {
    let error = to_wire(name, json, REFUSE).expect_err(json);
    assert_eq!((error.problem, error.path.as_str(), error.message.as_str()), (problem, path, message), "{json}");
}

#[test]
fn what_is_not_json() {
    for (json, message) in [
        ("", "expected a value at line 1 column 1"),
        ("  ", "expected a value at line 1 column 3"),
        ("x", "expected a value at line 1 column 1"),
        ("{", "expected a key at line 1 column 2"),
        ("{1:2}", "expected a key at line 1 column 2"),
        ("{\"aBool\"}", "expected `:` at line 1 column 9"),
        ("{\"aBool\":}", "expected a value at line 1 column 10"),
        ("{\"aBool\":tru}", "expected a value at line 1 column 10"),
        ("{\"aBool\":true", "expected `,` or `}` at line 1 column 14"),
        ("{\"aBool\":true,}", "expected a key at line 1 column 15"),
        ("{\"aBool\":true}}", "expected nothing more at line 1 column 15"),
        ("{\n  \"aString\": \"é\" 1}", "expected `,` or `}` at line 2 column 18"),
        ("{\"anInt32\":01}", "expected `,` or `}` at line 1 column 13"),
        ("{\"anInt32\":-}", "expected a number at line 1 column 12"),
        ("{\"anInt32\":1.}", "expected a number at line 1 column 12"),
        ("{\"anInt32\":+1}", "expected a value at line 1 column 12"),
        ("{\"aDouble\":NaN}", "expected a value at line 1 column 12"),
        ("{\"aString\":\"", "expected `\"` at line 1 column 13"),
        ("{\"aString\":\"\n\"}", "a control character stands in a string at line 1 column 13"),
        ("{\"aString\":\"\\x\"}", "a string has an escape that there is not at line 1 column 13"),
        ("{\"aString\":\"\\ud800\"}", "a string has an escape that there is not at line 1 column 13"),
        ("{'aString':1}", "expected a key at line 1 column 2"),
        ("{\"aBool\":nul}", "expected a value at line 1 column 10"),
        ("// no\n{}", "expected a value at line 1 column 1"),
        ("\u{feff}{}", "expected a value at line 1 column 1"),
    ] {
        refused("Scalars", json, Malformed, "", message);
    }
    refused("Lists", "{\"int32s\":[1,]}", Malformed, "", "expected a value at line 1 column 14");
    refused("Lists", "{\"int32s\":[1 2]}", Malformed, "", "expected `,` or `]` at line 1 column 14");
    let error =
        super::schema("Scalars").to_wire(b"{\"aString\":\"\xff\"}", REFUSE, &mut Vec::new()).expect_err("wrong");
    assert_eq!((error.problem, error.line, error.column), (Malformed, 1, 13));
}

#[test]
fn keys_that_are_no_fields() {
    refused("Scalars", r#"{"anInt33":1}"#, UnknownField, "anInt33", "anInt33 is not a field of Scalars");
    refused("Scalars", r#"{"":1}"#, UnknownField, "", " is not a field of Scalars");
    refused("Scalars", r#"{"AnInt32":1}"#, UnknownField, "AnInt32", "AnInt32 is not a field of Scalars");
    refused(
        "Everything",
        r#"{"many":[{},{"scalars":{"x":1}}]}"#,
        UnknownField,
        "many[1].scalars.x",
        "x is not a field of Scalars",
    );
    refused("Maps", r#"{"deep":{"a b":{"x":1}}}"#, UnknownField, "deep[\"a b\"].x", "x is not a field of Everything");
    refused("google.protobuf.Empty", r#"{"x":1}"#, UnknownField, "x", "x is not a field of Empty");
    let any = r#"{"any":{"@type":"t/everything.v1.Scalars","x":1}}"#;
    refused("WellKnown", any, UnknownField, "any.x", "x is not a field of Scalars");
    let any = r#"{"any":{"@type":"t/google.protobuf.Duration","value":"1s","x":1}}"#;
    refused("WellKnown", any, UnknownField, "any.x", "x is not a field of an Any of this type");
    let long = format!(r#"{{"{}":1}}"#, "x".repeat(1_000_000));
    assert!(to_wire("Scalars", &long, REFUSE).expect_err("unknown").message.len() < 200);
}

#[test]
fn values_of_another_kind() {
    for (json, path, message) in [
        (r#"{"aString":1}"#, "a_string", "must be a string"),
        (r#"{"aString":{}}"#, "a_string", "must be a string"),
        (r#"{"someBytes":[]}"#, "some_bytes", "must be a string"),
        (r#"{"someBytes":"*"}"#, "some_bytes", "must be base64"),
        (r#"{"someBytes":"A"}"#, "some_bytes", "must be base64"),
        (r#"{"someBytes":"-/8="}"#, "some_bytes", "must be base64"),
        (r#"{"aBool":"true"}"#, "a_bool", "must be true or false"),
        (r#"{"aBool":1}"#, "a_bool", "must be true or false"),
        (r#"{"anInt32":true}"#, "an_int32", "must be a number"),
        (r#"{"anInt32":""}"#, "an_int32", "must be a whole number"),
        (r#"{"anInt32":" 1"}"#, "an_int32", "must be a whole number"),
        (r#"{"anInt32":"1x"}"#, "an_int32", "must be a whole number"),
        (r#"{"anInt32":1.5}"#, "an_int32", "must be a whole number"),
        (r#"{"anInt32":2147483648}"#, "an_int32", "must be between -2147483648 and 2147483647"),
        (r#"{"anInt32":-2147483649}"#, "an_int32", "must be between -2147483648 and 2147483647"),
        (r#"{"anInt32":1e99999}"#, "an_int32", "must be between -2147483648 and 2147483647"),
        (r#"{"aUint32":-1}"#, "a_uint32", "must be between 0 and 4294967295"),
        (r#"{"aFixed32":4294967296}"#, "a_fixed32", "must be between 0 and 4294967295"),
        (
            r#"{"anInt64":"9223372036854775808"}"#,
            "an_int64",
            "must be between -9223372036854775808 and 9223372036854775807",
        ),
        (r#"{"aUint64":18446744073709551616}"#, "a_uint64", "must be between 0 and 18446744073709551615"),
        (
            r#"{"aSint64":99999999999999999999999}"#,
            "a_sint64",
            "must be between -9223372036854775808 and 9223372036854775807",
        ),
        (r#"{"aDouble":1e309}"#, "a_double", "is a number that is too large"),
        (r#"{"aFloat":3.5e38}"#, "a_float", "is a number that is too large"),
        (r#"{"aDouble":"inf"}"#, "a_double", "must be a number"),
        (r#"{"aDouble":[]}"#, "a_double", "must be a number"),
        (r#"{"nothing":1}"#, "nothing", "must be null"),
        (r#"{"nothing":"null"}"#, "nothing", "must be null"),
        (r#"{"nothing":0.5}"#, "nothing", "must be null"),
    ] {
        refused("Scalars", json, InvalidValue, path, message);
    }
    for json in ["[]", "null", "1", "\"\"", "true"] {
        refused("Scalars", json, InvalidValue, "", "must be an object");
    }
    refused("Lists", r#"{"int32s":1}"#, InvalidValue, "int32s", "must be a list");
    refused("Lists", r#"{"int32s":{}}"#, InvalidValue, "int32s", "must be a list");
    refused("Lists", r#"{"int32s":[1,"x"]}"#, InvalidValue, "int32s[1]", "must be a whole number");
    refused("Lists", r#"{"int32s":[1,null]}"#, InvalidValue, "int32s[1]", "must not be null");
    refused("Lists", r#"{"messages":[{},null]}"#, InvalidValue, "messages[1]", "must not be null");
    refused("Lists", r#"{"messages":[{},[]]}"#, InvalidValue, "messages[1]", "must be an object");
    refused(
        "Lists",
        r#"{"messages":[{},{"colour":"x"}]}"#,
        InvalidValue,
        "messages[1].colour",
        "x is not one of RED, Light Blue, BELOW, FAR",
    );
}

#[test]
fn values_that_are_none_of_an_enumeration() {
    let listed = "is not one of RED, Light Blue, BELOW, FAR";
    for json in ["\"red\"", "\"UNSPECIFIED\"", "\"\"", "\"LIGHT_BLUE\"", "\"1\"", "77", "1.5", "99999999999"] {
        let text = json.trim_matches('"');
        refused("Scalars", &format!(r#"{{"colour":{json}}}"#), InvalidValue, "colour", &format!("{text} {listed}"));
    }
    refused("Scalars", r#"{"colour":true}"#, InvalidValue, "colour", "must be a string");
    refused(
        "Scalars",
        r#"{"many":"Z"}"#,
        InvalidValue,
        "many",
        "Z is not one of A, B, C, D, E, F, G, H, I, J, K, L, …",
    );
}

#[test]
fn what_is_given_twice() {
    for json in [r#"{"anInt32":1,"anInt32":1}"#, r#"{"anInt32":1,"an_int32":2}"#, r#"{"anInt32":null,"an_int32":2}"#] {
        refused("Scalars", json, InvalidValue, "an_int32", "is given twice");
    }
    refused("Everything", r#"{"many":[],"many":[]}"#, InvalidValue, "many", "is given twice");
    let choice = "cannot be given together with another field of the same choice";
    refused("Choices", r#"{"text":"a","number":1}"#, InvalidValue, "number", choice);
    refused("Choices", r#"{"number":1,"nothing":null}"#, InvalidValue, "nothing", choice);
    refused("Maps", r#"{"byString":{"a":"","\u0061":""}}"#, InvalidValue, "by_string[\"a\"]", "is given twice");
    refused("Maps", r#"{"byInt32":{"10":1,"1e1":1}}"#, InvalidValue, "by_int32[\"10\"]", "is given twice");
    refused("WellKnown", r#"{"structure":{"a":1,"a":2}}"#, InvalidValue, "structure[\"a\"]", "is given twice");
    let any = r#"{"@type":"t/everything.v1.Scalars","@type":"t/everything.v1.Scalars"}"#;
    refused("google.protobuf.Any", any, InvalidValue, "@type", "is given twice");
    let any = r#"{"@type":"t/google.protobuf.Duration","value":"1s","value":"1s"}"#;
    refused("google.protobuf.Any", any, InvalidValue, "value", "is given twice");
}

#[test]
fn maps_with_wrong_parts() {
    refused("Maps", r#"{"byString":[]}"#, InvalidValue, "by_string", "must be an object");
    refused("Maps", r#"{"byString":{"a":1}}"#, InvalidValue, "by_string[\"a\"]", "must be a string");
    refused("Maps", r#"{"byString":{"a":null}}"#, InvalidValue, "by_string[\"a\"]", "must not be null");
    refused("Maps", r#"{"byInt32":{"a":1}}"#, InvalidValue, "by_int32[\"a\"]", "has a key that must be a whole number");
    refused(
        "Maps",
        r#"{"byBool":{"1":"LARGE"}}"#,
        InvalidValue,
        "by_bool[\"1\"]",
        "has a key that is not true or false",
    );
}

#[test]
fn well_known_types_with_wrong_values() {
    let time = "must be a time such as 2026-03-31T13:20:00Z, of the years 1 to 9999";
    let duration = "must be a duration such as 3.5s, of at most 315576000000 s";
    for (json, path, message) in [
        (r#"{"timestamp":"2026-03-31"}"#, "timestamp", time),
        (r#"{"timestamp":1}"#, "timestamp", "must be a string"),
        (r#"{"timestamps":["2026-03-31T13:20:00Z",""]}"#, "timestamps[1]", time),
        (r#"{"duration":"1"}"#, "duration", duration),
        (r#"{"mask":"a__b"}"#, "mask", "a__b is not the path of a field"),
        (r#"{"date":"2026-02-29"}"#, "date", "must be a date such as 2026-03-31"),
        (r#"{"date":{"year":2026}}"#, "date", "must be a string"),
        (r#"{"structure":[]}"#, "structure", "must be an object"),
        (r#"{"list":{}}"#, "list", "must be a list"),
        (r#"{"structure":{"a":[1e999]}}"#, "structure[\"a\"][0]", "is a number that is too large"),
        (r#"{"anInt64":"x"}"#, "an_int64", "must be a whole number"),
        (r#"{"anInt64":{"value":1}}"#, "an_int64", "must be a number"),
        (r#"{"int64s":[null]}"#, "int64s[0]", "must not be null"),
        (r#"{"empty":[]}"#, "empty", "must be an object"),
        (r#"{"any":[]}"#, "any", "must be an object"),
        (r#"{"any":{"a":1}}"#, "any.@type", "is missing"),
        (r#"{"any":{"@type":1}}"#, "any.@type", "must be a string"),
        (r#"{"any":{"@type":"t/no.Such"}}"#, "any.@type", "t/no.Such is not a known type"),
        (r#"{"any":{"@type":"t/google.protobuf.Duration"}}"#, "any.value", "is missing"),
        (r#"{"any":{"@type":"t/google.protobuf.Duration","value":1}}"#, "any.value", "must be a string"),
        (r#"{"anys":[{},{"@type":"t/everything.v1.Scalars","aBool":1}]}"#, "anys[1].a_bool", "must be true or false"),
    ] {
        refused("WellKnown", json, InvalidValue, path, message);
    }
    refused("google.protobuf.StringValue", "null", InvalidValue, "", "must be a string");
}

#[test]
fn places_are_lines_and_characters() {
    let error =
        to_wire("Everything", "{\n \"many\": [\n  {\"scalars\": {\"aString\": \"é\", \"anInt32\": \"x\"}}]}", REFUSE)
            .expect_err("wrong");
    assert_eq!((error.line, error.column, error.path.as_str()), (3, 43, "many[0].scalars.an_int32"));
    assert_eq!(error.to_string(), "many[0].scalars.an_int32: must be a whole number");
}

#[test]
fn what_is_too_deep_among_unknown_keys() {
    let json = format!(r#"{{"x":{}1{}}}"#, "[".repeat(202), "]".repeat(202));
    assert_eq!(to_wire("Scalars", &json, IGNORE).expect_err("too deep").problem, TooDeep);
}
