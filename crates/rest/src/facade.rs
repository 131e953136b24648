//! The service behind the router: finds the call, makes it, writes the answer.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::extract::ConnectInfo;
use bytes::Bytes;
use http::header::{ALLOW, CONTENT_LENGTH, IF_MATCH};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as _;
use pavise_contract::Verb;
use pavise_kernel::peers::{Peers, Transport};
use pavise_kernel::{Common, Error, Result, trace_context};
use pavise_transcode::Transcoder;
use tonic::Status;
use tower::Service;

use crate::browser::Site;
use crate::byte_rule::UploadRule;
use crate::content::Content;
use crate::options::Options;
use crate::path::{self, Piece};
use crate::place::Place;
use crate::refusal::{self, Asked};
use crate::route::Route;
use crate::rule::Rule;
use crate::stream::{Manner, Shape};
use crate::trie::{Found, Trie};
use crate::{answer, assemble, content, download, host, metadata, raw, stream, upload, upstream};

/// The REST paths of all services.
pub(crate) struct Table {
    pub(crate) routes: Vec<Arc<Route>>,
    /// The paths below each service's own host.
    pub(crate) hosts: HashMap<String, Trie>,
    /// The paths of all other hosts.
    pub(crate) bare: Trie,
}

/// Answers REST.
#[derive(Clone)]
pub(crate) struct Facade(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) table: Table,
    pub(crate) peers: Peers,
    pub(crate) options: Options,
    pub(crate) site: Site,
    pub(crate) transcoder: Transcoder,
}

impl Service<Request<Body>> for Facade {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let inner = Arc::clone(&self.0);
        Box::pin(async move { Ok(inner.answer(request).await) })
    }
}

/// The cause of a refusal: the facade's own error, or a service's status.
enum Refused {
    Here(Error),
    There(Status),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Here(error)
    }
}

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        Self::There(status)
    }
}

impl Inner {
    async fn answer(&self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let mut response = self.whole(&parts, body).await;
        if parts.method == Method::HEAD {
            without_body(&mut response);
        }
        response
    }

    /// The answer with its body, which an answer to HEAD does not have.
    async fn whole(&self, parts: &Parts, body: Body) -> Response<Body> {
        let trace_id = trace_context::named_by(&parts.headers).unwrap_or_default();
        let pieces = match path::pieces(parts.uri.path()) {
            Ok(pieces) => pieces,
            Err(error) => {
                return refusal::refuse_error(error, Asked { service: "pavise", trace_id, ..Asked::default() });
            }
        };
        let route = match self.find(parts, &pieces) {
            Found::Route(at) => self.table.routes.get(at),
            Found::OtherVerbs(verbs) => return other_verbs(parts, &verbs, trace_id),
            Found::Nothing => None,
        };
        let Some(route) = route else {
            let error = Error::new(Common::RouteNotFound, "there is no call at this path");
            return refusal::refuse_error(error, Asked { service: "pavise", trace_id, ..Asked::default() });
        };
        let asked = Asked {
            conditional: parts.headers.contains_key(IF_MATCH),
            input: Some(&route.request),
            service: &route.service,
            trace_id,
            transcoder: Some(&self.transcoder),
        };
        let mut response = match self.call(route, parts, &pieces, body, trace_id).await {
            Ok(response) => response,
            Err(Refused::Here(error)) => {
                let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
                let rpc = route.path.path().rsplit('/').next().unwrap_or_default();
                self.site.note(&error, &route.service, rpc, &parts.headers, peer);
                refusal::refuse_error(error, asked)
            }
            Err(Refused::There(status)) => refusal::response(&status, asked),
        };
        response.extensions_mut().insert(route.label.clone());
        response
    }

