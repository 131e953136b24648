//! Fields given as text.

use pavise_transcode::Problem::{self, InvalidValue, TooDeep, UnknownField};

use super::{PLAIN, schema, to_json};

#[track_caller]
fn given(name: &str, path: &str, text: &str, json: &str) {
    let mut wire = Vec::new();
    let path: Vec<_> = path.split('.').collect();
    schema(name).field_from_text(&path, text, &mut wire).expect("the text is right");
    assert_eq!(to_json(name, &wire, PLAIN).expect("the wire is right"), json);
}

#[track_caller]
fn refused(name: &str, path: &str, text: &str, problem: Problem, at: &str, message: &str) {
    let mut wire = b"before".to_vec();
    let path: Vec<_> = path.split('.').collect();
    let error = schema(name).field_from_text(&path, text, &mut wire).expect_err("the text is wrong");
    assert_eq!((error.problem, error.path.as_str(), error.message.as_str()), (problem, at, message));
    assert_eq!((error.line, error.column, wire.as_slice()), (0, 0, b"before".as_slice()));
}

#[test]
fn scalars() {
    given("Scalars", "an_int32", "-5", r#"{"anInt32":-5}"#);
    given("Scalars", "anInt32", "1e2", r#"{"anInt32":100}"#);
    given("Scalars", "an_int64", "9007199254740993", r#"{"anInt64":"9007199254740993"}"#);
    given("Scalars", "a_sint64", "-1", r#"{"aSint64":"-1"}"#);
    given("Scalars", "a_fixed32", "7", r#"{"aFixed32":7}"#);
    given("Scalars", "a_double", "NaN", r#"{"aDouble":"NaN"}"#);
    given("Scalars", "a_float", "0.1", r#"{"aFloat":0.1}"#);
    given("Scalars", "a_bool", "true", r#"{"aBool":true}"#);
    given("Scalars", "a_string", "a \"b\"", r#"{"aString":"a \"b\""}"#);
    given("Scalars", "some_bytes", "-_8", r#"{"someBytes":"+/8="}"#);
    for text in ["Light Blue", "COLOUR_LIGHT_BLUE", "2"] {
        given("Scalars", "colour", text, r#"{"colour":"Light Blue"}"#);
    }
    given("Optionals", "nothing", "null", r#"{"nothing":null}"#);
}

#[test]
fn messages_that_have_a_text_form() {
    given("WellKnown", "timestamp", "2026-03-31T13:20:00Z", r#"{"timestamp":"2026-03-31T13:20:00Z"}"#);
    given("WellKnown", "duration", "1.5s", r#"{"duration":"1.500s"}"#);
    given("WellKnown", "mask", "displayName,owner.user_id", r#"{"mask":"displayName,owner.userId"}"#);
    given("WellKnown", "mask", "", r#"{"mask":""}"#);
    given("WellKnown", "date", "2026-03-31", r#"{"date":"2026-03-31"}"#);
    given("WellKnown", "anInt64", "5", r#"{"anInt64":"5"}"#);
    given("WellKnown", "a_string", "", r#"{"aString":""}"#);
    given("WellKnown", "a_bool", "false", r#"{"aBool":false}"#);
    // A path may name a wrapper's only field.
    given("WellKnown", "an_int64.value", "5", r#"{"anInt64":"5"}"#);
}

#[test]
fn fields_in_fields() {
    given("Everything", "inner.well_known.date", "2026-03-31", r#"{"inner":{"wellKnown":{"date":"2026-03-31"}}}"#);
    given("Everything", "inner.wellKnown.date", "2026-03-31", r#"{"inner":{"wellKnown":{"date":"2026-03-31"}}}"#);
    let long = "x".repeat(500);
    given("Everything", "scalars.aString", &long, &format!(r#"{{"scalars":{{"aString":"{long}"}}}}"#));
}

#[test]
fn calls_add_up() {
    let mut wire = Vec::new();
    let schema = schema("Everything");
    for (path, text) in [
        (["lists", "strings"], "a"),
        (["scalars", "an_int32"], "1"),
        (["lists", "strings"], "b"),
        (["lists", "int32s"], "1"),
        (["lists", "int32s"], "0"),
        (["scalars", "a_bool"], "true"),
        // Zero overwrites, too.
        (["scalars", "an_int32"], "0"),
    ] {
        schema.field_from_text(&path, text, &mut wire).expect("right");
    }
    let json = to_json("Everything", &wire, PLAIN).expect("right");
    assert_eq!(json, r#"{"scalars":{"aBool":true},"lists":{"int32s":[1,0],"strings":["a","b"]}}"#);
}

#[test]
fn what_is_refused() {
    refused("Everything", "scalers.x", "1", UnknownField, "scalers", "scalers is not a field of Everything");
    refused("Everything", "scalars.x", "1", UnknownField, "scalars.x", "x is not a field of Scalars");
    refused(
        "Everything",
        "scalars.an_int32.x",
        "1",
        UnknownField,
        "scalars.an_int32.x",
        "an_int32 has no fields that could be given as text",
    );
    refused(
        "Everything",
        "many.scalars",
        "1",
        UnknownField,
        "many.scalars",
        "many has no fields that could be given as text",
    );
    refused(
        "WellKnown",
        "timestamp.seconds",
        "1",
        UnknownField,
        "timestamp.seconds",
        "timestamp has no fields that could be given as text",
    );
    for field in ["any", "structure", "value", "list", "empty"] {
        refused("WellKnown", field, "{}", InvalidValue, field, "cannot be given as text");
    }
    refused("Everything", "scalars", "{}", InvalidValue, "scalars", "cannot be given as text");
    refused("Maps", "by_string", "a", InvalidValue, "by_string", "cannot be given as text");
    refused("Scalars", "an_int32", "", InvalidValue, "an_int32", "must be a whole number");
    refused("Scalars", "a_bool", "1", InvalidValue, "a_bool", "must be true or false");
    refused("Scalars", "some_bytes", "*", InvalidValue, "some_bytes", "must be base64");
    refused("Scalars", "colour", "x", InvalidValue, "colour", "x is not one of RED, Light Blue, BELOW, FAR");
    refused("Scalars", "colour", "77", InvalidValue, "colour", "77 is not one of RED, Light Blue, BELOW, FAR");
    refused("WellKnown", "date", "tomorrow", InvalidValue, "date", "must be a date such as 2026-03-31");
    refused("WellKnown", "an_int64", "x", InvalidValue, "an_int64", "must be a whole number");
    let error = schema("Everything").field_from_text(&[], "x", &mut Vec::new()).expect_err("no path");
    assert_eq!(error.problem, UnknownField);
    let deep = vec!["inner"; 200];
    let error = schema("Everything").field_from_text(&deep, "x", &mut Vec::new()).expect_err("too deep");
    assert_eq!(error.problem, TooDeep);
}
