//! Entities that belong to nobody: the rule of an aggregate that a public call makes, and what does not build.

use super::{SHELVES, build};

const RULE: &str = r#"unowned: { days: 30 ended_by: "DropBook" }"#;
const DROP: &str = r#"  // DropBook removes a book that nobody claimed.
  rpc DropBook(DeleteBookRequest) returns (Book) {
    option (pavise.contract.v1.access) = { realms: [REALM_MACHINE] permission: "shelves.books.delete" };
    option (pavise.contract.v1.call) = { delete: { action: "DELETED" } };
  }
  // LoseBook says"#;

/// The contract in which visitors buy books, with this rule.
fn visited(rule: &str, changes: &[(&str, &str)]) -> Result<String, String> {
    let buy = "rpc BuyBook(BuyBookRequest) returns (Book) {\n    option (pavise.contract.v1.access) = { realms: [REALM_USER] };";
    assert!(SHELVES.contains(buy));
    let mut shelves = SHELVES
        .replacen(buy, &buy.replace("realms: [REALM_USER]", "public: true"), 1)
        .replacen("    consequences: true\n", &format!("    consequences: true\n    {rule}\n"), 1)
        .replacen("  // LoseBook says", DROP, 1);
    for (from, to) in changes {
        assert!(shelves.contains(from), "{from}");
        shelves = shelves.replacen(from, to, 1);
    }
    build(&shelves)
}

#[test]
fn what_a_public_call_makes_ends_without_an_owner() {
    let code = visited(RULE, &[]).unwrap().split_whitespace().collect::<String>();
    for expected in [
        r#"unowned:Some(::pavise_kernel::table::Unowned{days:30,ended_by:"/pavise.shelves.v1.BookService/DropBook""#,
        r#"::pavise_kernel::unowned::UnownedRule{worker:"shelves.books_unowned",domain:"shelves",table:&BOOK_TABLE,path:"/pavise.shelves.v1.BookService/DropBook",id:1"#,
    ] {
        assert!(code.contains(expected), "{expected} is missing in\n{code}");
    }
    let exempt = visited("unowned: { exempt: \"each is bought for somebody\" }", &[]).unwrap();
    assert!(exempt.split_whitespace().collect::<String>().contains("unowned:None"));
}

#[test]
fn a_wrong_rule_is_a_build_error_that_names_the_place() {
    let drop = r#"{ realms: [REALM_MACHINE] permission: "shelves.books.delete" }"#;
    let card = "rpc ListCards(ListCardsRequest) returns (ListCardsResponse) {\n    option (pavise.contract.v1.access) = { realms: [REALM_USER] };";
    for (rule, changes, expected) in [
        (
            "",
            vec![],
            "Book: the public call BuyBook makes one without an owner: say in `unowned` when it ends, or in `unowned.exempt` why it needs no rule",
        ),
        ("unowned: {}", vec![], "Book: unowned.days must be 1 to 365"),
        ("unowned: { days: 366 ended_by: \"DropBook\" }", vec![], "Book: unowned.days must be 1 to"),
        ("unowned: { days: 30 }", vec![], "Book: unowned.ended_by names , which is no call of the domain"),
        (
            "unowned: { days: 30 ended_by: \"BurnBook\" }",
            vec![],
            "Book: unowned.ended_by names BurnBook, which is no call of the domain",
        ),
        (
            "unowned: { days: 30 exempt: \"why\" }",
            vec![],
            "Book: `unowned` has `exempt` beside other fields: keep one of them",
        ),
        (
            "unowned: { days: 30 ended_by: \"DeleteBook\" }",
            vec![],
            "Book: DeleteBook ends entities without an owner, so it is a delete for realm Machine alone",
        ),
        (
            RULE,
            vec![(drop, "{ realms: [REALM_MACHINE, REALM_INTERNAL] permission: \"shelves.books.delete\" }")],
            "Book: DropBook ends entities without an owner, so it is a delete for realm Machine alone",
        ),
        (
            RULE,
            vec![(card, &*card.replace("realms: [REALM_USER]", "public: true"))],
            "Book: ListCards is public and answers several, but an entity without an owner is reached by its id alone",
        ),
    ] {
        let error = visited(rule, &changes).unwrap_err();
        assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
    }
    let shared = "consequences: true\n    unowned: { exempt: \"why\" }\n";
    let error = build(&SHELVES.replacen("consequences: true\n", &format!("shared: true {shared}"), 1)).unwrap_err();
    assert!(error.contains("Book: "), "{error}");
}
