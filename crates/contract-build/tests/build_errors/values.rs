//! Spellings that are read for a value and never written.

use super::{SHELVES, build};

const OUT: &str = "{ tone: TONE_BUSY words: \"Lent\" }]";

/// The contract with further spellings of OUT.
fn out(spellings: &str) -> Result<String, String> {
    assert!(SHELVES.contains(OUT));
    let read = OUT.replace("}]", &format!("}}, (pavise.contract.v1.also_read) = {spellings}]"));
    build(&SHELVES.replacen(OUT, &read, 1))
}

#[test]
fn a_further_spelling_is_read_and_not_written() {
    let code = out("\"LOANED\"").unwrap();
    assert_eq!(code.matches("\"LOANED\" => 2,").count(), 1, "{code}");
    assert!(code.contains("2 => \"OUT\","), "{code}");
    assert!(!code.contains("2 => \"LOANED\""), "{code}");
}

#[test]
fn a_spelling_that_means_a_value_already_does_not_build() {
    for (spelling, value) in
        [("\"IN\"", "BOOK_STATUS_OUT"), ("\"OUT\"", "BOOK_STATUS_OUT"), ("\"\"", "BOOK_STATUS_OUT")]
    {
        let error = out(spelling).unwrap_err();
        assert!(error.contains(value) && error.contains("also_read names"), "{error:?}");
    }
    let unspecified = SHELVES.replacen(
        "BOOK_STATUS_UNSPECIFIED = 0;",
        "BOOK_STATUS_UNSPECIFIED = 0 [(pavise.contract.v1.also_read) = \"NONE\"];",
        1,
    );
    let error = build(&unspecified).unwrap_err();
    assert!(error.contains("BOOK_STATUS_UNSPECIFIED: the unspecified value has no spelling"), "{error:?}");
}
