//! Builds the facade.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use futures::future::Either;
use http::header::{self, HeaderName};
use http::{Extensions, HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Version};
use pavise_contract::{Contract, ContractError, Service};
use pavise_kernel::peers::Peers;
use pavise_transcode::Transcoder;
use prost_reflect::DescriptorPool;
use tower::util::BoxCloneSyncService;
use tower::{Layer as _, ServiceExt as _};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::browser::Site;
use crate::download::AsIs;
use crate::facade::{Facade, Inner, Table};
use crate::front::Rest;
use crate::options::Options;
use crate::route::Route;
use crate::trie::Trie;

/// Smaller answers are not compressed: that costs more than it saves.
const COMPRESSED_FROM: u64 = 1024;

/// The REST facade of every service in `pool`: calls go to `peers`, in process or remote.
///
/// # Errors
/// When a path of the contract is no template, names no field, or is claimed twice within a service.
pub fn facade(
    pool: &DescriptorPool,
    transcoder: Transcoder,
    peers: Peers,
    options: Options,
) -> Result<Rest, ContractError> {
    let contract = Contract::read(pool)?;
    let mut services: Vec<&Service> = contract.services.iter().collect();
    let rank =
        |service: &Service| options.precedence.iter().position(|name| *name == service.name).unwrap_or(usize::MAX);
    services.sort_by_key(|service| rank(service));
    let table = table(&services, &transcoder)?;
    let roots: Vec<String> = table.routes.iter().filter_map(|route| route.template.root()).map(str::to_owned).collect();
    let origins = options.allowed_origins.clone();
    let facade = Facade(Arc::new(Inner { table, peers, site: Site::of(&options), options, transcoder }));

    let uncompressed = |kind| NotForContentType::const_new(kind);
    let predicate = SizeAbove::new(COMPRESSED_FROM)
        .and(uncompressed("text/event-stream"))
        .and(uncompressed("application/x-ndjson"))
        .and(is_free);
    let compressed = CompressionLayer::new().compress_when(predicate).layer(facade);
    let closed = BoxCloneSyncService::new(compressed.map_response(|response| response.map(Body::new)));
    Ok(Rest::new(if origins.is_empty() { closed } else { open_to(&origins, closed) }, roots))
}

/// Whether an answer may be sent in another form. The bytes of a file have a digest and ranges.
fn is_free(_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions) -> bool {
    extensions.get::<AsIs>().is_none()
}

type Open = BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>;

/// Lets pages of `origins` call. An OPTIONS that is no preflight still asks the facade what a path allows.
fn open_to(origins: &[String], closed: Open) -> Open {
    let open = cors(origins).layer(closed.clone());
    BoxCloneSyncService::new(tower::service_fn(move |request: Request<Body>| {
        let preflight = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        if request.method() == Method::OPTIONS && !preflight {
            Either::Left(closed.clone().oneshot(request))
        } else {
            Either::Right(open.clone().oneshot(request))
        }
    }))
}

/// The CORS layer for the pages of `origins`: for REST here, and for gRPC-web wherever that is served.
pub fn cors(origins: &[String]) -> CorsLayer {
    let origins = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    let asked = [
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "if-none-match",
        "if-range",
        "last-event-id",
        "min-clock",
        "pavise-validate-only",
        "range",
        "request-timeout",
        "traceparent",
        "tracestate",
        "x-request-id",
        "grpc-timeout",
        "x-grpc-web",
        "x-user-agent",
    ];
    let answered = [
        "accept-ranges",
        "content-disposition",
        "content-range",
        "etag",
        "retry-after",
        "pavise-clock",
        "pavise-today",
        "x-request-id",
        "grpc-status",
        "grpc-message",
        "grpc-status-details-bin",
    ];
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(asked.map(HeaderName::from_static))
        .expose_headers(answered.map(HeaderName::from_static))
        .max_age(Duration::from_secs(3600))
}

fn table(services: &[&Service], transcoder: &Transcoder) -> Result<Table, ContractError> {
    let mut table = Table { routes: Vec::new(), hosts: HashMap::new(), bare: Trie::default() };
    for service in services {
        let own = table.hosts.entry(service.host.clone()).or_default();
        for method in &service.methods {
            for binding in &method.bindings {
                let route = Route::new(service, method, binding, transcoder)?;
                let at = table.routes.len();
                if let Some(other) = own.insert(route.verb, &route.template, at) {
                    let other = table.routes.get(other).map_or("", |other| other.path.as_str());
                    let problem = format!("{} {} is claimed by {other} already", binding.verb.as_str(), binding.path);
                    return Err(ContractError::new(method.descriptor.full_name(), problem));
                }
                // Where two services claim a path here, the first keeps it and the other is reached by its host.
                table.bare.insert(route.verb, &route.template, at);
                table.routes.push(Arc::new(route));
            }
        }
    }
    Ok(table)
}
