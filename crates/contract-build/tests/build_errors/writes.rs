//! Numbers, lookups within other fields, siblings, and trees.

use super::{SHELVES, build};

/// The small domain with a number, a title that is unique within a borrower, and siblings.
fn shelves() -> String {
    let lookups =
        "{field: \"title\" unique: true within: [\"borrower\", \"status\"]}, {field: \"number\" unique: true}";
    let said =
        "number: {field: \"number\" series: \"{borrower}-{status}-{yy}/{yyyy}-\" width: 6} siblings: \"borrower\"";
    let field = "string number = 40 [(pavise.contract.v1.field).output_only = true];";
    SHELVES
        .replacen("{field: \"title\"}", lookups, 1)
        .replacen("    consequences: true\n", &format!("    consequences: true {said}\n"), 1)
        .replacen("  bool favourite = 13;\n", &format!("  bool favourite = 13; {field}\n"), 1)
}

fn fails(from: &str, to: &str, expected: &str) {
    let shelves = shelves();
    assert!(shelves.contains(from), "{from}");
    let error = build(&shelves.replacen(from, to, 1)).unwrap_err();
    assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
}

#[test]
fn a_number_names_its_field_and_its_series() {
    let code = build(&shelves()).unwrap().split_whitespace().collect::<String>();
    for expected in [
        "fnnumbering(&mutself,at:::pavise_kernel::time::Micros",
        "series.push_str(&self.borrower);series.push_str(\"-\");series.push_str(self.status().spelling());",
        "field:&mutself.number,series,width:6",
    ] {
        assert!(code.contains(expected), "{expected} is missing");
    }
    fails(
        "number: {field: \"number\"",
        "number: {field: \"tags\"",
        "Book: number.field names \"tags\", which is no text field of it",
    );
    fails(
        "string number = 40 [(pavise.contract.v1.field).output_only = true]",
        "string number = 40",
        "Book: the number number is given by the commit: make the field `output_only`",
    );
    fails(
        "{field: \"number\" unique: true}",
        "{field: \"number\"}",
        "Book: the number number is no unique lookup: add `{field unique: true}` to the lookups",
    );
    fails("width: 6", "width: 0", "Book: a number has 1 to 18 digits, not 0");
    fails("{borrower}-", "{reader}-", "Book: number.series names reader, which is no text or enumeration of it");
    fails("{yy}/", "{yy/", "Book: number.series names yy/{yyyy, which is no text");
}

#[test]
fn a_value_is_unique_within_other_fields() {
    let code = build(&shelves()).unwrap().split_whitespace().collect::<String>();
    let within =
        "within:&[Lookup{name:\"borrower\",json:\"borrower\",blank:true,..Lookup::PLAIN},Lookup{name:\"status\"";
    assert!(code.contains(within), "{within} is missing");
    let title = "{field: \"title\" unique: true";
    fails(title, "{field: \"title\"", "Book: the lookup title has `within` and is not unique: set `unique: true`");
    fails(
        title,
        "{field: \"title\" prefix: true unique: true",
        "Book: the lookup title has `within` and several values or a prefix",
    );
    fails(
        "[\"borrower\", \"status\"]",
        "[\"tags\"]",
        "Book: the lookup title: within names tags, which is no text or enumeration field",
    );
    fails("[\"borrower\", \"status\"]", "[\"title\"]", "Book: the lookup title names title twice");
}

#[test]
fn siblings_are_found_by_a_lookup() {
    let code = build(&shelves()).unwrap().split_whitespace().collect::<String>();
    assert!(code.contains("Some((\"borrower\",self.borrower.as_str()))"), "{code}");
    build(&shelves().replacen("siblings: \"borrower\"", "siblings: \"owner_id\"", 1)).unwrap();
    let problem = |name| format!("Book: siblings names {name}, which is no lookup with one text, and not owner_id");
    fails("siblings: \"borrower\"", "siblings: \"tags\"", &problem("tags"));
    fails("siblings: \"borrower\"", "siblings: \"title\"", &problem("title"));
}

