//! Generates the contract of the measured service: made-up protos beside the real ones that they import.

use std::error::Error;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let protos = PathBuf::from(std::env::var("OUT_DIR")?).join("protos");
    if protos.exists() {
        std::fs::remove_dir_all(&protos)?;
    }
    std::fs::create_dir_all(protos.join("pavise"))?;
    for shared in ["google", "pavise/common", "pavise/contract"] {
        symlink(here.join("../proto").join(shared), protos.join(shared))?;
    }
    symlink(here.join("proto/pavise/bench"), protos.join("pavise/bench"))?;
    println!("cargo:rerun-if-changed=proto");
    pavise_contract_build::domain("bench").protos(protos).migrations(here.join("migrations")).generate()
}
