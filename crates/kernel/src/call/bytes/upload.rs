//! Files that a call takes: `upload` of the contract's `bytes`.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use futures::{StreamExt as _, stream};
use prost::encoding::{WireType, decode_key, decode_varint};
use sha2::{Digest, Sha256};
use tonic::Status;

use crate::call::messages::Messages;
use crate::error::{Common, Error, Result};
use crate::hex::to_hex;
use crate::port::chunks::{CHUNK, Chunks};

/// The time in which the next chunk has to come.
pub(super) const NEXT: Duration = Duration::from_secs(30);

/// The rule of an upload, as the contract has it.
#[derive(Debug, Clone, Copy)]
pub struct UploadRule {
    /// The number of the request's field with a chunk.
    pub chunk: u32,
    /// The most bytes of a file.
    pub most: u64,
    /// The content types that are taken; empty for any.
    pub types: &'static [&'static str],
}

/// The message of an upload's request. The generator implements it.
pub trait ChunkedRequest: Default {
    /// The rule of its call.
    const RULE: UploadRule;

    /// Takes the chunk out of the first message.
    fn take_chunk(&mut self) -> Vec<u8>;

    /// The content type that the sender names; `None` if the request has no field for it.
    fn content_type(&self) -> Option<&str>;
}

/// A file that arrives. Dropping it stops the caller.
pub struct Upload {
    messages: Messages<Bytes>,
    first: Bytes,
    rule: UploadRule,
    count: u64,
    digest: Option<Sha256>,
    content: Arc<OnceLock<String>>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Arriving,
    Complete,
    Broken,
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload").field("count", &self.count).field("state", &self.state).finish_non_exhaustive()
    }
}

impl Upload {
    /// The next bytes, at most [`CHUNK`]; `None` when the file is complete.
    ///
    /// # Errors
    /// `BODY_TOO_LARGE`, `DEADLINE_EXCEEDED`, and `MALFORMED_MESSAGE` when the file breaks off. A broken file never becomes
    /// a complete one.
    pub async fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        match self.state {
            State::Complete => return Ok(None),
            State::Broken => return Err(Error::internal("a broken upload is read")),
            State::Arriving => {}
        }
        let next = self.arriving().await;
        self.state = match &next {
            Ok(Some(_)) => State::Arriving,
            Ok(None) => State::Complete,
            Err(_) => State::Broken,
        };
        next
    }

    async fn arriving(&mut self) -> Result<Option<Bytes>> {
        let mut chunk = std::mem::take(&mut self.first);
        while chunk.is_empty() {
            let late = |_| Error::new(Common::DeadlineExceeded, "the next part of the file did not come in time");
            let next = tokio::time::timeout(NEXT, self.messages.next()).await.map_err(late)?;
            let Some(message) = next else {
                let digest = self.digest.take().map(|digest| to_hex(&digest.finalize()));
                let _ = self.content.set(digest.unwrap_or_default());
                return Ok(None);
            };
            let broken = |status: Status| broken_off(&status);
            chunk = chunk_of(message.map_err(broken)?, self.rule.chunk)?;
        }
        if chunk.len() > CHUNK {
            let why = format!("a chunk has {} bytes; {CHUNK} are the most", chunk.len());
            return Err(Error::new(Common::MalformedMessage, why));
        }
        self.count = self.count.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
        if self.count > self.rule.most {
            let most = self.rule.most;
            let why = format!("the file is larger than {most} bytes");
            return Err(Error::new(Common::BodyTooLarge, why).with("limit", most.to_string()));
        }
        if let Some(digest) = &mut self.digest {
            digest.update(&chunk);
        }
        Ok(Some(chunk))
    }

    /// The bytes that were read until now.
    #[must_use]
    pub fn received_bytes(&self) -> u64 {
        self.count
    }

    /// The file as a stream.
    #[must_use]
    pub fn into_chunks(self) -> Chunks {
        Box::pin(stream::try_unfold(self, |mut upload| async move {
            Ok(upload.next_chunk().await?.map(|chunk| (chunk, upload)))
        }))
    }

    /// Reads to the end, without keeping anything.
    async fn drain(mut self) -> Result<()> {
        while self.next_chunk().await?.is_some() {}
        Ok(())
    }
}

/// The place of a call's upload until the call takes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Incoming {
    upload: Arc<Mutex<Option<Upload>>>,
    content: Arc<OnceLock<String>>,
}

impl Incoming {
    /// The file whose first bytes came with the first message. Its content gets a digest if it is `hashed`.
    pub(super) fn new(first: Bytes, messages: Messages<Bytes>, rule: UploadRule, hashed: bool) -> Self {
        let incoming = Self::default();
        let upload = Upload {
            messages,
            first,
            rule,
            count: 0,
            digest: hashed.then(Sha256::new),
            content: Arc::clone(&incoming.content),
            state: State::Arriving,
        };
        *incoming.upload.lock().unwrap_or_else(PoisonError::into_inner) = Some(upload);
        incoming
    }

    /// Takes the upload, once.
    pub(crate) fn take(&self) -> Option<Upload> {
        self.upload.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The digest of the whole content, once it was read.
    pub(crate) fn content(&self) -> Option<&str> {
        self.content.get().map(String::as_str)
    }

    /// Reads what nobody else reads, so that its digest is known.
    pub(crate) async fn drain(&self) -> Result<()> {
        match self.take() {
            Some(upload) => upload.drain().await,
            None => Ok(()),
        }
    }
}

/// The chunk in a message after the first one.
fn chunk_of(message: Bytes, field: u32) -> Result<Bytes> {
    let wrong = || Error::new(Common::MalformedMessage, "a message after the first one has a chunk and nothing else");
    let mut left = message;
    if left.is_empty() {
        return Ok(left);
    }
    let (number, kind) = decode_key(&mut left).map_err(|_| wrong())?;
    let length = decode_varint(&mut left).ok().and_then(|length| usize::try_from(length).ok()).ok_or_else(wrong)?;
    if number != field || kind != WireType::LengthDelimited || left.remaining() != length {
        return Err(wrong());
    }
    Ok(left)
}

/// The error of a stream of messages that ended badly.
pub(super) fn broken_off(status: &Status) -> Error {
    if status.code() == tonic::Code::OutOfRange {
        let why = format!("a message is larger than a chunk of {CHUNK} bytes");
        return Error::new(Common::MalformedMessage, why).because(status.message());
    }
    Error::new(Common::MalformedMessage, "the file breaks off").because(status.message())
}
