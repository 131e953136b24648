//! Faults in the rules of a merge.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "on_merge",
        ("    on_merge:", "    //"),
        "Book: `on_merge` is missing: say whether a merge of two identities moves it or keeps it",
    ),
    (
        "on_merge",
        ("    on_merge:", "    shared: true on_merge:"),
        "Book: it is shared and belongs to no identity: leave `on_merge` out",
    ),
    (
        "on_merge",
        ("on_merge: { move: \"GiveBook\"", "on_merge: { erasable: true move: \"GiveBook\""),
        "Book: on_merge: `erasable` is for entities with `in_use`: leave it out",
    ),
    (
        "on_merge",
        ("on_merge: { move: \"GiveBook\"", "on_merge: { keep: \"it is lent\""),
        "Book: on_merge: `keep` stands alone: leave all other fields out",
    ),
    (
        "held",
        ("on_merge: { move: \"GiveBook\"", "on_merge: { held: \"favourite\" in_use: [\"OUT\"] move: \"GiveBook\""),
        "Book: on_merge: `held` says what is in use: leave `in_use` out",
    ),
    (
        "held",
        ("on_merge: { move: \"GiveBook\"", "on_merge: { held: \"borrower\" move: \"GiveBook\""),
        "Book: on_merge: Book has no bool \"borrower\"",
    ),
    (
        "on_merge",
        ("on_merge: { move: \"GiveBook\"", "on_merge: {"),
        "Book: on_merge: the outcome is missing: set `keep`, `move` or `custom`",
    ),
    ("move", ("move: \"GiveBook\"", "move: \"BuyBook\""), "Book: on_merge: BuyBookRequest has no field \"book_id\""),
    ("move", ("move: \"GiveBook\"", "move: \"GetCard\""), "Book: on_merge: the access of GetCard names no owner"),
    ("move", ("move: \"GiveBook\"", "waits: [\"BUSY\"] move: \"GiveBook\""), "Book: on_merge: there is no reason BUSY"),
    (
        "list",
        ("list: \"ListBooks\" statuses", "list: \"ListShelves\" statuses"),
        "Book: on_merge: the service books has no call \"ListShelves\"",
    ),
    (
        "owned_entity",
        ("[\"IN\", \"OUT\"] processor", "[\"GONE\"] processor"),
        "Book: on_merge: there is no status GONE",
    ),
    (
        "item_id",
        ("[\"IN\", \"OUT\"] processor", "[\"IN\"] item_id: \"number\" processor"),
        "Book: on_merge: Book has no field \"number\"",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
