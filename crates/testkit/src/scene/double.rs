//! Doubles of other domains: a typed function for each of their calls that the domain under test makes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use pavise_kernel::peers::Transport;
use pavise_kernel::{Error, Result};
use prost::Message;
use tonic::body::Body;
use tower::BoxError;
use tower::util::BoxCloneSyncService;

use crate::grpc::{new_response, read_request};

/// A request to a double.
#[derive(Debug, Clone)]
pub struct RecordedCall<M> {
    /// The message.
    pub message: M,
    /// The idempotency key, or an empty text.
    pub key: String,
    /// The version that the caller knows.
    pub version: Option<i64>,
}

/// A call, and whether its answers are kept for repeats of an idempotency key.
type Call = (Arc<dyn Fn(RecordedCall<Bytes>) -> Result<Vec<u8>> + Send + Sync>, bool);

/// Doubles of other domains. Like the real ones they repeat the former answer for a repeated idempotency key.
#[derive(Clone, Default)]
pub struct PeerDouble {
    calls: BTreeMap<&'static str, Call>,
    answers: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
}

impl PeerDouble {
    /// The same with the call at a gRPC path, as `/pavise.billing.v1.InvoiceService/GetInvoice`.
    #[must_use]
    pub fn with_call<Q, S>(
        self,
        path: &'static str,
        answer: impl Fn(RecordedCall<Q>) -> Result<S> + Send + Sync + 'static,
    ) -> Self
    where
        Q: Message + Default,
        S: Message,
    {
        self.with(path, true, answer)
    }

    /// The same with a call that answers a repeated idempotency key anew.
    #[must_use]
    pub fn on_anew<Q, S>(
        self,
        path: &'static str,
        answer: impl Fn(RecordedCall<Q>) -> Result<S> + Send + Sync + 'static,
    ) -> Self
    where
        Q: Message + Default,
        S: Message,
    {
        self.with(path, false, answer)
    }

    fn with<Q, S>(
        mut self,
        path: &'static str,
        keeps: bool,
        answer: impl Fn(RecordedCall<Q>) -> Result<S> + Send + Sync + 'static,
    ) -> Self
    where
        Q: Message + Default,
        S: Message,
    {
        let call = move |RecordedCall { message, key, version }: RecordedCall<Bytes>| {
            let message = Q::decode(message).map_err(Error::internal)?;
            Ok(answer(RecordedCall { message, key, version })?.encode_to_vec())
        };
        self.calls.insert(path, (Arc::new(call), keeps));
        self
    }

    /// As a transport.
    #[must_use]
    pub fn transport(&self) -> Transport {
        let double = self.clone();
        BoxCloneSyncService::new(tower::service_fn(move |request: Request<Body>| {
            let double = double.clone();
            async move { double.serve(request).await }
        }))
    }

    async fn serve(&self, request: Request<Body>) -> Result<Response<Body>, BoxError> {
        let path = request.uri().path().to_owned();
        let key = header(request.headers(), "idempotency-key").unwrap_or_default();
        let version = header(request.headers(), "if-match").and_then(|tag| tag.parse().ok());
        let message = read_request(request).await?;
        let answer = self.answer(&path, RecordedCall { message, key, version });
        Ok(answer.map_or_else(|error| error.into_status("double", "").into_http(), |answer| new_response(&answer)))
    }

    fn answer(&self, path: &str, asked: RecordedCall<Bytes>) -> Result<Vec<u8>> {
        let found = self.calls.get(path);
        let (call, keeps) = found.ok_or_else(|| Error::internal(format!("nobody serves {path}")))?;
        if asked.key.is_empty() || !keeps {
            return call(asked);
        }
        let repeated = format!("{path} {}", asked.key);
        let known = self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(&repeated).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let answer = call(asked)?;
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(repeated, answer.clone());
        Ok(answer)
    }
}

impl fmt::Debug for PeerDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.calls.keys()).finish()
    }
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}
