//! Answers calls that take a file.

use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt as _;
use http::{HeaderMap, HeaderName, HeaderValue};
use pavise_contract::table::Method;
use prost_protovalidate::Validate;
use tonic::{Request, Response, Status};

use super::upload::{ChunkedRequest, Incoming, NEXT, broken_off};
use crate::call::Call;
use crate::call::messages::Messages;
use crate::call::patience;
use crate::call::peers::Once;
use crate::call::refusal_log::log;
use crate::call::trace_context;
use crate::entity::aggregate::{Redact, Target};
use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::port::files::{FileKey, Files, StoredFile};

/// The time in which an upload has to end.
const WHOLE: Duration = Duration::from_secs(3600);
/// The caller's own limit of time.
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

impl Kernel {
    /// Answers a call that takes a file. `run` does the call's own part; it takes the file from [`Call::upload`].
    ///
    /// # Errors
    /// The answer of a refused or failed call.
    pub async fn serve_upload<Q, S, F, Fut>(
        &self,
        method: &'static Method,
        request: Request<Messages<Bytes>>,
        run: F,
    ) -> Result<Response<S>, Status>
    where
        Q: ChunkedRequest + prost::Message + Validate + Target + Redact + Clone,
        S: prost::Message + Redact + Default,
        F: FnOnce(Call, Q) -> Fut + Send,
        Fut: Future<Output = Result<S>> + Send,
    {
        let (mut metadata, extensions, messages) = request.into_parts();
        wait(metadata.as_mut());
        let hashed = metadata.as_ref().contains_key("idempotency-key");
        match first::<Q>(messages, hashed).await {
            Ok((fields, incoming)) => {
                let request = Request::from_parts(metadata, extensions, fields);
                // Only callers who may make the call learn what it takes.
                let checked = |call: Call, request: Q| async move {
                    check_type(&request)?;
                    run(call, request).await
                };
                self.serve_with(method, request, Some(incoming), checked).await
            }
            Err(error) => {
                let trace_id = trace_context::named_by(metadata.as_ref()).unwrap_or_default();
                log(method, &error, trace_id);
                Err(error.into_status(method.service, trace_id))
            }
        }
    }
}

impl Call {
    /// Stores the file that the caller sends as a new file of an entity, whose record the call commits afterwards. A call
    /// that only validates stores nothing.
    ///
    /// # Errors
    /// The refusal of the file, and UNAVAILABLE.
    pub async fn store_upload(&self, folder: &str, id: &str) -> Result<StoredFile> {
        let key = FileKey::of_entity(folder, id, &self.new_id())?;
        let chunks = self.take_upload()?.into_chunks();
        if self.validate_only() {
            return Files::measure_file(key, chunks).await;
        }
        self.find_provided::<Files>()?.put_file(key, chunks).await
    }
}

/// Prepares a request with an upload for another process: it has its time, and is sent once.
pub fn pass_on<B>(request: &mut http::Request<B>) {
    wait(request.headers_mut());
    request.extensions_mut().insert(Once);
}

/// Gives an upload its time, where the caller names no deadline.
fn wait(headers: &mut HeaderMap) {
    if !headers.contains_key(&TIMEOUT) {
        patience::extend_time(WHOLE);
        headers.insert(TIMEOUT, HeaderValue::from_static("1H"));
    }
}

/// Reads the first message.
async fn first<Q: ChunkedRequest + prost::Message>(
    mut messages: Messages<Bytes>,
    hashed: bool,
) -> Result<(Q, Incoming)> {
    let late = |_| Error::new(Common::DeadlineExceeded, "the request did not come in time");
    let first = tokio::time::timeout(NEXT, messages.next()).await.map_err(late)?;
    let first = first.ok_or_else(|| Error::new(Common::MalformedMessage, "the request has no message"))?;
    let unreadable = |cause| Error::new(Common::MalformedMessage, format!("the first message cannot be read: {cause}"));
    let mut fields = Q::decode(first.map_err(|status| broken_off(&status))?).map_err(unreadable)?;
    let incoming = Incoming::new(fields.take_chunk().into(), messages, Q::RULE, hashed);
    Ok((fields, incoming))
}

/// Refuses a content type that the rule does not name.
fn check_type<Q: ChunkedRequest>(request: &Q) -> Result<()> {
    let (Some(kind), types) = (request.content_type(), Q::RULE.types) else { return Ok(()) };
    if types.is_empty() || types.iter().any(|one| pavise_contract::takes_type(one, kind)) {
        return Ok(());
    }
    Err(Error::new(Common::UnsupportedMediaType, format!("send {}", types.join(" or "))))
}

#[cfg(test)]
mod tests;
