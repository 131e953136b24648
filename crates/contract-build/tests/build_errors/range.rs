//! Faults in ranges and orders.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "rise",
        ("range: { lookup: \"lent_on\"", "range: { lookup: \"title\""),
        "ListBooks: range.lookup is title, which is no lookup of Book with `sortable`",
    ),
    (
        "from",
        ("from: \"from\" until", "from: \"title\" until"),
        "ListBooks: the request has no field title of the type of lent_on; a number must be optional",
    ),
    ("order", ("order: \"order\"", "order: \"title\""), "ListBooks: the request has no enumeration title"),
    ("rising", ("ascending: \"FIRST\"", "ascending: \"SIDEWAYS\""), "ListBooks: BookOrder has no value SIDEWAYS"),
    (
        "from",
        ("from: \"from\" until: \"until\" order: \"order\" ascending: \"FIRST\" descending: \"LAST\"", ""),
        "ListBooks: range names no request field: set `from`, `until` or `order`",
    ),
    (
        "filters",
        ("{ filters: [\"status\"] search", "{ filters: [\"status\"] range: {lookup: \"lent_on\"} search"),
        "FindBooks: the list has `search` and `range`: keep one, because a search has an order of its own",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
