//! Faults in ranges and orders.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "rise",
        ("rise: { lookup: \"lent_on\"", "rise: { lookup: \"title\""),
        "ListBooks: range.lookup is title, which is no lookup of Book with `rises`",
    ),
    (
        "from",
        ("from: \"from\" until", "from: \"title\" until"),
        "ListBooks: the request has no field title of the type of lent_on; a number must be optional",
    ),
    ("order", ("order: \"order\"", "order: \"title\""), "ListBooks: the request has no enumeration title"),
    ("rising", ("rising: \"FIRST\"", "rising: \"SIDEWAYS\""), "ListBooks: BookOrder has no value SIDEWAYS"),
    (
        "from",
        ("from: \"from\" until: \"until\" order: \"order\" rising: \"FIRST\" falling: \"LAST\"", ""),
        "ListBooks: rise names no request field: set `from`, `until` or `order`",
    ),
    (
        "filters",
        ("{ filters: [\"status\"] search", "{ filters: [\"status\"] rise: {lookup: \"lent_on\"} search"),
        "FindBooks: the list has `search` and `rise`: keep one, because a search has an order of its own",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
