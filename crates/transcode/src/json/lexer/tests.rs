use super::*;

fn string(json: &str) -> Option<String> {
    let mut lexer = Lexer::new(json.as_bytes()).unwrap();
    let text = lexer.string().and_then(|quoted| quoted.text().map(Cow::into_owned)).ok()?;
    lexer.end().ok().map(|()| text)
}

#[test]
fn the_first_special_byte_is_found_wherever_it_is() {
    for length in 0..40 {
        let plain = vec![b'a'; length];
        assert_eq!(first_special(&plain), None);
        for at in 0..length {
            for byte in 0..=255_u8 {
                let mut text = plain.clone();
                text[at] = byte;
                // The following byte must not matter.
                if at + 1 < length {
                    text[at + 1] = b'"';
                }
                let special = byte < 0x20 || byte == b'"' || byte == b'\\';
                let expected = if special { Some(at) } else { (at + 1 < length).then_some(at + 1) };
                assert_eq!(first_special(&text), expected, "{text:?}");
            }
        }
    }
}

#[test]
fn strings_are_unescaped() {
    let cases = [
        (r#""""#, ""),
        (r#""plain""#, "plain"),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""\u0041\u00e9\u20AC""#, "Aé€"),
        (r#""\ud83e\udd80!""#, "🦀!"),
        (r#""\\u0041""#, "\\u0041"),
        (r#""ends with \\""#, "ends with \\"),
        (r#""\u0000""#, "\0"),
    ];
    for (json, text) in cases {
        assert_eq!(string(json).as_deref(), Some(text), "{json}");
    }
}

#[test]
fn strings_that_are_none_are_refused() {
    let cases = [
        "\"",
        "\"open",
        "\"open\\\"",
        "\"\\",
        r#""\x""#,
        r#""\u12""#,
        r#""\u12g4""#,
        r#""\u+123""#,
        r#""\ud83e""#,
        r#""\ud83e ""#,
        r#""\ud83eA""#,
        r#""\ud83e\u0041""#,
        r#""\udd80\ud83e""#,
        r#""\udd80""#,
        "\"\n\"",
        "\"\u{1f}\"",
        "\"\\é\"",
    ];
    for json in cases {
        assert_eq!(string(json), None, "{json}");
    }
}

#[test]
fn any_value_can_be_passed_over() {
    let cases = [
        "0",
        " true ",
        "null",
        "[]",
        "{}",
        r#"{"a":[1,2,{"b":{}},[]],"c":"\n"}"#,
        "[ [ ] , { } , [ { \"a\" : [ -1.5e3 ] } ] ]",
    ];
    for json in cases {
        let mut lexer = Lexer::new(json.as_bytes()).unwrap();
        lexer.skip(0).unwrap();
        lexer.end().unwrap();
    }
    for json in [
        "",
        "[",
        "[1,]",
        "{1:2}",
        "{\"a\"}",
        "{\"a\":}",
        "[1}",
        "{\"a\":1]",
        "nul",
        "tru",
        "01x",
        "[1 2]",
        "\"\\x\"",
        "{\"\\x\":1}",
    ] {
        let mut lexer = Lexer::new(json.as_bytes()).unwrap();
        assert!(lexer.skip(0).and_then(|()| lexer.end()).is_err(), "{json}");
    }
}

#[test]
fn passing_over_has_a_depth_limit() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let skip = |json: String, depth| Lexer::new(json.as_bytes()).unwrap().skip(depth);
    assert!(skip(nested(201), 0).is_ok());
    assert!(skip(nested(202), 0).is_err());
    assert!(skip(nested(3), 99).is_ok());
    assert!(skip(nested(4), 99).is_err());
    assert!(skip(nested(1), 100).is_ok());
    assert!(skip("[".repeat(1_000_000), 0).is_err());
}
