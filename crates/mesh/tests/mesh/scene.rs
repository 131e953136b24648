//! Servers with the answers that a test sets, and a caller.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use bytes::{Buf, Bytes};
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody};
use pavise_kernel::peers::Transport;
use pavise_mesh::{Drained, Endpoint, Serving, remote};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tower::{Service, ServiceExt};

pub(crate) const CALL: &str = "/pavise.shop.v1.OrderService/GetOrder";

/// An app that the scene can serve.
pub(crate) trait App:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl<S> App for S where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

/// A running server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) shutdown: CancellationToken,
    running: JoinHandle<Drained>,
}

impl Server {
    pub(crate) async fn start<S: App>(app: S) -> Self {
        Self::with(app, Serving { grace: Duration::from_secs(5), ..Serving::default() }).await
    }

    pub(crate) async fn with<S: App>(app: S, serving: Serving) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::on(listener, app, serving)
    }

    pub(crate) fn on<S: App>(listener: TcpListener, app: S, serving: Serving) -> Self {
        let address = listener.local_addr().unwrap();
        let shutdown = serving.shutdown.clone();
        Self { address, shutdown, running: tokio::spawn(serving.run(listener, app)) }
    }

    pub(crate) async fn stop(self) -> Drained {
        self.shutdown.cancel();
        self.running.await.unwrap()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A channel to the server; `reads` says which paths are reads.
    pub(crate) fn channel(&self, reads: fn(&str) -> bool) -> Transport {
        remote(&Endpoint::new(self.url()), reads).unwrap()
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }
}

/// An app that answers each request with the result of `answer`.
pub(crate) fn app<F, Fut>(answer: F) -> Router
where
    F: Fn(Request<Body>) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Response<Body>> + Send + 'static,
{
    Router::new().fallback(move |request: Request<Body>| answer(request))
}

/// A gRPC answer with one message.
pub(crate) fn message(content: &str) -> Response<Body> {
    messages(vec![content.to_owned()], Some(Status::ok("")))
}

/// A gRPC answer with these messages; without a status it stays open.
pub(crate) fn messages(contents: Vec<String>, status: Option<Status>) -> Response<Body> {
    let data = contents.into_iter().map(|content| {
        let mut frame = vec![0];
        frame.extend_from_slice(&u32::try_from(content.len()).unwrap().to_be_bytes());
        frame.extend_from_slice(content.as_bytes());
        Frame::data(Bytes::from(frame))
    });
    let open = status.is_none();
    let end = status.map(|status| {
        let mut trailers = HeaderMap::new();
        status.add_header(&mut trailers).unwrap();
        Frame::trailers(trailers)
    });
    let frames = data.chain(end).map(Ok::<_, std::convert::Infallible>).collect::<Vec<_>>();
    let mut response = if open {
        let frames = futures::StreamExt::chain(futures::stream::iter(frames), futures::stream::pending());
        Response::new(Body::new(StreamBody::new(frames)))
    } else {
        Response::new(Body::new(StreamBody::new(futures::stream::iter(frames))))
    };
    response.headers_mut().insert("content-type", HeaderValue::from_static("application/grpc"));
    response
}

/// Never answers.
pub(crate) async fn never(_: Request<Body>) -> Response<Body> {
    std::future::pending().await
}

pub(crate) fn request(path: &str, headers: &[(&'static str, &str)]) -> Request<tonic::body::Body> {
    let mut request = Request::new(tonic::body::Body::new(Full::new(Bytes::from_static(b"\0\0\0\0\x02hi"))));
    *request.method_mut() = http::Method::POST;
    *request.uri_mut() = path.parse().unwrap();
    request.headers_mut().insert("content-type", HeaderValue::from_static("application/grpc"));
    request.headers_mut().insert("te", HeaderValue::from_static("trailers"));
    for (name, value) in headers {
        request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
    }
    request
}

/// Makes a call: the text of its messages in order, or its refusal.
pub(crate) async fn call(transport: &Transport, headers: &[(&'static str, &str)]) -> Result<String, Status> {
    let mut transport = transport.clone();
    let ready = transport.ready().await.map_err(Status::from_error)?;
    let response = ready.call(request(CALL, headers)).await.map_err(Status::from_error)?;
    read(response).await
}

/// The text of an answer.
pub(crate) async fn read<B>(response: Response<B>) -> Result<String, Status>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<tower::BoxError>,
{
    let (head, body) = response.into_parts();
    if let Some(status) = Status::from_header_map(&head.headers) {
        return if status.code() == tonic::Code::Ok { Ok(String::new()) } else { Err(status) };
    }
    let collected = body.collect().await.map_err(|error| Status::from_error(error.into()))?;
    let trailers = collected.trailers().cloned().unwrap_or_default();
    let mut bytes = collected.to_bytes();
    let mut said = String::new();
    while bytes.len() >= 5 {
        bytes.advance(1);
        let length = usize::try_from(bytes.get_u32()).unwrap();
        said.push_str(std::str::from_utf8(&bytes.split_to(length)).unwrap());
    }
    match Status::from_header_map(&trailers) {
        Some(status) if status.code() == tonic::Code::Ok => Ok(said),
        Some(status) => Err(status),
        None => Err(Status::unknown("no status")),
    }
}

/// Sends a text over a plain connection and reads until it is closed.
pub(crate) async fn say(mut stream: TcpStream, text: &str) -> String {
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

pub(crate) const GET: &str = "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
