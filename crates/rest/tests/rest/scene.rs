//! The facade before a domain that records its requests and gives the answers that a test sets.

use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures::StreamExt;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use pavise_kernel::peers::{Peers, Transport};
use pavise_kernel::services::{Direct, Unary};
use pavise_rest::{Options, Rest};
use pavise_transcode::{FromJson, ToJson, Transcoder, Unknown};
use prost_reflect::DescriptorPool;
use protox::Compiler;
use protox::file::{
    ChainFileResolver, DescriptorSetFileResolver, File, FileResolver, GoogleFileResolver, IncludeFileResolver,
};
use serde_json::Value;
use tonic::Status;
use tonic::metadata::MetadataMap;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, ServiceExt};

pub(crate) static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| compiled(include_str!("../proto/shop.proto")));

pub(crate) static TRANSCODER: LazyLock<Transcoder> = LazyLock::new(|| Transcoder::new(&POOL));

/// Compiles a proto with all imports that our protos may have.
pub(crate) fn compiled(source: &str) -> DescriptorPool {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Source(source.to_owned()));
    resolver.add(IncludeFileResolver::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto")));
    resolver.add(
        DescriptorSetFileResolver::decode(prost_protovalidate_types::DESCRIPTOR_POOL.encode_to_vec().as_slice())
            .unwrap(),
    );
    resolver.add(GoogleFileResolver::new());
    let mut compiler = Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("source.proto").map_err(|error| format!("{error:?}")).unwrap();
    let expanded = pavise_contract::expand(&compiler.encode_file_descriptor_set()).unwrap();
    DescriptorPool::decode(expanded.as_slice()).unwrap()
}

struct Source(String);

impl FileResolver for Source {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        if name == "source.proto" { File::from_source(name, &self.0) } else { Err(protox::Error::file_not_found(name)) }
    }
}

/// A call as the domain saw it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    /// The first message.
    pub(crate) message: Bytes,
    /// The messages after it, of a call that takes a stream.
    pub(crate) further: Vec<Bytes>,
}

/// The domain's answer.
pub(crate) enum Reply {
    /// The request, as the answer.
    Echo,
    /// The request, with these headers.
    EchoWith(Vec<(&'static str, &'static str)>),
    /// An answer without any field.
    Nothing,
    /// A refusal.
    Refuse(Status),
    /// The channel fails.
    Break,
    /// These, one by one.
    Steps(Vec<Step>),
    /// A body that is no gRPC.
    Bytes(&'static [u8]),
}

/// The next step of a streamed answer.
#[derive(Clone)]
pub(crate) enum Step {
    Message(Vec<u8>),
    Wait(Duration),
    End(Status),
}

type Script = Arc<dyn Fn(&Seen) -> Reply + Send + Sync>;

pub(crate) struct Scene {
    router: Rest,
    seen: Arc<Mutex<Vec<Seen>>>,
    /// The reader of an answer stopped reading.
    pub(crate) dropped: Arc<AtomicBool>,
}

impl Scene {
    /// A domain that echoes.
    pub(crate) fn new() -> Self {
        Self::answering(|_| Reply::Echo)
    }

    pub(crate) fn answering(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(options(), script)
    }

    /// A domain in this process: its unary calls are made directly, as a server calls its own domains.
    pub(crate) fn with(options: Options, script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::built(options, Arc::new(script), true)
    }

    /// A domain in another process, whose unary answers may be malformed too.
    pub(crate) fn apart(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::apart_with(options(), script)
    }

    pub(crate) fn apart_with(options: Options, script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::built(options, Arc::new(script), false)
    }

    fn built(options: Options, script: Script, here: bool) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let dropped = Arc::new(AtomicBool::new(false));
        let transport = domain(Arc::clone(&script), Arc::clone(&seen), Arc::clone(&dropped));
        let direct = if here { direct(&script, &seen) } else { Direct::default() };
        let peers = Peers::default();
        peers.install_with([("shop".to_owned(), transport)].into(), direct);
        let router = pavise_rest::facade(&POOL, TRANSCODER.clone(), peers, options).unwrap();
        Self { router, seen, dropped }
    }

    /// The last call that reached the domain.
    pub(crate) fn seen(&self) -> Seen {
        self.seen.lock().unwrap().last().expect("the domain was asked").clone()
    }

