//! Faults in reads of one entity.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "get",
        ("    option (pavise.contract.v1.call) = { get: {} };\n", ""),
        "GetBook: the behaviour is missing: declare one, or `custom`",
    ),
    ("part", ("part: \"cover\" statuses", "part: \"spine\" statuses"), "GetCover: Book has no field spine"),
    (
        "part",
        ("part: \"cover\" statuses", "part: \"title\" statuses"),
        "GetCover: the field title of Book is not of the answer's type Cover: name a field of that type in `part`",
    ),
    ("statuses", ("statuses: [\"IN\"]", "statuses: [\"ON\"]"), "GetCover: Book has no status ON"),
    (
        "aggregate",
        ("{ aggregate: \"Book\" optional", "{ aggregate: \"Books\" optional"),
        "GetCard: there is no aggregate pavise.shelves.v1.Books",
    ),
    (
        "aggregate",
        ("aggregate: \"Book\" optional: true", "optional: true"),
        "GetCard: the response is no aggregate: name the aggregate in `aggregate`",
    ),
    (
        "optional",
        ("optional: true", "optional: true statuses: [\"IN\"]"),
        "GetCard: the get has `optional` and `statuses`: keep one of them",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
