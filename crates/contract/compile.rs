//! Compiles the protos of this repository without tools outside the build. This crate's own build script uses it, and
//! `pavise-contract-build` includes it by path.

#[path = "src/expand.rs"]
mod expand;

use std::error::Error;
use std::path::Path;

use protox::Compiler;
use protox::file::{ChainFileResolver, DescriptorSetFileResolver, GoogleFileResolver, IncludeFileResolver};

/// Compiles `files` (paths below `proto`) with their imports, and answers the encoded, expanded descriptor set, with or
/// without comments. The set stays encoded, because plain prost types would drop our options.
pub(crate) fn descriptor_set(proto: &Path, files: &[String], comments: bool) -> Result<Vec<u8>, Box<dyn Error>> {
    let validate = prost_protovalidate_types::DESCRIPTOR_POOL.encode_to_vec();
    let mut resolver = ChainFileResolver::new();
    resolver.add(IncludeFileResolver::new(proto.to_owned()));
    resolver.add(DescriptorSetFileResolver::decode(validate.as_slice())?);
    resolver.add(GoogleFileResolver::new());
    let mut compiler = Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(comments);
    // A file may come to import it when it is expanded.
    compiler.open_file("buf/validate/validate.proto").map_err(|error| format!("{error:?}"))?;
    for file in files {
        compiler.open_file(file).map_err(|error| format!("{error:?}"))?;
    }
    Ok(expand::expand(&compiler.encode_file_descriptor_set())?)
}

/// The `.proto` files below `proto/<folder>`, as paths below `proto`, sorted.
pub(crate) fn protos_in(proto: &Path, folder: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut folders = vec![proto.join(folder)];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).map_err(|error| format!("{}: {error}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto") {
                found.push(path.strip_prefix(proto)?.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    Ok(found)
}
