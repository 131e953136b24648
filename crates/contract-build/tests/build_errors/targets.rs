//! Changes whose request names the status afterwards: their code, and what does not build.

use super::{SHELVES, build};

/// The contract with another option of LendBook, whose request names a status.
fn lend(option: &str) -> Result<String, String> {
    let request = "message LendBookRequest { string book_id = 1; string borrower = 2; }";
    assert!(SHELVES.contains(request));
    let shelves = SHELVES.replace(request, &request.replace(" }", " BookStatus status = 3; Side side = 4; }"));
    build(&shelves.replacen("from: [\"IN\"] to: \"OUT\" set: [\"borrower\"]", option, 1))
}

const LEND: &str = r#"to_field: "status" set: ["borrower"]
    steps: [{from: ["IN"] to: ["OUT", "LOST"]}, {from: ["OUT"] to: ["IN"] action: "DELETED"}]"#;

#[test]
fn the_request_names_the_status_and_the_steps_say_where_it_leads() {
    let code = lend(LEND).unwrap().split_whitespace().collect::<String>();
    for expected in [
        r#"ToStatus{status:request.status,actions:&[("OUT","IN","DELETED")],},&request.book_id"#,
        "entity.borrower=request.borrower.clone();entity.status=request.status;Ok(())",
        r#"from:&["IN","OUT"],to:&["IN","LOST","OUT"],steps:&[("IN","OUT"),("IN","LOST"),("OUT","IN")]"#,
        r#"action:"LENT",actions:&["DELETED"]"#,
    ] {
        let plain = |text: &str| text.replace(",]", "]").replace(",}", "}");
        assert!(plain(&code).contains(&plain(expected)), "{expected} is missing in\n{code}");
    }
}

#[test]
fn a_wrong_target_is_a_build_error_that_names_the_place() {
    for (from, to, expected) in [
        ("to_field: \"status\"", "to_field: \"side\"", "LendBook: the request has no status side of Book"),
        ("to_field: \"status\"", "to_field: \"statute\"", "LendBook: the request has no status statute of Book"),
        (
            "to_field: \"status\"",
            "to: \"OUT\" to_field: \"status\"",
            "LendBook: it has `to` and `to_field`: keep one of them",
        ),
        (
            "to_field: \"status\"",
            "edit: true",
            "LendBook: a step has an `action`, which is for a change with `to_field` only: leave it out",
        ),
        ("to: [\"OUT\", \"LOST\"]", "to: [\"GONE\"]", "LendBook: Book has no status GONE"),
        ("action: \"DELETED\"", "action: \"BURNT\"", "LendBook: BookAction has no action BURNT"),
        ("{from: [\"OUT\"]", "{", "LendBook: a step needs `from` and `to`: a change makes no entity and removes none"),
    ] {
        assert!(LEND.contains(from), "{from}");
        let error = lend(&LEND.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
    let error = lend("to_field: \"status\"").unwrap_err();
    assert!(
        error.contains("LendBook: `to_field` needs `steps`: name the pairs of statuses that the call leads between"),
        "{error:?}"
    );
}
