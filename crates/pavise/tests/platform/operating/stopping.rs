//! The state that a stopped server leaves behind.

use crate::operating::{Server, printed, url};

#[test]
fn a_stopped_server_leaves_a_database_that_can_be_copied() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pavise.db");
    let server = Server::start(&database, &[]).ready();
    let verified = printed(&["journal", "verify", "--database", &url(&database)]);
    assert!(folder.path().join("pavise.db-wal").exists(), "looking into a database that is served takes nothing away");
    server.stop();
    let (status, said) = server.end();
    assert!(status.success(), "{said}");
    let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["pavise.db", "pavise.files", "pavise.key", "pavise.keys"]);
    let copy = folder.path().join("copy.db");
    std::fs::copy(&database, &copy).unwrap();
    assert_eq!(printed(&["journal", "verify", "--database", &url(&copy)]), verified);
    let entries = |line: &str| line.split_whitespace().nth(1).and_then(|count| count.parse::<u32>().ok());
    assert!(verified.lines().filter_map(entries).sum::<u32>() > 0, "{verified}");
    assert!(!folder.path().join("copy.db-wal").exists(), "the commands put things in order, too");
}
