//! The suite's protos, compiled.

use prost_reflect::DescriptorPool;

/// The messages and what they import.
#[cfg(feature = "random")]
const MESSAGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/messages.binpb"));
/// The service and what it imports, as other transcoders get it.
pub(crate) const SUITE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/suite.binpb"));
/// The same with the options that our facade reads.
pub(crate) const FACADE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/facade.binpb"));

/// The message of all calls that take their own.
#[cfg(feature = "random")]
pub(crate) const MESSAGE: &str = "transcoding.conformance.v1.Message";

/// The pool of messages alone.
#[cfg(feature = "random")]
pub(crate) fn messages() -> anyhow::Result<DescriptorPool> {
    Ok(DescriptorPool::decode(MESSAGES)?)
}

/// The pool of the service.
pub(crate) fn suite() -> anyhow::Result<DescriptorPool> {
    Ok(DescriptorPool::decode(SUITE)?)
}
