//! Compiles the options and the shared messages.

#[path = "compile.rs"]
mod compile;
mod kinds;
#[path = "src/spelling.rs"]
#[expect(unreachable_pub, reason = "it is public in the crate that it belongs to")]
mod spelling;

use std::error::Error;
use std::path::PathBuf;

use prost_reflect::DescriptorPool;
use prost_reflect::prost::Message as _;

fn main() -> Result<(), Box<dyn Error>> {
    let proto = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../../proto");
    let mut files = Vec::new();
    for folder in ["google/api", "pavise/contract/v1", "pavise/common/v1"] {
        println!("cargo:rerun-if-changed={}", proto.join(folder).display());
        files.extend(compile::protos_in(&proto, folder)?);
    }
    let set = compile::descriptor_set(&proto, &files, true)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("contract.binpb"), &set)?;
    // Checked here, so that a bad set fails the build instead of the start of a server.
    let pool = DescriptorPool::decode(set.as_slice())?;
    let shared = pool.all_enums().filter(|one| one.package_name() == "pavise.common.v1" && one.name() != "ErrorReason");
    let shared: Vec<_> = shared.collect();
    shared.iter().try_for_each(spelling::check)?;
    let spellings: String =
        shared.iter().map(|one| spelling::code(one, &format!("common::v1::{}", one.name()))).collect();
    std::fs::write(out.join("spellings.rs"), spellings)?;
    std::fs::write(out.join("kinds.rs"), kinds::code(&pool)?)?;
    let plain = prost_types::FileDescriptorSet::decode(set.as_slice())?;
    let mut config = prost_build::Config::new();
    config.enable_type_names();
    // Rules are read at build time; no message of buf.validate exists at run time.
    config.extern_path(".buf.validate", "::prost_protovalidate::types");
    // The chunks of a file are passed on without a copy.
    config.bytes([".pavise.common.v1.ByteAnswer"]);
    config.include_file("protos.rs").compile_fds(plain)?;
    prost_protovalidate_build::Builder::new()
        .file_descriptor_set_path(out.join("contract.binpb"))?
        .fail_on_runtime_only(true)
        .compile()?;
    Ok(())
}
