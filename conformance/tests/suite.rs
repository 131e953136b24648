//! Our facade before the suite's service, every case of it. The runner is the one that compares with others too.

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
}
