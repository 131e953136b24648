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
    resolver.add(DescriptorSetFileResolver::decode(pavise_contract::DESCRIPTORS).expect("the protos of the tests are right"));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("everything.proto").expect("the protos of the tests are right");
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).expect("the protos of the tests are right")
}
