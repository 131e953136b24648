//! A server that cannot show its certificate does not say that it is ready.

use std::path::{Path, PathBuf};

use crate::operating::Server;

/// A certificate and its key, in files of that name.
fn certify(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (cert, key) = (folder.join(format!("{name}.pem")), folder.join(format!("{name}.key")));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    (cert, key)
}

#[test]
fn what_cannot_be_shown_ends_the_start_with_its_cause() {
    let folder = tempfile::tempdir().unwrap();
    let ((cert, key), (_, strange)) = (certify(folder.path(), "ours"), certify(folder.path(), "other"));
    let nothing = folder.path().join("nothing.pem");
    let database = folder.path().join("pavise.db");
    for (cert, key, client_ca, named) in [
        (&nothing, &key, None, "nothing.pem"),
        (&cert, &nothing, None, "nothing.pem"),
        (&cert, &strange, None, "ours.pem"),
        (&cert, &key, Some(&nothing), "nothing.pem"),
    ] {
        let mut more = vec!["--tls-cert", cert.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
        if let Some(authority) = client_ca {
            more.extend(["--tls-client-ca", authority.to_str().unwrap()]);
        }
        let (status, said) = Server::start(&database, &more).end();
        assert_eq!(status.code(), Some(1), "{said}");
        assert!(said.contains(named) && said.contains("--tls-cert"), "{said}");
        assert!(!said.contains("ready") && !said.contains("Pavise serves"), "{said}");
        assert!(!database.exists(), "nothing was touched");
    }
    let well = ["--tls-cert", cert.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    drop(Server::start(&database, &well).ready());
}