#[test]
fn a_tree_names_the_entity_above() {
    let with = |tree: &str| {
        let said = format!("    consequences: true tree: {{{tree}}}");
        build(&shelves().replacen("    consequences: true", &said, 1))
    };
    let code = with("field: \"borrower\" depth: 5").unwrap().split_whitespace().collect::<String>();
    assert!(code.contains("field:\"borrower\",above:&self.borrower,depth:5"), "no place");
    for (tree, expected) in [
        ("field: \"tags\" depth: 5", "Book: tree names \"tags\", which is no plain lookup of one text"),
        ("field: \"title\" depth: 5", "Book: tree names \"title\", which is no plain lookup of one text"),
        ("depth: 5", "Book: tree names \"\", which is no plain lookup of one text"),
        ("field: \"borrower\"", "Book: a tree has a depth of 2 to 100, not 0"),
        ("field: \"borrower\" depth: 101", "Book: a tree has a depth of 2 to 100, not 101"),
    ] {
        let error = with(tree).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}

#[test]
fn a_call_of_the_callers_own_names_an_owner_only_if_they_are_the_owner() {
    let with = |access: &str| {
        let rule = "{ realms: [REALM_USER] owner: \"identity_id\" };\n    option (pavise.contract.v1.call) = { create";
        let other = rule.replacen("[REALM_USER] owner: \"identity_id\"", access, 1);
        assert!(shelves().contains(rule));
        build(&shelves().replacen(rule, &other, 1))
    };
    with("[REALM_USER, REALM_INTERNAL] owner: \"identity_id\" own: true owner_only: true").unwrap();
    for access in [
        "[REALM_USER, REALM_INTERNAL] owner: \"identity_id\" own: true",
        "[REALM_USER, REALM_INTERNAL] owner: \"identity_id\" own: true owner_only: true permission: \"write\"",
    ] {
        let error = with(access).unwrap_err();
        assert!(error.contains("CreateBook: access.own is not for a rule with `public`, `permission`, `scopes`, or `owner` without `owner_only`: leave these out"), "{error}");
    }
}

#[test]
fn a_creation_changes_what_is_there() {
    let create = |text: &str| {
        let with = format!("create: {{ action: \"CREATED\" {text} }}");
        build(&shelves().replacen("create: { action: \"CREATED\" }", &with, 1).replacen(
            "message CreateBookRequest {",
            "message CreateBookRequest { string borrower = 9; string book_id = 10;",
            1,
        ))
    };
    let code = |text: &str| create(text).unwrap().split_whitespace().collect::<String>();
    let upsert = code("upsert: {lookup: \"title\" action: \"LENT\" set: [\"borrower\"]}");
    let expected = "\"title\",\"LENT\",|entity|{entity.borrower=request.borrower.clone();Ok(())";
    assert!(upsert.contains(expected), "{upsert}");
    assert!(upsert.contains("actions:&[\"LENT\"]"), "{upsert}");
    assert!(code("upsert: {lookup: \"title\"}").contains("\"title\",\"CREATED\",|_entity|{Ok(())"));
    let given = code("id: \"book_id\" upsert: {lookup: \"id\"}");
    assert!(given.contains("call.check_given_id(\"book_id\",&request.book_id)?;request.book_id.clone()"), "{given}");
    let optional = code("id: \"book_id\"");
    assert!(optional.contains("if!request.book_id.is_empty(){call.check_given_id("), "{optional}");
    assert!(code("one_per_owner: true").contains("id:call.owner().to_owned(),"));
    for (text, expected) in [
        ("upsert: {lookup: \"borrower\"}", "CreateBook: upsert names \"borrower\", which is no unique lookup"),
        ("upsert: {lookup: \"id\"}", "CreateBook: upsert names \"id\", which is no unique lookup"),
        (
            "upsert: {lookup: \"title\" action: \"LENT\"}",
            "CreateBook: an upsert sets fields and names its journal action",
        ),
        ("upsert: {lookup: \"title\" set: [\"borrower\"]}", "CreateBook: an upsert sets fields and names its journal"),
        ("upsert: {lookup: \"title\" action: \"LENT\" set: [\"title\"]}", "CreateBook: title is immutable"),
        (
            "upsert: {lookup: \"title\" action: \"BURNT\" set: [\"borrower\"]}",
            "CreateBook: BookAction has no action BURNT",
        ),
        ("id: \"spine\"", "CreateBook: the request has no text field spine for the id"),
        ("one_per_owner: true id: \"book_id\"", "CreateBook: one per owner has the id of the owner"),
    ] {
        let error = create(text).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
}
