//! Files that a call answers: `download` of the contract's `bytes`.

use std::fmt;
use std::ops::Range;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{Stream, StreamExt as _, stream};
use pavise_contract::common::v1::{ByteAnswer, ByteHead};
use prost_types::Timestamp;

use super::range::{FilePart, RangeConditions};
use crate::error::{Error, Result};
use crate::port::chunks::{CHUNK, Chunks};
use crate::port::files::{Files, StoredFile};

/// Opens a part of a file.
type Open = Box<dyn FnOnce(Range<u64>) -> BoxFuture<'static, Result<Chunks>> + Send>;

/// An answer of bytes.
pub struct Download {
    content_type: String,
    file_name: String,
    inline: bool,
    modified_at: Option<Timestamp>,
    source: Source,
}

enum Source {
    /// A file that exists: its size, its digest, and the way to open a part of it.
    Kept(u64, String, Open),
    /// A file that is made while it is sent.
    Made(Chunks),
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").field("content_type", &self.content_type).finish_non_exhaustive()
    }
}

impl Download {
    /// A file that is made while it is sent.
    #[must_use]
    pub fn generated_file(content_type: impl Into<String>, file_name: impl Into<String>, chunks: Chunks) -> Self {
        Self::of(content_type.into(), file_name.into(), Source::Made(chunks))
    }

    /// A file that exists, with its size and the digest of its content. `open` answers the bytes of a part.
    #[must_use]
    pub fn stored_file<F, Fut>(
        content_type: impl Into<String>,
        file_name: impl Into<String>,
        (size, digest): (u64, String),
        open: F,
    ) -> Self
    where
        F: FnOnce(Range<u64>) -> Fut + Send + 'static,
        Fut: Future<Output = Result<Chunks>> + Send + 'static,
    {
        let open: Open = Box::new(move |range| Box::pin(open(range)));
        Self::of(content_type.into(), file_name.into(), Source::Kept(size, digest, open))
    }

    fn of(content_type: String, file_name: String, source: Source) -> Self {
        Self { content_type, file_name, inline: false, modified_at: None, source }
    }

    /// Lets a browser show the file.
    #[must_use]
    pub fn shown_inline(self) -> Self {
        Self { inline: true, ..self }
    }

    /// Says when the file was stored.
    #[must_use]
    pub fn modified_at(self, at: Option<Timestamp>) -> Self {
        Self { modified_at: at, ..self }
    }

    /// The messages of the answer.
    pub(crate) async fn answer(
        self,
        conditions: RangeConditions,
    ) -> Result<impl Stream<Item = Result<ByteAnswer>> + Send + 'static> {
        let mut head = ByteHead {
            content_type: self.content_type,
            file_name: self.file_name,
            inline: self.inline,
            modified_at: self.modified_at,
            ..ByteHead::default()
        };
        let chunks = match self.source {
            Source::Made(chunks) => chunks,
            Source::Kept(size, digest, open) => {
                let part = conditions.choose_part(size, &digest)?;
                head.size = i64::try_from(size).ok();
                head.etag = digest;
                let range = match part {
                    FilePart::NotModified => {
                        head.not_modified = true;
                        0..0
                    }
                    FilePart::Whole => 0..size,
                    FilePart::Range(range) => range,
                };
                let length = range.end.saturating_sub(range.start);
                head.offset = i64::try_from(range.start).map_err(Error::internal)?;
                head.length = i64::try_from(length).ok().filter(|_| !head.not_modified);
                if length == 0 { Box::pin(stream::empty()) } else { exactly(length, open(range).await?) }
            }
        };
        let head = ByteAnswer { head: Some(head), ..ByteAnswer::default() };
        Ok(stream::iter([Ok(head)]).chain(pieces(chunks)))
    }
}

impl Files {
    /// A stored file as the answer of a call.
    #[must_use]
    pub fn download_file(&self, file: StoredFile, content_type: &str, file_name: &str) -> Download {
        let files = self.clone();
        let open = move |range| async move { files.file_store().read(&file.key, range).await };
        Download::stored_file(content_type, file_name, (file.size, file.sha256), open)
    }
}

/// Fails where a file does not have the length that its record says. A caller would take what came for the file.
fn exactly(length: u64, chunks: Chunks) -> Chunks {
    Box::pin(async_stream::try_stream! {
        let mut left = length;
        for await chunk in chunks {
            let chunk = chunk?;
            left = left
                .checked_sub(u64::try_from(chunk.len()).unwrap_or(u64::MAX))
                .ok_or_else(|| Error::internal("a file is longer than its record says"))?;
            yield chunk;
        }
        if left > 0 {
            Err(Error::internal("a file is shorter than its record says"))?;
        }
    })
}

/// The chunks as messages, none of which is larger than [`CHUNK`].
fn pieces(chunks: Chunks) -> impl Stream<Item = Result<ByteAnswer>> + Send + 'static {
    chunks.flat_map(|chunk| {
        let all = match chunk {
            Ok(chunk) => {
                let mut rest = chunk;
                let mut all: Vec<Result<Bytes>> = Vec::with_capacity(rest.len() / CHUNK + 1);
                while rest.len() > CHUNK {
                    all.push(Ok(rest.split_to(CHUNK)));
                }
                all.push(Ok(rest));
                all
            }
            Err(error) => vec![Err(error)],
        };
        stream::iter(all.into_iter().map(|chunk| Ok(ByteAnswer { head: None, chunk: chunk? })))
    })
}

#[cfg(test)]
mod tests;
