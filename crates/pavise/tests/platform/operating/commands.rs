//! The output of the commands, with and without a reader.

use std::fs::OpenOptions;
use std::process::Stdio;

use pavise::{domains, engine, journal};

use crate::operating::{printed, program, url};

/// The epochs of all journals.
async fn epochs(database: &str) -> Vec<String> {
    let (store, _) = engine::look(database, &domains::migrations(&domains::every())).await.unwrap();
    let mut epochs = Vec::new();
    for journal in journal::journals() {
        epochs.push(store.head(journal).await.unwrap().epoch);
    }
    engine::close(&store).await;
    epochs
}

/// The standard error of the program when its output has no reader; the program must succeed.
fn unread(arguments: &[&str]) -> String {
    let mut child = program().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn every_journal_has_its_new_epoch_though_nobody_reads_on() {
    let folder = tempfile::tempdir().unwrap();
    let database = url(&folder.path().join("pavise.db"));
    printed(&["migrate", "--database", &database]);
    let before = epochs(&database).await;
    assert_eq!(unread(&["journal", "renew-epoch", "--database", &database]), "");
    let after = epochs(&database).await;
    assert!(
        before.len() > 10 && before.iter().zip(&after).all(|(before, after)| before != after),
        "{before:?} {after:?}"
    );
    for arguments in [
        &["journal", "verify", "--database", &database][..],
        &["journal", "max-clock", "orders", "--database", &database],
        &["workers", "list", "--json", "--database", &database],
        &["token", "issue", "--mesh-secret", "a secret that is long enough"],
        &["migrate", "--database", &database],
        &["contract", "calls"],
    ] {
        let said = unread(arguments);
        assert!(!said.contains("panicked") && !said.contains("pipe"), "{arguments:?}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_on_postgres_needs_no_secret() {
    let database = pavise_testkit::postgres::make_database().await.unwrap();
    for _ in 0..2 {
        let said = printed(&["migrate", "--database", &database]);
        assert!(said.contains("are up to date"), "{said}");
    }
}

#[test]
fn half_an_answer_is_a_failure() {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program().args(["contract", "calls"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("standard output cannot be written"), "{said}");
}

#[test]
fn usage_says_what_must_be_named() {
    for command in ["tail", "max-clock"] {
        let usage = printed(&["journal", command, "--help"]);
        assert!(usage.contains("<SERVICE>") && !usage.contains("[SERVICE]"), "{usage}");
    }
    for command in ["verify", "renew-epoch"] {
        let usage = printed(&["journal", command, "--help"]);
        assert!(usage.contains("[SERVICE]") && usage.contains("All without one"), "{usage}");
    }
    for command in ["openapi", "pages", "breaking"] {
        let usage = printed(&["contract", command, "--help"]);
        assert!(!usage.contains("--format"), "{usage}");
    }
    for command in ["calls", "enums", "permissions", "lifecycles", "reasons"] {
        let list: serde_json::Value =
            serde_json::from_str(&printed(&["contract", command, "--format", "json"])).unwrap();
        assert!(list.as_array().is_some_and(|list| !list.is_empty()), "{command}");
    }
}
