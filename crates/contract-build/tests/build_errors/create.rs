//! Faults in creations.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[(
    "create",
    ("message CreateBookRequest {", "message CreateBookRequest { string hash = 9;"),
    "CreateBook: the request has hash, which is set by the service only: leave it out",
)];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
