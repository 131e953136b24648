//! Names that are unique across services.

use super::{SHELVES, build};

/// The small domain with a title that is unique in a space of names.
fn shelves() -> String {
    let title = "{field: \"title\" unique: true fold: true unique_across: \"SITE_NAME\"}";
    let service = "option (pavise.contract.v1.service) = { name: \"books\" };";
    let shelves = SHELVES.replacen("{field: \"title\"}", title, 1);
    shelves.replacen(service, &format!("{service}\n{JOURNAL}"), 1)
}

/// The journal of books.
const JOURNAL: &str = r#"
  // ReadJournal answers entries.
  rpc ReadJournal(pavise.common.v1.ReadJournalRequest) returns (pavise.common.v1.JournalPage) {
    option (pavise.contract.v1.access) = { realms: [REALM_INTERNAL] permission: "shelves.books.journal" };
    option (pavise.contract.v1.call) = { journal: {} };
  }
"#;

fn fails(from: &str, to: &str, expected: &str) {
    let shelves = shelves();
    assert!(shelves.contains(from), "{from}");
    let error = build(&shelves.replacen(from, to, 1)).unwrap_err();
    assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
}

#[test]
fn a_name_is_read_from_its_field_and_followed_in_its_journal() {
    let code = build(&shelves()).unwrap().split_whitespace().collect::<String>();
    for expected in [
        "space:\"SITE_NAME\",..Lookup::PLAIN",
        "fnnames(&self)->Vec<(&'staticLookup,&str)>",
        "self.title.as_str()",
        "feed:feeds::BOOKS,read:&[::pavise_kernel::name_registry::follow_names::<",
        "named:NAMED,",
    ] {
        assert!(code.contains(expected), "{expected} is missing");
    }
    let plain = build(SHELVES).unwrap().split_whitespace().collect::<String>();
    assert!(
        plain.contains("NAMED:&[::pavise_kernel::name_registry::NameFollower]=&[];")
            && !plain.contains("fnnames(&self)")
    );
}

#[test]
fn a_name_is_one_unique_text_in_a_known_space() {
    let title = "{field: \"title\" unique: true fold: true unique_across: \"SITE_NAME\"}";
    let place = |problem: &str| format!("Book: the lookup {problem}");
    fails(
        title,
        "{field: \"title\" unique_across: \"SITE_NAME\"}",
        &place("title has `unique_across`, which needs `unique: true` and no `within`"),
    );
    fails(
        title,
        "{field: \"title\" unique: true within: [\"borrower\"] unique_across: \"SITE_NAME\"}",
        &place("title has `unique_across`, which needs `unique: true` and no `within`"),
    );
    fails(
        "{field: \"title\" unique: true fold: true unique_across: \"SITE_NAME\"}, {field: \"tags\" fold: true prefix: true}",
        "{field: \"title\"}, {field: \"tags\" unique: true unique_across: \"SITE_NAME\"}",
        &place("tags has `unique_across`, which needs a field with one text, without `prefix`"),
    );
    fails(
        title,
        "{field: \"title\" unique: true prefix: true unique_across: \"SITE_NAME\"}",
        &place("title has `unique_across`, which needs a field with one text, without `prefix`"),
    );
    fails(
        "\"SITE_NAME\"",
        "\"STREET_NAME\"",
        &place("title: unique_across is STREET_NAME, which is no value of NameSpace"),
    );
    fails(
        "{field: \"hash\" unique: true}",
        "{field: \"hash\" unique: true unique_across: \"SITE_NAME\"}",
        &place("title: another lookup of the aggregate has the unique_across SITE_NAME already"),
    );
    fails(JOURNAL, "", "BookService: its entities have lookups with `unique_across`: add a journal call");
}