    /// How many calls reached the domain.
    pub(crate) fn calls(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    pub(crate) async fn raw(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.unwrap()
    }
}

pub(crate) fn options() -> Options {
    Options {
        max_body: 64 << 10,
        public_url: "https://shop.example".into(),
        precedence: vec!["big_orders".into(), "tokens".into(), "keys".into()],
        heartbeat: Duration::from_millis(40),
        secure_cookies: false,
        https: false,
        ..Options::default()
    }
}

/// The wire bytes of a message from its JSON.
pub(crate) fn wire(message: &str, json: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    let schema = TRANSCODER.schema(message).unwrap();
    schema.to_wire(json.to_string().as_bytes(), FromJson { unknown: Unknown::Refuse }, &mut out).unwrap();
    out
}

/// The message that reached the domain, as JSON without defaults.
pub(crate) fn json(message: &str, wire: &[u8]) -> Value {
    let mut out = Vec::new();
    TRANSCODER.schema(message).unwrap().to_json(wire, ToJson { defaults: false, secrets: true }, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

pub(crate) fn order(json: &Value) -> Vec<u8> {
    wire("pavise.shop.v1.Order", json)
}

/// A request in the making.
pub(crate) struct Ask {
    request: http::request::Builder,
    body: Body,
}

pub(crate) fn ask(method: &str, path: &str) -> Ask {
    Ask { request: Request::builder().method(method).uri(path), body: Body::empty() }
}

impl Ask {
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    pub(crate) fn host(self, host: &str) -> Self {
        self.header("host", host)
    }

    pub(crate) fn json(self, body: impl Into<Body>) -> Self {
        self.header("content-type", "application/json").body(body)
    }

    pub(crate) fn body(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) fn request(self) -> Request<Body> {
        self.request.body(self.body).unwrap()
    }

    pub(crate) async fn send(self, scene: &Scene) -> Answer {
        let (head, body) = scene.raw(self.request()).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: head.status.as_u16(), headers: head.headers, body }
    }
}

/// An answer as the caller sees it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The answer to a successful call.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{:?}", self.body);
        assert_eq!(self.header("content-type"), "application/json");
        self.json()
    }

    /// Asserts a refusal with this status and reason, in the one shape of all refusals.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, reason: &str) -> &Self {
        let json = self.json();
        assert_eq!((self.status, self.reason()), (status, reason.to_owned()), "{json}");
        assert_eq!(json["code"], status);
        assert!(json["message"].as_str().is_some_and(|message| !message.is_empty()), "{json}");
        assert!(json["status"].as_str().is_some_and(|status| !status.is_empty()), "{json}");
        assert_eq!(self.header("content-type"), "application/json");
        self
    }

    /// Asserts that the refusal names this field and no other.
    #[track_caller]
    pub(crate) fn field(&self, field: &str) -> &Self {
        let json = self.json();
        let violations = &self.detail("BadRequest")["fieldViolations"];
        assert_eq!(violations[0]["field"], field, "{json}");
        assert_eq!(violations.as_array().map_or(0, Vec::len), 1, "{json}");
        self
    }

    pub(crate) fn reason(&self) -> String {
        self.detail("ErrorInfo")["reason"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn detail(&self, kind: &str) -> Value {
        let json = self.json();
        let wanted = format!("type.googleapis.com/google.rpc.{kind}");
        let details = json["details"].as_array().cloned().unwrap_or_default();
        details.into_iter().find(|detail| detail["@type"] == wanted).unwrap_or_default()
    }
}

fn domain(script: Script, seen: Arc<Mutex<Vec<Seen>>>, dropped: Arc<AtomicBool>) -> Transport {
    BoxCloneSyncService::new(tower::service_fn(move |request: Request<tonic::body::Body>| {
        let (script, seen, dropped) = (Arc::clone(&script), Arc::clone(&seen), Arc::clone(&dropped));
        async move {
            let (head, body) = request.into_parts();
            assert_eq!(head.headers["content-type"], "application/grpc");
            assert_eq!(head.headers["te"], "trailers");
            let mut messages = messages(body.collect().await?.to_bytes());
            let (message, path) = (messages.remove(0), head.uri.path().to_owned());
            assert!(messages.is_empty() || path.ends_with("UploadPhoto"));
            let one = Seen { path, headers: head.headers, message, further: messages };
            seen.lock().unwrap().push(one.clone());
            reply(script(&one), &one, dropped)
        }
    }))
}

/// The messages of a body.
fn messages(mut body: Bytes) -> Vec<Bytes> {
    let mut all = Vec::new();
    while !body.is_empty() {
        let prefix = body.split_to(5);
        assert_eq!(prefix[0], 0);
        all.push(body.split_to(usize::try_from(u32::from_be_bytes(prefix[1..].try_into().unwrap())).unwrap()));
    }
    all
}

/// The unary calls of the domain, without a transport.
fn direct(script: &Script, seen: &Arc<Mutex<Vec<Seen>>>) -> Direct {
    let unary = POOL
        .services()
        .flat_map(|service| service.methods().collect::<Vec<_>>())
        .filter(|call| !call.is_server_streaming() && !call.is_client_streaming());
    let calls = unary.map(|call| {
        let path: &'static str = format!("/{}/{}", call.parent_service().full_name(), call.name()).leak();
        let (script, seen) = (Arc::clone(script), Arc::clone(seen));
        let answer: Unary = Arc::new(move |request| {
            let (metadata, _, message) = request.into_parts();
            let one = Seen { path: path.to_owned(), headers: metadata.into_headers(), message, further: Vec::new() };
            seen.lock().unwrap().push(one.clone());
            Box::pin(std::future::ready(directly(script(&one), one)))
        });
        (path, answer)
    });
    calls.collect()
}

fn directly(reply: Reply, seen: Seen) -> Result<tonic::Response<Bytes>, Status> {
    let mut headers = HeaderMap::new();
    let message = match reply {
        Reply::Echo => seen.message,
        Reply::Nothing => Bytes::new(),
        Reply::EchoWith(given) => {
            headers.extend(
                given.into_iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))),
            );
            seen.message
        }
        Reply::Refuse(status) => return Err(status),
        Reply::Steps(ref steps) if let [Step::Message(message)] = steps.as_slice() => message.clone().into(),
        Reply::Break | Reply::Steps(_) | Reply::Bytes(_) => {
            panic!("{} is answered so over a transport only", seen.path)
        }
    };
    Ok(tonic::Response::from_parts(MetadataMap::from_headers(headers), message, tonic::Extensions::default()))
}

