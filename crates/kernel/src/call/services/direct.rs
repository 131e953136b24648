//! Calls by their gRPC paths, which take and answer wire bytes.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use tonic::{Request, Response, Status};

use crate::call::messages::Messages;

/// A unary call of a service in this process. Request and answer are wire bytes.
pub type Unary = Arc<dyn Fn(Request<Bytes>) -> Answer<'static, Bytes> + Send + Sync>;

/// The future result of a unary call.
pub type Answer<'a, S> = BoxFuture<'a, Result<Response<S>, Status>>;

/// Unary calls by their gRPC paths. Such a call enters the kernel as a gRPC call does, without HTTP in between.
#[derive(Default)]
pub struct Direct(pub(super) HashMap<&'static str, Unary>);

impl FromIterator<(&'static str, Unary)> for Direct {
    fn from_iter<I: IntoIterator<Item = (&'static str, Unary)>>(calls: I) -> Self {
        Self(calls.into_iter().collect())
    }
}

impl Direct {
    /// The call at that path, if it is served here and unary.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&Unary> {
        self.0.get(path)
    }

    /// The paths of the calls.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.keys().copied()
    }

    /// Adds the calls of `others`.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

impl fmt::Debug for Direct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A call that answers a stream. Request and messages are wire bytes.
pub(crate) type Streaming = Arc<dyn Fn(Request<Bytes>) -> Answer<'static, Messages<Bytes>> + Send + Sync>;

/// A call that takes a stream. Messages and answer are wire bytes.
pub(crate) type Uploading = Arc<dyn Fn(Request<Messages<Bytes>>) -> Answer<'static, Bytes> + Send + Sync>;
