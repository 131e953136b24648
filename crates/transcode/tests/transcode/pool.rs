//! The pool of the tests: the contract's messages, and a proto with every kind of field.

use std::path::Path;

use prost_reflect::DescriptorPool;
use protox::file::{ChainFileResolver, DescriptorSetFileResolver, GoogleFileResolver, IncludeFileResolver};

pub(crate) fn contract() -> DescriptorPool {
    DescriptorPool::decode(pavise_contract::DESCRIPTORS).expect("the protos of the tests are right")
}

pub(crate) fn everything() -> DescriptorPool {
    let mut resolver = ChainFileResolver::new();
    resolver.add(IncludeFileResolver::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proto")));
    resolver.add(
        DescriptorSetFileResolver::decode(pavise_contract::DESCRIPTORS).expect("the protos of the tests are right"),
    );
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("everything.proto").expect("the protos of the tests are right");
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).expect("the protos of the tests are right")
}

/// Every proto of the platform.
pub(crate) fn platform() -> DescriptorPool {
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let mut resolver = ChainFileResolver::new();
    resolver.add(IncludeFileResolver::new(protos.clone()));
    resolver.add(DescriptorSetFileResolver::decode(pavise_contract::DESCRIPTORS).expect("the set is right"));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true);
    let mut folders = vec![protos.join("pavise")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto") {
                compiler
                    .open_file(path.strip_prefix(&protos).expect("it is in the folder"))
                    .expect("the proto is right");
            }
        }
    }
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).expect("the protos are right")
}
