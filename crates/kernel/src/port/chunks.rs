//! Bytes that are never in memory as a whole.

use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;

use crate::error::Result;

/// The most bytes of a chunk.
pub const CHUNK: usize = 64 << 10;

/// Bytes in order, in pieces of any size.
pub type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>;
