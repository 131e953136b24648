//! Every case of the suite against our facade before the suite's service, by the runner that compares with others
//! too.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::process::Command;

#[test]
fn our_facade_passes_every_case() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = Command::new("python3")
        .arg(here.join("run"))
        .args(["--binary", env!("CARGO_BIN_EXE_pavise-conformance")])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{printed}\n{}", String::from_utf8_lossy(&run.stderr));
    println!("{printed}");

    let page = std::fs::read_to_string(here.join("../docs/rest.md")).unwrap();
    let (told, found) = (told(&page), found(&printed));
    assert!(found.len() > 10, "there is no table in what was printed:\n{printed}");
    assert_eq!(told, found, "docs/rest.md has other numbers than these: conformance/run --against all --write");
}

/// The subject, the number of cases, and how many of them our facade passes.
type Row = Vec<String>;

/// The rows of the page's table.
fn told(page: &str) -> Vec<Row> {
    let (_, table) = page.split_once("<!-- conformance: begin -->").unwrap();
    let rows = table.trim_start().lines().take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|line| cells(line.split('|').skip(1).take(3))).collect()
}

/// The rows of the table that the runner prints first: two spaces and more stand between its columns.
fn found(printed: &str) -> Vec<Row> {
    let rows = printed.lines().take_while(|line| !line.is_empty()).skip(1);
    rows.map(|line| cells(line.split("  ").filter(|cell| !cell.trim().is_empty()))).collect()
}

fn cells<'a>(row: impl Iterator<Item = &'a str>) -> Row {
    row.map(|cell| cell.trim().to_owned()).collect()
}
