//! The page of measurements is made of the figures that are kept, and names the bars that are missed.

use std::path::Path;
use std::process::Command;

#[test]
fn the_page_says_what_was_measured() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report.py");
    let status = Command::new("python3").arg(file).status();
    assert!(status.is_ok_and(|status| status.success()), "tests/report.py");
}