fn reply(reply: Reply, seen: &Seen, dropped: Arc<AtomicBool>) -> Result<Response<tonic::body::Body>, BoxError> {
    let message = seen.message.to_vec();
    match reply {
        Reply::Echo => Ok(stream(vec![Step::Message(message)], dropped)),
        Reply::Nothing => Ok(stream(vec![Step::Message(Vec::new())], dropped)),
        Reply::EchoWith(headers) => {
            let mut response = stream(vec![Step::Message(message)], dropped);
            for (name, value) in headers {
                response.headers_mut().insert(name, HeaderValue::from_static(value));
            }
            Ok(response)
        }
        Reply::Refuse(status) => Ok(status.into_http()),
        Reply::Break => Err("the cable is cut near 10.0.0.7".into()),
        Reply::Steps(steps) => Ok(stream(steps, dropped)),
        Reply::Bytes(bytes) => {
            Ok(Response::new(tonic::body::Body::new(http_body_util::Full::new(Bytes::from_static(bytes)))))
        }
    }
}

struct OnDrop(Arc<AtomicBool>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn stream(steps: Vec<Step>, dropped: Arc<AtomicBool>) -> Response<tonic::body::Body> {
    let guard = OnDrop(dropped);
    let frames = futures::stream::iter(steps.into_iter().map(Some).chain([None])).then(move |step| {
        let _alive = &guard;
        async move {
            match step {
                Some(Step::Message(message)) => {
                    let mut frame = vec![0];
                    frame.extend_from_slice(&u32::try_from(message.len()).unwrap().to_be_bytes());
                    frame.extend_from_slice(&message);
                    Some(Ok::<_, Infallible>(Frame::data(Bytes::from(frame))))
                }
                Some(Step::Wait(time)) => {
                    tokio::time::sleep(time).await;
                    None
                }
                Some(Step::End(status)) => Some(Ok(trailers(&status))),
                None => Some(Ok(trailers(&Status::ok("")))),
            }
        }
    });
    Response::new(tonic::body::Body::new(StreamBody::new(frames.filter_map(std::future::ready))))
}

fn trailers(status: &Status) -> Frame<Bytes> {
    let mut headers = HeaderMap::new();
    status.add_header(&mut headers).unwrap();
    Frame::trailers(headers)
}
