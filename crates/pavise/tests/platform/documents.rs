//! Documents that are made from the contract are current, and what people paste from the documents works.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use pavise_contract::Contract;

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_port() -> std::io::Result<u16> {
    TcpListener::bind("127.0.0.1:0")?.local_addr().map(|address| address.port())
}

#[test]
fn the_pages_made_from_the_contract_are_current() {
    let pool = pavise::domains::pool(true).unwrap();
    let contract = Contract::read(&pool).unwrap();
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
    for (name, page) in pavise::pages::all(&pool, &contract) {
        let committed = std::fs::read_to_string(docs.join(&name)).unwrap_or_default();
        assert!(page == committed, "docs/{name} is not what the contract says: run scripts/documents");
    }
    for reason in &contract.reasons {
        assert!(
            !reason.comment.is_empty() && !reason.example.is_empty(),
            "{}: a reason needs a comment and an example",
            reason.name
        );
    }
    println!("{} reasons documented", contract.reasons.len());
}

/// docs/contract-changes.md names each loosened or dropped part of the contract since its release, and nothing else.
#[test]
fn no_change_of_the_contract_is_silent() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let breaking = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pavise"));
        command.args(["contract", "breaking"]).args(more).current_dir(root).output().unwrap()
    };
    let said = breaking(&[]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let forgiven = breaking(&["--forgive", "--notes", "/dev/null"]);
    assert!(forgiven.status.success(), "{}", String::from_utf8_lossy(&forgiven.stderr));
    assert_eq!(forgiven.stdout, said.stdout);
    assert_eq!(breaking(&["--notes", "/dev/null"]).status.success(), said.stdout.is_empty());
}

/// Every setting that an error names is one of `pavise serve`, and so stands in docs/configuration.md.
#[test]
fn every_setting_that_an_error_names_exists() {
    let command = <pavise::settings::Given as clap::Args>::augment_args(clap::Command::new("serve"));
    let known: BTreeSet<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
    let mut named = BTreeSet::new();
    for folder in ["billing", "catalog", "fulfillment", "identity", "kernel", "messaging", "orders", "pavise"] {
        let source =
            rust_below(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(folder).join("src")).unwrap();
        for rest in source.split(".with(\"setting\",").skip(1) {
            let value = rest.split(')').next().unwrap_or_default().trim();
            named.extend(literals(value));
            let constant = format!("const {value}: &str =");
            named.extend(
                source.split(&constant).skip(1).flat_map(|rest| literals(rest.split(';').next().unwrap_or(rest))),
            );
        }
        // A channel without a provider answers the setting that it lacks.
        for rest in source.split("fn find_provider(&self, channel:").skip(1) {
            named.extend(literals(rest.split("\n    }").next().unwrap_or_default()));
        }
    }
    for expected in ["test-vendor", "public-url", "smtp-url"] {
        assert!(named.contains(expected), "{expected} is named by an error: {named:?}");
    }
    let unknown: Vec<&String> = named.iter().filter(|name| !known.contains(name.as_str())).collect();
    assert!(unknown.is_empty(), "errors name settings that there are not: {unknown:?}");
}

/// The texts in quotes.
fn literals(code: &str) -> impl Iterator<Item = String> {
    code.split('"').skip(1).step_by(2).map(str::to_owned)
}

/// All Rust code below a folder, as one text.
fn rust_below(folder: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            text.push_str(&rust_below(&path)?);
        } else if path.extension().is_some_and(|end| end == "rs") {
            text.push_str(&std::fs::read_to_string(&path)?);
        }
    }
    Ok(text)
}

#[test]
fn the_readme_is_short_enough_to_read() {
    let lines = include_str!("../../../../README.md").lines().count();
    assert!(lines <= 120, "the README has {lines} lines");
}

#[test]
fn the_sale_in_the_readme_works_as_it_is_pasted() {
    let folder = tempfile::tempdir().unwrap();
    let (port, admin) = (free_port().unwrap(), free_port().unwrap());
    let server = Command::new(env!("CARGO_BIN_EXE_pavise"))
        .args(["serve", "--demo-data", "--demo-members", "0"])
        .args(["--listen", &format!("127.0.0.1:{port}"), "--admin-listen", &format!("127.0.0.1:{admin}")])
        .args(["--database", &format!("sqlite://{}", folder.path().join("readme.db").display())])
        .stderr(Stdio::null())
        .spawn();
    let _server = Server(server.unwrap());
    let readme = include_str!("../../../../README.md");
    let (_, block) = readme.split_once("```sh\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let api = format!("http://127.0.0.1:{port}");
    let ready = format!(
        "until curl -sf {api}/v1/brands/pavise/offers | grep -q 20000000-0000-4000-8000-000000000001; do sleep 0.1; done\n"
    );
    let script = Command::new("timeout")
        .args(["300", "bash", "-euo", "pipefail", "-c", &format!("{ready}{block}")])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .env("PAVISE", &api)
        .output()
        .unwrap();
    let (out, error) = (String::from_utf8_lossy(&script.stdout), String::from_utf8_lossy(&script.stderr));
    assert!(script.status.success(), "{out}\n{error}");
    for expected in ["\"valid\":true", "\"valid\": true", "PROCESSING", "PROVISIONED", "\"status\":\"ACTIVE\""] {
        assert!(out.contains(expected), "{expected} is missing in\n{out}\n{error}");
    }
}
