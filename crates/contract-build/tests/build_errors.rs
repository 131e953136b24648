//! A wrong contract does not build, and the error names the place and the problem.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "build_errors/access.rs"]
mod access;
#[path = "build_errors/aggregate.rs"]
mod aggregate;
#[path = "build_errors/batch.rs"]
mod batch;
#[path = "build_errors/bytes.rs"]
mod bytes;
#[path = "build_errors/change.rs"]
mod change;
#[path = "build_errors/children.rs"]
mod children;
#[path = "build_errors/confined.rs"]
mod confined;
#[path = "build_errors/create.rs"]
mod create;
#[path = "build_errors/custom.rs"]
mod custom;
#[path = "build_errors/display.rs"]
mod display;
#[path = "build_errors/erasure.rs"]
mod erasure;
#[path = "build_errors/formats.rs"]
mod formats;
#[path = "build_errors/generated.rs"]
mod generated;
#[path = "build_errors/get.rs"]
mod get;
#[path = "build_errors/indexes.rs"]
mod indexes;
#[path = "build_errors/items.rs"]
mod items;
#[path = "build_errors/list.rs"]
mod list;
#[path = "build_errors/names.rs"]
mod names;
#[path = "build_errors/owned_entity.rs"]
mod owned_entity;
#[path = "build_errors/proofs.rs"]
mod proofs;
#[path = "build_errors/range.rs"]
mod range;
#[path = "build_errors/rate_limits.rs"]
mod rate_limits;
#[path = "build_errors/refusal.rs"]
mod refusal;
#[path = "build_errors/scopes.rs"]
mod scopes;
#[path = "build_errors/sealed.rs"]
mod sealed;
#[path = "build_errors/search.rs"]
mod search;
#[path = "build_errors/seen.rs"]
mod seen;
#[path = "build_errors/setters.rs"]
mod setters;
#[path = "build_errors/sortable.rs"]
mod sortable;
#[path = "build_errors/targets.rs"]
mod targets;
#[path = "build_errors/unowned.rs"]
mod unowned;
#[path = "build_errors/values.rs"]
mod values;
#[path = "build_errors/watch.rs"]
mod watch;
#[path = "build_errors/withheld.rs"]
mod withheld;
#[path = "build_errors/writes.rs"]
mod writes;

use std::fs;
use std::path::Path;

/// A small correct domain; each fault breaks one line of it.
const SHELVES: &str = include_str!("build_errors/shelves.proto");

/// A fault of a contract: the option that it is about, a text of the right contract and its replacement, and a part of
/// the error.
type Fault = (&'static str, (&'static str, &'static str), &'static str);

/// Expects each fault to be an error with that text.
fn expect_errors(faults: &[Fault]) {
    let mut wrong = Vec::new();
    for (option, (right, fault), expected) in faults {
        assert!(SHELVES.contains(right), "{option}: the contract has no {right}");
        match build(&SHELVES.replacen(right, fault, 1)) {
            Ok(_) => wrong.push(format!("{option}: {fault:?} builds, expected {expected:?}")),
            Err(error) if !error.contains(expected) => {
                wrong.push(format!("{option}: expected {expected:?}, got {error:?}"))
            }
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} faults refused", faults.len());
}

fn build(proto: &str) -> Result<String, String> {
    build_files(&[("book.proto", proto)])
}

fn build_files(files: &[(&str, &str)]) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    for shared in ["google/api", "pavise/contract/v1", "pavise/common/v1"] {
        let to = folder.path().join("proto").join(shared);
        fs::create_dir_all(&to).unwrap();
        for file in fs::read_dir(root.join(shared)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
    let own = folder.path().join("proto/pavise/shelves/v1");
    fs::create_dir_all(&own).unwrap();
    for (name, proto) in files {
        fs::write(own.join(name), proto).unwrap();
    }
    let out = folder.path().join("out");
    fs::create_dir_all(&out).unwrap();
    let builder = pavise_contract_build::domain("shelves")
        .protos(folder.path().join("proto"))
        .migrations(folder.path())
        .out(&out);
    builder.generate().map_err(|error| error.to_string())?;
    Ok(fs::read_to_string(out.join("contract.rs")).unwrap())
}

/// The test that adds this domain to the platform builds for minutes, and so runs seldom.
#[test]
fn the_domain_that_a_platform_test_adds_is_right() {
    const BOOKS: &str =
        include_str!("../../pavise/tests/platform/operating/new_domain/proto/pavise/shelves/v1/book_service.proto");
    const READERS: &str =
        include_str!("../../pavise/tests/platform/operating/new_domain/proto/pavise/shelves/v1/reader_service.proto");
    build_files(&[("book_service.proto", BOOKS), ("reader_service.proto", READERS)]).unwrap();
}
