//! Calls that need a fresh proof, calls that prove something, and notices of impersonation.

use super::{SHELVES, build};

/// The small domain with one part replaced.
fn with(from: &str, to: &str) -> Result<String, String> {
    assert!(SHELVES.contains(from), "{from}");
    build(&SHELVES.replacen(from, to, 1))
}

fn fails(from: &str, to: &str, expected: &str) {
    let error = with(from, to).unwrap_err();
    assert!(error.contains(expected), "expected {expected:?}, got {error:?}");
}

const LEND: &str = "{ realms: [REALM_USER] };\n    option (pavise.contract.v1.call) = { change: { action: \"LENT\" from: [\"IN\"] to: \"OUT\"";

const GET: &str = "{ realms: [REALM_USER, REALM_INTERNAL] permission: \"shelves.books.read\" };\n    option (pavise.contract.v1.call) = { get: {} }";
const COUNT: &str = "  // CountBooks counts.\n";
const COUNTS: &str = "{ public: true };\n    option (pavise.contract.v1.call) = { custom: { reads: true } }";

#[test]
fn a_fresh_proof_is_nobody_elses() {
    let lend = |rule: &str| LEND.replacen("[REALM_USER]", rule, 1);
    let code = with(LEND, &lend("[REALM_USER] fresh_proof: true impersonation: IMPERSONATION_DENY")).unwrap();
    assert!(code.split_whitespace().collect::<String>().contains("fresh_proof:true"));
    fails(
        LEND,
        &lend("[REALM_USER] fresh_proof: true"),
        "LendBook: access.fresh_proof needs IMPERSONATION_DENY, because nobody proves anything as another identity",
    );
    fails(
        LEND,
        &lend("[REALM_USER] fresh_proof: true impersonation: IMPERSONATION_NOTIFY"),
        "LendBook: access.fresh_proof needs IMPERSONATION_DENY, because nobody proves anything as another identity",
    );
    fails(
        "{ public: true };",
        "{ public: true fresh_proof: true impersonation: IMPERSONATION_DENY };",
        ": access.fresh_proof is not for a public call",
    );
}

#[test]
fn a_notice_of_impersonation_needs_an_entry() {
    fails(
        COUNTS,
        "{ public: true impersonation: IMPERSONATION_NOTIFY };\n    option (pavise.contract.v1.call) = { custom: { reads: true } }",
        "CountBooks: IMPERSONATION_NOTIFY needs a call that writes an entry, and this one reads",
    );
    fails(
        GET,
        &GET.replacen("] permission", "] impersonation: IMPERSONATION_NOTIFY permission", 1),
        "GetBook: IMPERSONATION_NOTIFY needs a call that writes an entry, and this one reads",
    );
    fails(
        COUNTS,
        "{ realms: [REALM_USER] impersonation: IMPERSONATION_NOTIFY };\n    option (pavise.contract.v1.call) = { custom: {} }",
        "CountBooks",
    );
}

