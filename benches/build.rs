//! Generates the contract of the measured service: made-up protos beside the real ones that they import.

use std::error::Error;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use prost::Message as _;

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let protos = PathBuf::from(std::env::var("OUT_DIR")?).join("protos");
    std::fs::create_dir_all(protos.join("pavise"))?;
    for shared in ["google", "pavise/common", "pavise/contract"] {
        link(&here.join("../proto").join(shared), &protos.join(shared))?;
    }
    link(&here.join("proto/pavise/bench"), &protos.join("pavise/bench"))?;
    println!("cargo:rerun-if-changed=proto");
    pavise_contract_build::domain("bench").protos(protos).migrations(here.join("migrations")).generate()?;
    generate_plain_server()
}

/// Makes a link, where it is not there yet: one that is made anew would have Cargo build everything again.
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    match std::fs::read_link(at) {
        Ok(known) if known == to => Ok(()),
        Ok(_) => std::fs::remove_file(at).and_then(|()| symlink(to, at)),
        Err(_) => symlink(to, at),
    }
}

/// The trait of the service for the peer that tonic serves, with the messages of the measured one.
fn generate_plain_server() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let set = std::fs::read(out.join("descriptors.binpb"))?;
    let folder = out.join("plain");
    std::fs::create_dir_all(&folder)?;
    let mut config = prost_build::Config::new();
    config.extern_path(".pavise.bench.v1", "crate::contract::v1");
    config.extern_path(".pavise.common.v1", "::pavise_kernel::common::v1");
    config.extern_path(".pavise.contract.v1", "::pavise_contract::options::v1");
    config.extern_path(".google.api", "::pavise_contract::google::api");
    config.extern_path(".buf.validate", "::prost_protovalidate::types");
    let set = prost_types::FileDescriptorSet::decode(set.as_slice())?;
    let builder = tonic_prost_build::configure().build_client(false).build_transport(false).out_dir(folder);
    Ok(builder.compile_fds_with_config(set, config)?)
}
