//! A domain's services as they are reached: over gRPC, and directly by whoever is in the same process.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Request as HttpRequest, Response as HttpResponse};
use prost::Message;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::service::{Routes, RoutesBuilder};
use tonic::{Request, Response, Status};
use tower::Service;

use crate::error::{Common, Error};

/// As large as gRPC lets a message be.
const LARGEST: usize = 4 << 20;

/// One unary call of a service in this process; request and answer are messages as they are on the wire.
pub type Unary = Arc<dyn Fn(Request<Bytes>) -> BoxFuture<'static, Result<Response<Bytes>, Status>> + Send + Sync>;

/// Unary calls by their gRPC paths. A call that is made this way enters the kernel as one over gRPC does, without the
/// HTTP in between.
#[derive(Clone, Default)]
pub struct Direct(HashMap<&'static str, Unary>);

impl Direct {
    /// The call at that path, if it is served here and unary.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&Unary> {
        self.0.get(path)
    }

    /// These calls and those.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

impl fmt::Debug for Direct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A service that the generator made.
pub trait Serve {
    /// Joins the services of its domain.
    fn join(self, services: &mut Services);
}

/// The services of a domain.
#[derive(Debug, Default)]
pub struct Services {
    routes: RoutesBuilder,
    direct: Direct,
}

impl Services {
    /// These and one more.
    #[must_use]
    pub fn with(mut self, service: impl Serve) -> Self {
        service.join(&mut self);
        self
    }

    /// For generated code: a service as gRPC reaches it.
    pub fn grpc<S>(&mut self, service: S)
    where
        S: Service<HttpRequest<Body>, Response = HttpResponse<Body>, Error = std::convert::Infallible>,
        S: NamedService + Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
    {
        self.routes.add_service(service);
    }

    /// For generated code: a unary call of `service` at its gRPC path.
    pub fn unary<T, Q, S>(
        &mut self,
        path: &'static str,
        service: &Arc<T>,
        call: for<'a> fn(&'a T, Request<Q>) -> BoxFuture<'a, Result<Response<S>, Status>>,
    ) where
        T: Send + Sync + 'static,
        Q: Message + Default + 'static,
        S: Message + 'static,
    {
        let service = Arc::clone(service);
        let unary: Unary = Arc::new(move |request| {
            let service = Arc::clone(&service);
            Box::pin(async move {
                let response = call(&service, decoded(request)?).await?;
                Ok(response.map(|answer| answer.encode_to_vec().into()))
            })
        });
        self.direct.0.insert(path, unary);
    }

    /// For the routers: all of it over gRPC, and the unary calls directly.
    #[must_use]
    pub fn into_parts(self) -> (Routes, Direct) {
        (self.routes.routes(), self.direct)
    }

    /// All of it over gRPC.
    #[must_use]
    pub fn into_routes(self) -> Routes {
        self.routes.routes()
    }
}

fn decoded<Q: Message + Default>(request: Request<Bytes>) -> Result<Request<Q>, Status> {
    let (metadata, extensions, message) = request.into_parts();
    if message.len() > LARGEST {
        let why = format!("the message has {} bytes; {LARGEST} are the most", message.len());
        return Err(Error::new(Common::BodyTooLarge, why).into_status("pavise", ""));
    }
    let message = Q::decode(message).map_err(|cause| {
        let error = Error::new(Common::MalformedMessage, format!("the message cannot be read: {cause}"));
        error.into_status("pavise", "")
    })?;
    Ok(Request::from_parts(metadata, extensions, message))
}