/// The journal of the small domain, which has none.
const JOURNAL: &str = "  // ReadJournal answers the changes.
  rpc ReadJournal(pavise.common.v1.ReadJournalRequest) returns (pavise.common.v1.JournalPage) {
    option (google.api.http) = { get: \"/v1/books/journal\" };
    option (pavise.contract.v1.access) = { realms: [REALM_MACHINE] permission: \"shelves.books.journal\" };
    option (pavise.contract.v1.call) = { journal: {} };
  }
";

#[test]
fn of_what_is_in_no_journal_nobody_could_be_told() {
    let notice = LEND.replacen("[REALM_USER]", "[REALM_USER] impersonation: IMPERSONATION_NOTIFY", 1);
    fails(LEND, &notice, "IMPERSONATION_NOTIFY needs the entries of the service: add a journal call");
    assert!(SHELVES.contains(COUNT));
    let journalled = SHELVES.replacen(COUNT, &format!("{JOURNAL}{COUNT}"), 1);
    let code = build(&journalled.replacen(LEND, &notice, 1)).unwrap();
    let code = code.split_whitespace().collect::<String>();
    assert!(code.contains("SubjectNotice{worker:\"shelves.books_told\""), "the subject is told of each entry");
    assert!(code.contains("actions:&[\"LENT\"]"), "of those that the call writes");
    let without = build(&journalled).unwrap().split_whitespace().collect::<String>();
    assert!(without.contains("TOLD:&[::pavise_kernel::notify_subject::SubjectNotice]=&[];"), "of no other call");
    // A call about no entity writes into no journal that anybody could follow.
    let of_none = "{ realms: [REALM_USER] impersonation: IMPERSONATION_NOTIFY };\n    option (pavise.contract.v1.call) = { custom: { action: \"LENT\" } }";
    let error = build(&journalled.replacen(COUNTS, of_none, 1)).unwrap_err();
    assert!(error.contains("CountBooks: IMPERSONATION_NOTIFY needs an entity whose entries"), "{error}");
}

#[test]
fn a_secret_proves_something_or_says_why_not() {
    let count = "message CountBooksRequest {}";
    let secret = "message CountBooksRequest { Key key = 1; } message Key { string text = 1 [(pavise.contract.v1.field).secret = true]; }";
    let reads = "{ custom: { reads: true } };\n  }\n  // WatchBook streams";
    let said = |more: &str| {
        assert!(SHELVES.contains(reads));
        let reads_too =
            reads.replacen("{ custom: { reads: true } }", &format!("{{ custom: {{ reads: true }} {more} }}"), 1);
        SHELVES.replacen(reads, &reads_too, 1)
    };
    let of_secret = |more: &str| build(&said(more).replacen(count, secret, 1));
    let error = of_secret("").unwrap_err();
    assert!(
        error.contains(
            "CountBooks: its request has a secret: set `proves`, or write in `proves_nothing` why it proves nothing"
        ),
        "{error}"
    );
    let code = of_secret("proves: true").unwrap();
    assert!(code.split_whitespace().collect::<String>().contains("proves:true"));
    of_secret("proves_nothing: \"it is a new key\"").unwrap();
    let error = of_secret("proves: true proves_nothing: \"it is a new key\"").unwrap_err();
    assert!(error.contains("CountBooks: it has `proves` and `proves_nothing`: keep one of them"), "{error}");
    let error = build(&said("proves_nothing: \"there is none\"")).unwrap_err();
    assert!(error.contains("CountBooks: `proves_nothing` is for a request with a secret: leave it out"), "{error}");
    fails(
        "{ get: {} }",
        "{ get: {} proves: true }",
        "GetBook: `proves` needs Rust that checks the proof: set `edit` or `checks`, or leave it out",
    );
}

#[test]
fn people_prove_themselves_before_they_take_a_stream() {
    const READ: &str = "{ public: true };\n    option (pavise.contract.v1.call) = { custom: { unproved: \"Everybody may read books.\" reads: true stream: true } };";
    let stream = |rule: &str, why: &str| {
        READ.replacen("public: true", rule, 1).replacen("unproved: \"Everybody may read books.\" ", why, 1)
    };
    let needs = "ReadAloud: people who take a stream prove themselves first";
    for rule in ["public: true", "realms: [REALM_USER]", "realms: [REALM_INTERNAL, REALM_MACHINE] permission: \"read\""]
    {
        fails(READ, &stream(rule, ""), needs);
    }
    fails(READ, &stream("realms: [REALM_USER]", "unproved: \" \" "), needs);
    let proved = "realms: [REALM_USER] fresh_proof: true impersonation: IMPERSONATION_DENY";
    with(READ, &stream(proved, "")).unwrap();
    fails(READ, &stream(proved, "unproved: \"Why not?\" "), "ReadAloud: `unproved` is for a stream that people take");
}