    fn find(&self, parts: &Parts, pieces: &[Piece<'_>]) -> Found {
        let verb = match parts.method {
            Method::GET | Method::HEAD => Some(Verb::Get),
            Method::POST => Some(Verb::Post),
            Method::PUT => Some(Verb::Put),
            Method::DELETE => Some(Verb::Delete),
            Method::PATCH => Some(Verb::Patch),
            _ => None,
        };
        let service = host::service(host::authority(parts), &self.options.base_domain);
        let trie = service.and_then(|service| self.table.hosts.get(&service)).unwrap_or(&self.table.bare);
        trie.find(verb, pieces, path::ends_with_action(pieces))
    }

    async fn call(
        &self,
        route: &Arc<Route>,
        parts: &Parts,
        pieces: &[Piece<'_>],
        body: Body,
        trace_id: &str,
    ) -> Result<Response<Body>, Refused> {
        let writes = route.cookies.writes || !matches!(parts.method, Method::GET | Method::HEAD);
        let rule = Rule { writes, ..route.cookies };
        let metadata = metadata::read(parts, rule, &self.site)?;
        let shape = if parts.method == Method::HEAD { Shape::Array } else { Shape::wanted(&parts.headers) };
        if shape != Shape::Array
            && let Some(watch) = &route.watch
        {
            return self.watch(route, watch, parts, shape, metadata, trace_id).await;
        }
        if let Some(rule) = &route.upload {
            return self.upload(route, rule, (parts, body), pieces, metadata).await;
        }
        let mut frame = match &route.raw {
            Some(rule) => {
                let mut frame = self.named(route, parts, pieces, upstream::open_frame(1024))?;
                raw::add(route, rule, (parts, body), &self.options.public_url, &mut frame).await?;
                frame
            }
            None => {
                let content = content::read(parts, body, self.options.max_body).await?;
                self.frame(route, parts, pieces, content)?
            }
        };
        if let Some(record) = route.record.as_ref().filter(|_| wants_json(&parts.headers)) {
            let mut answer = self.send(record, metadata, frame).await?;
            let message = answer.only().await?;
            return one(record, parts, &answer.headers, message);
        }
        if route.downloads {
            let mut metadata = metadata;
            download::pass_asked(parts, &mut metadata);
            return Ok(download::answer(self.send(route, metadata, frame).await?).await?);
        }
        if route.streams {
            if route.follows && shape == Shape::Events {
                resume(route, parts, &mut frame)?;
            }
            let answer = self.send(route, metadata, frame).await?;
            let (route, follows) = (Arc::clone(route), route.follows);
            return Ok(stream::many(route, answer, self.manner(shape), follows, trace_id.to_owned()).await?);
        }
        if let Some(unary) = self.peers.find_direct(route.path.as_str()) {
            let (headers, message) = upstream::direct(unary, metadata, frame, self.options.max_answer).await?;
            return one(route, parts, &headers, message);
        }
        let mut answer = self.send(route, metadata, frame).await?;
        let message = answer.only().await?;
        one(route, parts, &answer.headers, message)
    }

    /// Passes a file on as it arrives.
    async fn upload(
        &self,
        route: &Route,
        rule: &UploadRule,
        (parts, body): (&Parts, Body),
        pieces: &[Piece<'_>],
        metadata: HeaderMap,
    ) -> Result<Response<Body>, Refused> {
        let transport = self.transport(route)?;
        let fields = self.named(route, parts, pieces, upstream::open_frame(128))?;
        let arriving = upload::read(route, rule, parts, body, fields).await?;
        let refusal = upload::Refusal::default();
        let mut request = Request::new(arriving.into_body(rule, refusal.clone())?);
        *request.headers_mut() = metadata;
        pavise_kernel::bytes::pass_on(&mut request);
        let sent = async {
            let mut answer = upstream::send(transport, &route.path, request, self.options.max_answer).await?;
            let message = answer.only().await?;
            Ok((answer.headers, message))
        };
        let answered: Result<(HeaderMap, Bytes), Status> = sent.await;
        match (answered, refusal.take()) {
            (Ok((headers, message)), None) => one(route, parts, &headers, message),
            (_, Some(error)) => Err(error.into()),
            (Err(status), None) => Err(status.into()),
        }
    }

    /// The request message in its frame.
    fn frame(&self, route: &Route, parts: &Parts, pieces: &[Piece<'_>], content: Content) -> Result<Vec<u8>> {
        let frame = match content {
            Content::Json(json) => {
                let mut frame = upstream::open_frame(json.len() + 64);
                assemble::add_json(route, &json, &mut frame)?;
                frame
            }
            Content::Nothing => upstream::open_frame(128),
        };
        self.named(route, parts, pieces, frame)
    }

    /// Appends the values of path and query.
    fn named(&self, route: &Route, parts: &Parts, pieces: &[Piece<'_>], mut frame: Vec<u8>) -> Result<Vec<u8>> {
        assemble::add_path(route, pieces, &mut frame)?;
        if let Some(query) = parts.uri.query() {
            assemble::add_query(route, query, |_| false, &mut frame)?;
        }
        Ok(frame)
    }

    /// Streams a journal.
    async fn watch(
        &self,
        route: &Route,
        watch: &Arc<Route>,
        parts: &Parts,
        shape: Shape,
        metadata: HeaderMap,
        trace_id: &str,
    ) -> Result<Response<Body>, Refused> {
        let mut frame = upstream::open_frame(64);
        let resume = parts.headers.get("last-event-id").filter(|_| shape == Shape::Events);
        if let Some(query) = parts.uri.query() {
            // Page bounds do not apply to a stream; a browser that reconnects repeats its first clock.
            let ignored = |key: &str| {
                let known = |route: &Route| route.request.get_field_by_json_name(key).is_some();
                (known(route) && !known(watch)) || (resume.is_some() && key == "clock")
            };
            assemble::add_query(watch, query, ignored, &mut frame)?;
        }
        if shape == Shape::Events {
            self::resume(watch, parts, &mut frame)?;
        }
        let answer = self.send(watch, metadata, frame).await?;
        Ok(stream::many(Arc::clone(watch), answer, self.manner(shape), true, trace_id.to_owned()).await?)
    }

    async fn send(&self, route: &Route, metadata: HeaderMap, frame: Vec<u8>) -> Result<upstream::Answer, Refused> {
        let transport = self.transport(route)?;
        let frame = upstream::close_frame(frame)?;
        Ok(upstream::call(transport, &route.path, metadata, frame, self.options.max_answer).await?)
    }

    fn transport(&self, route: &Route) -> Result<Transport> {
        let transport = self.peers.find_transport(&route.domain);
        transport.ok_or_else(|| Error::unavailable(&route.domain, "no peer serves it"))
    }

    fn manner(&self, shape: Shape) -> Manner {
        let (transcoder, heartbeat) = (self.transcoder.clone(), self.options.heartbeat);
        Manner { shape, transcoder, heartbeat, draining: self.options.draining.clone() }
    }
}

/// Whether the caller asks for JSON and for nothing else.
fn wants_json(headers: &HeaderMap) -> bool {
    let mut types = headers
        .get_all(http::header::ACCEPT)
        .into_iter()
        .flat_map(|value| value.to_str().unwrap_or_default().split(','));
    let is_json =
        |kind: &str| kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json");
    types.next().is_some_and(is_json) && types.all(is_json)
}

/// The answer of a call with one message.
fn one(route: &Route, parts: &Parts, headers: &HeaderMap, message: Bytes) -> Result<Response<Body>, Refused> {
    if route.answers_raw {
        return Ok(raw::answer(headers, message)?);
    }
    Ok(answer::unary(route, parts, headers, &message)?)
}

/// Lets a browser that reconnects go on after the last event that it got. The later of two clocks in a message counts.
fn resume(watch: &Route, parts: &Parts, frame: &mut Vec<u8>) -> Result<()> {
    let Some(id) = parts.headers.get("last-event-id") else { return Ok(()) };
    let clock = id.to_str().ok().filter(|id| id.parse::<i64>().is_ok());
    match (clock, Place::find(&watch.request, "clock")) {
        (Some(clock), Some(place)) => assemble::add_text(watch, &place, clock, frame),
        _ => {
            let error = Error::new(Common::InvalidMetadata, "last-event-id must be a clock");
            Err(error.with("header", "last-event-id"))
        }
    }
}

/// The answer where the path exists, but not with this verb; OPTIONS asks for just that.
fn other_verbs(parts: &Parts, verbs: &[Verb], trace_id: &str) -> Response<Body> {
    let mut names: Vec<&str> = verbs.iter().map(|verb| verb.as_str()).collect();
    if verbs.contains(&Verb::Get) {
        names.push("HEAD");
    }
    let shown = names.join(" or ");
    names.push("OPTIONS");
    let mut response = if parts.method == Method::OPTIONS {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        response
    } else {
        let error = Error::new(Common::MethodNotAllowed, format!("use {shown} here")).with("allow", names.join(", "));
        refusal::refuse_error(error, Asked { service: "pavise", trace_id, ..Asked::default() })
    };
    if let Ok(allow) = HeaderValue::try_from(names.join(", ")) {
        response.headers_mut().insert(ALLOW, allow);
    }
    response
}

/// Turns an answer to GET into the answer to HEAD.
pub fn without_body(response: &mut Response<Body>) {
    if response.body().is_end_stream() {
        return;
    }
    if let Some(length) = response.body().size_hint().exact() {
        response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    *response.body_mut() = Body::empty();
}
