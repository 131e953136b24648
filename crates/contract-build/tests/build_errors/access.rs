//! Faults in access rules and permissions.

use super::{Fault, SHELVES, build, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "public",
        ("    option (pavise.contract.v1.access) = { public: true };\n", ""),
        "CountBooks: the access rule is missing: say who may call it",
    ),
    (
        "aggregate",
        ("aggregate: \"Book\" id: \"book_id\"", "aggregate: \"Book\" owned: true"),
        "WatchBook: a watch of one owner needs an access rule that names the owner",
    ),
    (
        "access",
        ("shelves.books.read", "shelves.book.read"),
        "GetBook: the domain shelves has no permission shelves.book.read: add it to `permissions` of its service",
    ),
    (
        "access",
        ("shelves.books.read", "shelves.books.raed"),
        "GetBook: the domain shelves has no permission shelves.books.raed: add it to `permissions` of its service",
    ),
    (
        "access",
        ("shelves.books.read", "books.books.read"),
        "GetBook: the domain shelves has no permission books.books.read: add it to `permissions` of its service",
    ),
    (
        "realms",
        (
            "{ realms: [REALM_USER] };\n    option (pavise.contract.v1.call) = { change: { action: \"LENT\" from",
            "{ realms: [REALM_USER] owner_only: true };\n    option (pavise.contract.v1.call) = { change: { action: \"LENT\" from",
        ),
        "LendBook: access.owner_only needs `owner`, and no `public`",
    ),
    (
        "permission",
        ("permission: \"shelves.books.read\"", ""),
        "GetBook: realms Internal, Machine and Partner need a permission: set `access.permission`",
    ),
    (
        "owner",
        (
            "owner: \"identity_id\" };\n    option (pavise.contract.v1.call) = { create",
            "owner: \"who\" };\n    option (pavise.contract.v1.call) = { create",
        ),
        "CreateBook: access.owner names who, which is no text field of the request",
    ),
    (
        "views",
        ("views: [{role: \"BINDER\"}", "views: [{role: \"READER\"}"),
        "PickBooks: the access rule has no role READER: declare it in `access.roles`",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}

#[test]
fn a_permission_that_a_service_mentions_can_be_asked_for() {
    let mentioned = SHELVES.replace("{ name: \"books\" }", "{ name: \"books\" permissions: [\"cards.stamp\"] }");
    build(&mentioned.replace("shelves.books.read", "shelves.cards.stamp")).unwrap();
    assert!(build(&SHELVES.replace("shelves.books.read", "shelves.cards.stamp")).is_err());
}
