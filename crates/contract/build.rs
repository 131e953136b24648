//! Compiles the options and the shared messages.

#[path = "compile.rs"]
mod compile;

use std::error::Error;
use std::path::Path;

use prost_reflect::DescriptorPool;
use prost_reflect::prost::Message as _;

fn main() -> Result<(), Box<dyn Error>> {
    let proto = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let mut files = Vec::new();
    for folder in ["google/api", "pavise/contract/v1", "pavise/common/v1"] {
        println!("cargo:rerun-if-changed={}", proto.join(folder).display());
        files.extend(compile::protos_in(&proto, folder)?);
    }
    let set = compile::descriptor_set(&proto, &files)?;
    let out = std::path::PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("contract.binpb"), &set)?;
    // Checked here so that a bad set fails the build and not the start of a server.
    DescriptorPool::decode(set.as_slice())?;
    let plain = prost_types::FileDescriptorSet::decode(set.as_slice())?;
    let mut config = prost_build::Config::new();
    config.enable_type_names();
    // Rules are read at build time; no message of buf.validate exists at run time.
    config.extern_path(".buf.validate", "::prost_protovalidate::types");
    config.include_file("protos.rs").compile_fds(plain)?;
    prost_protovalidate_build::Builder::new()
        .file_descriptor_set_path(out.join("contract.binpb"))?
        .fail_on_runtime_only(true)
        .compile()?;
    Ok(())
}
