//! A domain joins the platform as docs/adding-a-domain.md says, by its own folders, two lines of the workspace and the line
//! that registers it: a made-up one with two services is added to a copy of the repository, built and served. The build takes
//! minutes, so that it is part of the long run (PAVISE_LONG=1) only.

use std::path::Path;
use std::process::Command;

use super::{Server, url};

const MESH_SECRET: &str = "the mesh secret of this test";
/// The crates of the domain, above the first crate of the workspace.
const CRATES: &str = "[workspace.dependencies]\npavise-shelves = { path = \"crates/shelves\" }\n\
    pavise-shelves-client = { path = \"crates/shelves/client\" }\n";
/// The line that registers the domain, after the last one.
const REGISTERED: &str = "pavise-shelves.workspace = true\n\n[dev-dependencies]";

/// The output of a command, which must end well.
fn ran(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Copies the files that git knows below `from`, and those of the made-up domain, which have folders of their own.
fn copy(from: &Path, to: &Path) {
    let parts = ["Cargo.toml", "Cargo.lock", "benches", "conformance", "crates", "migrations", "proto"];
    let listed = ran(Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .args(parts)
        .current_dir(from));
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/platform/operating/new_domain");
    for file in listed.lines().filter(|file| from.join(file).is_file()) {
        place(&from.join(file), &to.join(file));
    }
    for file in ran(Command::new("find").args([".", "-type", "f"]).current_dir(&own)).lines() {
        assert!(!to.join(file).exists(), "{file} is no file of the domain's own");
        place(&own.join(file), &to.join(file));
    }
}

fn place(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::copy(from, to).unwrap();
}

/// Replaces the one place with that text in a file.
fn change(file: &Path, before: &str, after: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(before).count(), 1, "{}", file.display());
    std::fs::write(file, text.replace(before, after)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_is_added_by_its_own_folders_and_three_lines() {
    if std::env::var_os("PAVISE_LONG").is_none() {
        println!("left out: set PAVISE_LONG=1");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // The same place each time, so that a second run builds only what changed.
    let target = Path::new(env!("CARGO_BIN_EXE_pavise")).ancestors().nth(2).unwrap().join("new-domain");
    let tree = target.join("tree");
    let _ = std::fs::remove_dir_all(&tree);
    copy(&root, &tree);
    change(&tree.join("Cargo.toml"), "[workspace.dependencies]\n", CRATES);
    change(&tree.join("crates/pavise/Cargo.toml"), "\n[dev-dependencies]", REGISTERED);
    let built = ["build", "--offline", "--bin", "pavise", "--package", "pavise", "--package", "pavise-shelves-client"];
    ran(Command::new(env!("CARGO")).args(built).current_dir(&tree).env("CARGO_TARGET_DIR", target.join("target")));
    let program = target.join("target/debug/pavise");

    let folder = tempfile::tempdir().unwrap();
    let server = Server::of(&program, &folder.path().join("pavise.db"), &["--mesh-secret", MESH_SECRET]).ready();
    let mut token = Command::new(&program);
    token.env_clear().args(["token", "issue", "--mesh-secret", MESH_SECRET, "--permission", "*"]);
    let token = ran(&mut token);
    let client = pavise::wire::client_builder().build().unwrap();
    for (service, name) in [("books", "A book"), ("readers", "Ada")] {
        let at = format!("http://{}/v1/{service}", server.listen);
        let body = serde_json::json!({"name": name}).to_string();
        let made = client
            .post(&at)
            .bearer_auth(token.trim())
            .header("content-type", "application/json")
            .body(body)
            .send()
            .await
            .unwrap();
        let made: serde_json::Value = serde_json::from_str(&made.text().await.unwrap()).unwrap();
        let id = made["id"].as_str().unwrap_or_else(|| panic!("{made}"));
        let read = client.get(format!("{at}/{id}")).bearer_auth(token.trim()).send().await.unwrap();
        let read: serde_json::Value = serde_json::from_str(&read.text().await.unwrap()).unwrap();
        assert_eq!(read["name"], name);
    }
    let database = url(&folder.path().join("pavise.db"));
    let mut verify = Command::new(&program);
    let verified = ran(verify.env_clear().args(["journal", "verify", "--database", &database]));
    assert!(verified.contains("books") && verified.contains("readers"), "{verified}");
}
