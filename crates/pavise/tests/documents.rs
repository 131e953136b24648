//! Documents that are made from the contract are current, and what people paste from the documents works.

use pavise_contract::Contract;

#[test]
fn the_page_of_errors_is_current() {
    let contract = Contract::read(&pavise::app::pool(true).unwrap()).unwrap();
    let page = pavise::contract::errors_page(&contract);
    assert!(page == include_str!("../../../docs/errors.md"), "docs/errors.md is not what the contract says: run scripts/documents");
    for reason in &contract.reasons {
        assert!(!reason.comment.is_empty() && !reason.example.is_empty(), "{}: a reason needs a comment and an example", reason.name);
    }
    println!("{} reasons documented", contract.reasons.len());
}

#[test]
fn the_readme_is_short_enough_to_read() {
    let lines = include_str!("../../../README.md").lines().count();
    assert!(lines <= 120, "the README has {lines} lines");
}
