//! A domain's services, reachable over gRPC and directly within the same process.

pub mod direct;
mod grpc;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt as _;
use pavise_contract::table::Method;
use prost::Message;
use tonic::service::Routes;
use tonic::{Request, Status};

use crate::call::messages::Messages;
use crate::call::refusal_log::log;
use crate::call::services::direct::{Streaming, Uploading};
use crate::call::trace_context;
use crate::error::{Common, Error};

pub use direct::{Answer, Direct, Unary};

/// The largest message that gRPC accepts by default.
const LARGEST: usize = 4 << 20;

/// A generated service.
pub trait ServeDomain {
    /// Adds itself to the services of its domain.
    fn join(self, services: &mut Services);
}

/// The services of a domain. Calls are kept by their paths and take and answer wire bytes: one server of gRPC serves all of
/// them, and no call has a server of its own to compile.
#[derive(Default)]
pub struct Services {
    direct: Direct,
    streams: HashMap<&'static str, Streaming>,
    uploads: HashMap<&'static str, Uploading>,
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.direct.0.keys()).entries(self.streams.keys()).entries(self.uploads.keys()).finish()
    }
}

impl Services {
    /// Adds a service.
    #[must_use]
    pub fn with(mut self, service: impl ServeDomain) -> Self {
        service.join(&mut self);
        self
    }

    /// For generated code: adds a unary call of `service`.
    pub fn add_unary<T, Q, S>(
        &mut self,
        method: &'static Method,
        service: &Arc<T>,
        call: for<'a> fn(&'a T, Request<Q>) -> Answer<'a, S>,
    ) where
        T: Send + Sync + 'static,
        Q: Message + Default + 'static,
        S: Message + 'static,
    {
        let service = Arc::clone(service);
        let unary: Unary = Arc::new(move |request| {
            let service = Arc::clone(&service);
            Box::pin(async move {
                let response = call(&service, decoded(method, request)?).await?;
                Ok(response.map(|answer| answer.encode_to_vec().into()))
            })
        });
        self.direct.0.insert(method.path, unary);
    }

    /// For generated code: adds a call of `service` that answers a stream.
    pub fn add_streaming<T, Q, S>(
        &mut self,
        method: &'static Method,
        service: &Arc<T>,
        call: for<'a> fn(&'a T, Request<Q>) -> Answer<'a, Messages<S>>,
    ) where
        T: Send + Sync + 'static,
        Q: Message + Default + 'static,
        S: Message + 'static,
    {
        let service = Arc::clone(service);
        let streaming: Streaming = Arc::new(move |request| {
            let service = Arc::clone(&service);
            Box::pin(async move {
                let response = call(&service, decoded(method, request)?).await?;
                Ok(response.map(|messages| -> Messages<Bytes> {
                    Box::pin(messages.map_ok(|message| message.encode_to_vec().into()))
                }))
            })
        });
        self.streams.insert(method.path, streaming);
    }

    /// For generated code: adds a call of `service` that takes a stream.
    pub fn add_client_streaming<T, S>(
        &mut self,
        method: &'static Method,
        service: &Arc<T>,
        call: for<'a> fn(&'a T, Request<Messages<Bytes>>) -> Answer<'a, S>,
    ) where
        T: Send + Sync + 'static,
        S: Message + 'static,
    {
        let service = Arc::clone(service);
        let uploading: Uploading = Arc::new(move |request| {
            let service = Arc::clone(&service);
            Box::pin(async move { Ok(call(&service, request).await?.map(|answer| answer.encode_to_vec().into())) })
        });
        self.uploads.insert(method.path, uploading);
    }

    /// For the routers: all services over gRPC, and the direct unary calls.
    #[must_use]
    pub fn into_parts(self) -> (Routes, Direct) {
        let direct = Direct(self.direct.0.clone());
        (grpc::routes(self.direct, self.streams, self.uploads), direct)
    }

    /// All services over gRPC.
    #[must_use]
    pub fn into_routes(self) -> Routes {
        grpc::routes(self.direct, self.streams, self.uploads)
    }
}

fn decoded<Q: Message + Default>(method: &'static Method, request: Request<Bytes>) -> Result<Request<Q>, Status> {
    let (metadata, extensions, message) = request.into_parts();
    let refused = |error: Error| {
        let trace_id = trace_context::named_by(metadata.as_ref()).unwrap_or_default();
        log(method, &error, trace_id);
        error.into_status(method.service, trace_id)
    };
    if message.len() > LARGEST {
        let why = format!("the message has {} bytes; {LARGEST} are the most", message.len());
        return Err(refused(Error::new(Common::BodyTooLarge, why)));
    }
    let message = Q::decode(message).map_err(|cause| {
        refused(Error::new(Common::MalformedMessage, format!("the message cannot be read: {cause}")))
    })?;
    Ok(Request::from_parts(metadata, extensions, message))
}
