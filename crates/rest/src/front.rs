//! Decides which part of a server answers a request.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::Router;
use axum::body::Body;
use axum::routing::future::RouteFuture;
use futures::future::{BoxFuture, Either};
use http::{Request, Response};
use tower::Service;
use tower::util::BoxCloneSyncService;

/// The REST facade, ready to serve.
#[derive(Debug, Clone)]
pub struct Rest {
    service: BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>,
    /// The first segments of the facade's paths.
    roots: Arc<HashSet<String>>,
}

impl Rest {
    pub(crate) fn new(
        service: BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>,
        roots: impl IntoIterator<Item = String>,
    ) -> Self {
        Self { service, roots: Arc::new(roots.into_iter().collect()) }
    }

    /// Stands before `others`: a path with a first segment of the contract never goes to them. `others` should leave
    /// unknown paths to the facade as well, whose refusals have the right shape.
    #[must_use]
    pub fn before(self, others: Router) -> Front {
        Front { rest: self, others }
    }

    fn claims(&self, path: &str) -> bool {
        let first = path.strip_prefix('/').unwrap_or(path).split('/').next();
        first.is_some_and(|first| self.roots.contains(first))
    }
}

impl Service<Request<Body>> for Rest {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.service.call(request)
    }
}

/// The facade and all other parts of a server.
#[derive(Debug, Clone)]
pub struct Front {
    rest: Rest,
    others: Router,
}

impl Service<Request<Body>> for Front {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<BoxFuture<'static, Result<Response<Body>, Infallible>>, RouteFuture<Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The request that decides the part is not known yet.
        ready!(self.rest.poll_ready(context))?;
        Service::<Request<Body>>::poll_ready(&mut self.others, context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if self.rest.claims(request.uri().path()) {
            Either::Left(self.rest.call(request))
        } else {
            Either::Right(self.others.call(request))
        }
    }
}
