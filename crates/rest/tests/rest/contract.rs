//! The platform's own contract.

use std::fmt::Write as _;
use std::path::Path;

use pavise_contract::Contract;
use pavise_kernel::peers::Peers;
use pavise_rest::Options;
use pavise_transcode::Transcoder;
use tower::ServiceExt;

use crate::scene::{ask, compiled};

/// A proto that imports every other.
fn everything() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let mut source = "syntax = \"proto3\";\n".to_owned();
    let mut folders = vec![root.join("pavise")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto") {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                writeln!(source, "import \"{name}\";").unwrap();
            }
        }
    }
    source
}

#[tokio::test]
async fn every_path_of_the_contract_is_served() {
    let pool = compiled(&everything());
    let contract = Contract::read(&pool).unwrap();
    let router = pavise_rest::facade(&pool, Transcoder::new(&pool), Peers::default(), Options::default()).unwrap();
    let mut served = 0;
    for (service, method) in contract.methods() {
        for binding in &method.bindings {
            let path = binding.path.replace(['{', '}'], "");
            let request = ask(binding.verb.as_str(), &path).host(&format!("{}.localhost", service.host)).request();
            let response = router.clone().oneshot(request).await.unwrap();
            let matched = response.extensions().get::<pavise_rest::Matched>().map(|matched| matched.0.to_string());
            assert_eq!(matched, Some(format!("{} {}", binding.verb.as_str(), binding.path)));
            served += 1;
        }
    }
    assert!(served > 0);
}
