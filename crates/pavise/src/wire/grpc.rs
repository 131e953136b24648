//! A call over gRPC and over gRPC-web.

use anyhow::Context as _;
use bytes::Bytes;
use pavise_contract::{Method, Service};
use pavise_mesh::BytesCodec;
use serde_json::Value;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::metadata::MetadataMap;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt as _;

use super::{Answer, Client, Failure, Refusal};

fn path(service: &Service, method: &Method) -> String {
    format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name())
}

pub(super) async fn call(
    client: &Client,
    service: &Service,
    method: &Method,
    request: &Value,
) -> Result<Answer, Failure> {
    let (mut grpc, sent, path) = prepare(client, service, method, request).await?;
    let answer = grpc.unary(sent, path, BytesCodec).await.map_err(|status| Failure::Refused(refusal(&status)))?;
    let text =
        |name: &str| answer.metadata().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (clock, etag) = (text("pavise-clock").parse().unwrap_or(0), text("etag"));
    Ok(Answer { json: client.decode(method, answer.get_ref())?, clock, etag })
}

/// Streams the messages of a call.
pub(super) async fn stream(
    client: &Client,
    service: &Service,
    method: &Method,
    request: &Value,
) -> Result<Streaming<Bytes>, Failure> {
    let (mut grpc, sent, path) = prepare(client, service, method, request).await?;
    let answer = grpc.server_streaming(sent, path, BytesCodec).await;
    Ok(answer.map_err(|status| Failure::Refused(refusal(&status)))?.into_inner())
}

/// A channel to the server, the request and its path.
async fn prepare(
    client: &Client,
    service: &Service,
    method: &Method,
    request: &Value,
) -> Result<(tonic::client::Grpc<Channel>, Request<Bytes>, PathAndQuery), Failure> {
    let endpoint = Endpoint::from_shared(client.base.clone()).context("no address")?;
    let channel = endpoint.connect().await.context("the server does not answer")?;
    let mut grpc = tonic::client::Grpc::new(channel);
    grpc.ready().await.context("the server does not answer")?;
    let mut sent = Request::new(Bytes::from(client.encode(method, request)?));
    for (name, value) in headers(client) {
        sent.metadata_mut().insert(name, value.parse().context("no metadata value")?);
    }
    Ok((grpc, sent, path(service, method).parse().context("no path")?))
}

pub(super) async fn call_web(
    client: &Client,
    service: &Service,
    method: &Method,
    request: &Value,
) -> Result<Answer, Failure> {
    let response = prepare_web(client, service, method, request)?.send().await.context("the server does not answer")?;
    let headers = response.headers().clone();
    let body = response.bytes().await.context("the answer broke off")?;
    let (message, trailers) = frames(&body)?;
    let metadata = outcome(headers, trailers)?;
    let text = |name: &str| metadata.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (clock, etag) = (text("pavise-clock").parse().unwrap_or(0), text("etag"));
    Ok(Answer { json: client.decode(method, &message)?, clock, etag })
}

/// The HTTP request of a call over gRPC-web.
pub(super) fn prepare_web(
    client: &Client,
    service: &Service,
    method: &Method,
    request: &Value,
) -> Result<reqwest::RequestBuilder, Failure> {
    let wire = client.encode(method, request)?;
    let mut frame = vec![0];
    frame.extend(u32::try_from(wire.len()).context("too large")?.to_be_bytes());
    frame.extend(wire);
    let mut sent = client
        .http
        .post(format!("{}{}", client.base, path(service, method)))
        .header("content-type", "application/grpc-web+proto")
        .header("x-grpc-web", "1");
    for (name, value) in headers(client) {
        sent = sent.header(name, value);
    }
    Ok(sent.body(frame))
}

/// The metadata of an answer over gRPC-web: its headers and its trailers.
///
/// # Errors
/// The refusal in the status.
pub(super) fn outcome(headers: http::HeaderMap, trailers: Trailers) -> Result<MetadataMap, Failure> {
    let mut metadata = MetadataMap::from_headers(headers);
    for (name, value) in trailers {
        if let (Ok(name), Ok(value)) = (name.parse::<tonic::metadata::AsciiMetadataKey>(), value.parse()) {
            metadata.insert(name, value);
        } else if let (Ok(name), Ok(value)) = (http::HeaderName::try_from(name), http::HeaderValue::try_from(value)) {
            let mut all = metadata.into_headers();
            all.insert(name, value);
            metadata = MetadataMap::from_headers(all);
        }
    }
    let status = Status::from_header_map(metadata.as_ref()).context("the answer has no grpc-status")?;
    if status.code() != tonic::Code::Ok {
        return Err(Failure::Refused(refusal(&status)));
    }
    Ok(metadata)
}

fn headers(client: &Client) -> impl Iterator<Item = (&'static str, String)> + '_ {
    let token = (!client.token.is_empty()).then(|| ("authorization", format!("Bearer {}", client.token)));
    token.into_iter().chain(client.headers.iter().cloned())
}

/// The trailers of an answer over gRPC-web.
pub(super) type Trailers = Vec<(String, String)>;

/// A frame of a gRPC-web body.
pub(super) enum Frame {
    /// A message, or a part of it.
    Message(Vec<u8>),
    /// The end.
    Trailers(Trailers),
}

/// The first frame of a part of a gRPC-web body, and its length; `None` if the rest of it is still to come.
pub(super) fn first_frame(body: &[u8]) -> anyhow::Result<Option<(Frame, usize)>> {
    let Some((head, rest)) = body.split_at_checked(5) else { return Ok(None) };
    let [flag, length @ ..] = head else { anyhow::bail!("a frame broke off") };
    let length = usize::try_from(u32::from_be_bytes(length.try_into()?))?;
    let Some(content) = rest.get(..length) else { return Ok(None) };
    let frame = if flag & 0x80 == 0 {
        Frame::Message(content.to_vec())
    } else {
        let lines = std::str::from_utf8(content)?.lines().filter_map(|line| line.split_once(':'));
        Frame::Trailers(lines.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect())
    };
    Ok(Some((frame, head.len().saturating_add(length))))
}

/// The message and the trailers of a gRPC-web body.
fn frames(mut body: &[u8]) -> anyhow::Result<(Vec<u8>, Trailers)> {
    let (mut message, mut trailers) = (Vec::new(), Vec::new());
    while !body.is_empty() {
        let (frame, length) = first_frame(body)?.context("a frame broke off")?;
        match frame {
            Frame::Message(content) => message.extend(content),
            Frame::Trailers(lines) => trailers.extend(lines),
        }
        body = body.get(length..).unwrap_or_default();
    }
    Ok((message, trailers))
}

pub(super) fn refusal(status: &Status) -> Refusal {
    let details = status.get_error_details();
    let fields = details
        .bad_request()
        .map(|bad| bad.field_violations.iter().map(|violation| json_path(&violation.field)).collect());
    Refusal {
        code: pavise_kernel::code_name(status.code()).to_owned(),
        reason: details.error_info().map(|info| info.reason.clone()).unwrap_or_default(),
        fields: fields.unwrap_or_default(),
        message: status.message().to_owned(),
    }
}

/// A proto field path as JSON spells it.
fn json_path(path: &str) -> String {
    let mut upper = false;
    path.chars().fold(String::new(), |mut out, letter| {
        if letter == '_' {
            upper = true;
        } else {
            out.push(if std::mem::take(&mut upper) { letter.to_ascii_uppercase() } else { letter });
        }
        out
    })
}
