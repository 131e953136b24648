//! Rate limits of a contract: the rate limits that a call has in any case, and what does not build.

use super::{Fault, SHELVES, build, expect_errors};

const LOSE: &str = "  rpc LoseBook(LoseBookRequest) returns (Book) {\n    option (pavise.contract.v1.access) = { realms: [REALM_USER] };";

/// The end of what the call LoseBook does.
const DOES: &str = "{from: [\"OUT\"] to: [\"IN\"]}] reasons: [\"BOOK_BURNT\"] }";

/// The small domain with another access rule and further parts of the call LoseBook.
fn lose(access: &str, more: &str) -> Result<String, String> {
    assert!(SHELVES.contains(LOSE) && SHELVES.contains(DOES));
    let shelves = SHELVES.replace(LOSE, &LOSE.replace(MEMBERS, access)).replace(DOES, &format!("{DOES} {more}"));
    build(&shelves.replace(
        "message LoseBookRequest { string book_id = 1; }",
        "message LoseBookRequest { string book_id = 1; string email = 2; Cover cover = 3; repeated string tags = 4; }",
    ))
}

/// The rate limits of LoseBook.
fn rate_limits(access: &str, more: &str) -> Vec<(String, u32, u32)> {
    let code = lose(access, more).unwrap();
    let rule = code.split("rpc: \"LoseBook\"").nth(1).unwrap();
    let rule = rule.split("rate_limit: &[").nth(1).unwrap().split(']').next().unwrap().to_owned();
    let number = |text: &str, name: &str| {
        let digits: String = text.split(name).nth(1).unwrap().chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap()
    };
    let rate_limit = |text: &str| {
        let per = text.split("RateLimitScope::").nth(1).unwrap().split(',').next().unwrap().to_owned();
        (per, number(text, "count: "), number(text, "seconds: "))
    };
    rule.split("RateLimit {").skip(1).map(rate_limit).collect()
}

fn list(expected: &[(&str, u32, u32)]) -> Vec<(String, u32, u32)> {
    expected.iter().map(|(per, count, seconds)| ((*per).to_owned(), *count, *seconds)).collect()
}

const MEMBERS: &str = "{ realms: [REALM_USER] }";
const PUBLIC: &str = "{ public: true }";

#[test]
fn calls_of_three_kinds_have_paces_in_any_case() {
    assert_eq!(rate_limits(MEMBERS, ""), []);
    assert_eq!(rate_limits(PUBLIC, ""), list(&[("Caller", 600, 600), ("Address", 3_000, 3_600)]));
    assert_eq!(rate_limits(MEMBERS, "tells: true"), list(&[("Caller", 60, 600), ("Address", 1_200, 3_600)]));
    let sends = list(&[("Caller", 60, 3_600), ("Address", 1_200, 3_600), ("Recipient", 20, 3_600)]);
    assert_eq!(rate_limits(MEMBERS, "sends: { to: [\"email\", \"cover.colour\"] }"), sends);
    assert_eq!(rate_limits(MEMBERS, "sends: { owner: true }"), sends);
    assert_eq!(rate_limits(MEMBERS, "sends: { unnamed: \"It goes to many.\" }"), sends[..2]);
    assert_eq!(rate_limits(PUBLIC, "sends: { to: \"email\" }"), sends, "the slowest of each");
}

#[test]
fn a_stated_rate_limit_stands_for_its_own_kind() {
    let stated = "rate_limit: { per: RATE_LIMIT_SCOPE_CALLER count: 7 seconds: 60 }";
    assert_eq!(rate_limits(PUBLIC, stated), list(&[("Caller", 7, 60), ("Address", 3_000, 3_600)]));
    let none = lose(PUBLIC, "rate_limit: { per: RATE_LIMIT_SCOPE_ADDRESS }").unwrap_err();
    assert!(
        none.ends_with(
            "LoseBook: a rate limit is incomplete: set `per`, a `count` above zero, and `seconds` of at most a day"
        ),
        "{none}"
    );
}

#[test]
fn a_write_of_a_value_by_which_people_are_known_tells() {
    // The unique lookup `hash` is personal data here.
    let with_hash = |access: &str| {
        let request = "message LoseBookRequest { string book_id = 1; string email = 2;";
        let shelves = SHELVES.replace("hash = 10 [", "hash = 10 [(pavise.contract.v1.field).pii = true, ");
        let shelves = shelves.replace(
            "message LoseBookRequest { string book_id = 1;",
            "message LoseBookRequest { string book_id = 1; string new_hash = 2;",
        );
        assert!(!shelves.contains(request));
        let code = build(&shelves.replace(LOSE, &LOSE.replace(MEMBERS, access))).unwrap();
        let code = code.split_whitespace().collect::<String>();
        let rule = code.split("rpc:\"LoseBook\"").nth(1).unwrap().split("sends:").next().unwrap();
        rule.contains("count:60,seconds:600")
    };
    assert!(with_hash(MEMBERS));
    assert!(!with_hash("{ realms: [REALM_MACHINE] permission: \"shelves.books.write\" }"), "programs are not asked");
}

#[test]
fn a_message_has_a_recipient() {
    let fails = |more: &str, end: &str| {
        let error = lose(MEMBERS, more).unwrap_err();
        assert!(error.ends_with(end), "{error}");
    };
    let one = "LoseBook: `sends` needs exactly one of `to`, `owner` and `unnamed`";
    fails("sends: {}", one);
    fails("sends: { to: \"email\" owner: true }", one);
    fails("sends: { to: \"nobody\" }", "LoseBook: sends.to names nobody, which is no text field of the request");
    fails("sends: { to: \"cover\" }", "LoseBook: sends.to names cover, which is no text field of the request");
    fails(
        "sends: { to: \"cover.size\" }",
        "LoseBook: sends.to names cover.size, which is no text field of the request",
    );
    fails(
        "rate_limit: { per: RATE_LIMIT_SCOPE_RECIPIENT count: 1 seconds: 60 }",
        "LoseBook: a rate limit per recipient needs the recipient: name it in `sends`",
    );
    let code = lose(MEMBERS, "sends: { to: [\"email\", \"tags\", \"cover.colour\"] }").unwrap();
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code.contains("fn recipient(&self) -> ::pavise_kernel::Recipient<'_>"), "{code}");
    assert!(code.contains("sends: true"), "{code}");
}

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "count",
        ("count: 9 seconds", "seconds"),
        "FindBooks: a rate limit is incomplete: set `per`, a `count` above zero, and `seconds` of at most a day",
    ),
    (
        "seconds",
        ("seconds: 60", "seconds: 86401"),
        "FindBooks: a rate limit is incomplete: set `per`, a `count` above zero, and `seconds` of at most a day",
    ),
    (
        "per",
        ("per: RATE_LIMIT_SCOPE_ADDRESS count", "count"),
        "FindBooks: a rate limit is incomplete: set `per`, a `count` above zero, and `seconds` of at most a day",
    ),
    (
        "per",
        ("per: RATE_LIMIT_SCOPE_ADDRESS", "per: RATE_LIMIT_SCOPE_OWNER"),
        "FindBooks: a rate limit per owner needs the owner's field: name it in `access.owner`",
    ),
    (
        "rate_limit",
        (
            "rate_limit: { per: RATE_LIMIT_SCOPE_ADDRESS count: 9 seconds: 60 }",
            "rate_limit: [{ per: RATE_LIMIT_SCOPE_CALLER count: 9 seconds: 60 }, { per: RATE_LIMIT_SCOPE_CALLER count: 9 seconds: 5 }]",
        ),
        "FindBooks: two rate limits have the same `per`: keep one of them",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
