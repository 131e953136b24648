//! Compiles the contract as it is, and the made-up one that has calls of every kind: a form is among them.

#[path = "../crates/contract/compile.rs"]
mod compile;

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("..");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let proto = root.join("proto");
    println!("cargo:rerun-if-changed={}", proto.display());
    let files = compile::protos_in(&proto, "pavise")?;
    std::fs::write(out.join("contract.binpb"), compile::descriptor_set(&proto, &files, false)?)?;

    let shop = root.join("crates/rest/tests/proto/shop.proto");
    println!("cargo:rerun-if-changed={}", shop.display());
    std::fs::write(out.join("shop.binpb"), beside(&proto, &shop, &out)?)?;
    Ok(())
}

/// The descriptors of a proto that stands elsewhere than those that it imports.
fn beside(proto: &Path, one: &Path, out: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let folder = out.join("proto");
    for file in compile::protos_in(proto, "")? {
        let copy = folder.join(&file);
        std::fs::create_dir_all(copy.parent().ok_or("a file without a folder")?)?;
        std::fs::copy(proto.join(&file), copy)?;
    }
    std::fs::copy(one, folder.join("shop.proto"))?;
    compile::descriptor_set(&folder, &["shop.proto".to_owned()], false)
}
