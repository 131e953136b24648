//! Bytes that a call takes or answers beside its messages: uploads, downloads.
//!
//! Neither is ever in memory as a whole. A chunk has at most [`CHUNK`] bytes, and few of them are read ahead.

pub(crate) mod download;
mod range;
mod serve_download;
mod serve_upload;
pub(crate) mod upload;

pub use crate::port::chunks::{CHUNK, Chunks};
pub use download::Download;
pub use serve_upload::pass_on;
pub use upload::{ChunkedRequest, Upload, UploadRule};
