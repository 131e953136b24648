//! One gRPC call below the facade: a frame out, frames back.

use bytes::{Buf, Bytes, BytesMut};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, Version};
use http_body_util::{BodyExt, Full};
use pavise_kernel::peers::Transport;
use pavise_kernel::services::Unary;
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::{Code, Extensions, Status};
use tower::{Service, ServiceExt};

/// The length of the prefix of a message: the flag of compression and the message's length.
pub(crate) const PREFIX: usize = 5;

/// A frame that a message can be appended to.
pub(crate) fn open_frame(capacity: usize) -> Vec<u8> {
    let mut frame = Vec::with_capacity(PREFIX + capacity);
    frame.extend_from_slice(&[0; PREFIX]);
    frame
}

/// Writes the length of the appended message into its frame.
pub(crate) fn close_frame(mut frame: Vec<u8>) -> Result<Bytes, Status> {
    let length = frame.len().saturating_sub(PREFIX);
    let length = u32::try_from(length).map_err(|_| Status::out_of_range("the message is larger than 4 GiB"))?;
    if let Some(place) = frame.get_mut(1..PREFIX) {
        place.copy_from_slice(&length.to_be_bytes());
    }
    Ok(Bytes::from(frame))
}

/// Calls a service in this process: the metadata of its answer, and its message.
///
/// # Errors
/// The refusal of the service, and an answer of more bytes than `limit`.
pub(crate) async fn direct(
    unary: &Unary,
    headers: HeaderMap,
    frame: Vec<u8>,
    limit: usize,
) -> Result<(HeaderMap, Bytes), Status> {
    let mut message = Bytes::from(frame);
    message.advance(PREFIX);
    let request = tonic::Request::from_parts(MetadataMap::from_headers(headers), Extensions::default(), message);
    let (metadata, message, _) = unary(request).await?.into_parts();
    if message.len() > limit {
        return Err(too_large());
    }
    Ok((metadata.into_headers(), message))
}

/// Sends a call and waits for the head of its answer.
///
/// # Errors
/// When the channel fails or the call is refused at once.
pub(crate) async fn call(
    transport: Transport,
    path: &PathAndQuery,
    headers: HeaderMap,
    frame: Bytes,
    limit: usize,
) -> Result<Answer, Status> {
    let mut request = Request::new(Body::new(Full::new(frame)));
    *request.headers_mut() = headers;
    send(transport, path, request, limit).await
}

/// Sends a call with its headers, whose body is there or goes on as it comes, and waits for the head of its answer.
///
/// # Errors
/// As [`call`].
pub(crate) async fn send(
    transport: Transport,
    path: &PathAndQuery,
    mut request: Request<Body>,
    limit: usize,
) -> Result<Answer, Status> {
    *request.method_mut() = Method::POST;
    *request.version_mut() = Version::HTTP_2;
    *request.uri_mut() = Uri::from(path.clone());
    let mut transport = transport;
    let ready = transport.ready().await.map_err(unavailable)?;
    let response = ready.call(request).await.map_err(unavailable)?;
    let (head, body) = response.into_parts();
    if let Some(status) = Status::from_header_map(&head.headers) {
        if status.code() != Code::Ok {
            return Err(status);
        }
    } else if head.status != StatusCode::OK {
        return Err(Status::unavailable(format!("the peer answers HTTP {}", head.status.as_u16())));
    }
    Ok(Answer { headers: head.headers, body, buffer: BytesMut::new(), trailers: None, limit })
}

/// The answer of a call: its metadata, and its messages one by one.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) headers: HeaderMap,
    body: Body,
    buffer: BytesMut,
    trailers: Option<HeaderMap>,
    limit: usize,
}

impl Answer {
    /// The only message.
    ///
    /// # Errors
    /// The status that the call ended with, if it is not OK.
    pub(crate) async fn only(&mut self) -> Result<Bytes, Status> {
        let Some(message) = self.next().await? else {
            return Err(Status::internal("a unary call was answered without a message"));
        };
        match self.next().await? {
            None => Ok(message),
            Some(_) => Err(Status::internal("a unary call was answered with several messages")),
        }
    }

    /// The next message; `None` when there are no more and the call succeeded.
    ///
    /// # Errors
    /// The status that the call ended with, if it is not OK.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Status> {
        loop {
            if let Some(message) = self.buffered()? {
                return Ok(Some(message));
            }
            let Some(frame) = self.body.frame().await else { return self.finish().map(|()| None) };
            let frame = frame.map_err(|status| {
                if status.code() == Code::Unknown { Status::unavailable(status.message()) } else { status }
            })?;
            match frame.into_data() {
                Ok(mut data) if self.buffer.is_empty() => {
                    // In process, and mostly over the network too, a message comes whole and is not copied.
                    if let Some(length) = self.whole(&data)? {
                        data.advance(PREFIX);
                        let message = data.split_to(length);
                        self.buffer.extend_from_slice(&data);
                        return Ok(Some(message));
                    }
                    self.buffer.extend_from_slice(&data);
                }
                Ok(data) => self.buffer.extend_from_slice(&data),
                Err(frame) => {
                    self.trailers = frame.into_trailers().ok();
                    return self.finish().map(|()| None);
                }
            }
        }
    }

    fn buffered(&mut self) -> Result<Option<Bytes>, Status> {
        let Some(length) = self.whole(&self.buffer)? else { return Ok(None) };
        self.buffer.advance(PREFIX);
        Ok(Some(self.buffer.split_to(length).freeze()))
    }

    /// The length of the message at the start of `data`, if it is complete.
    fn whole(&self, data: &[u8]) -> Result<Option<usize>, Status> {
        let Some((prefix, message)) = data.split_first_chunk::<PREFIX>() else { return Ok(None) };
        let [compressed, a, b, c, d] = *prefix;
        if compressed != 0 {
            return Err(Status::internal("the peer compresses without being asked"));
        }
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        if length > self.limit {
            return Err(too_large());
        }
        Ok((message.len() >= length).then_some(length))
    }

    fn finish(&self) -> Result<(), Status> {
        if !self.buffer.is_empty() {
            return Err(Status::unavailable("the answer breaks off"));
        }
        let status = match &self.trailers {
            Some(trailers) => Status::from_header_map(trailers),
            None => Status::from_header_map(&self.headers),
        };
        match status {
            Some(status) if status.code() == Code::Ok => Ok(()),
            Some(status) => Err(status),
            None => Err(Status::unavailable("the answer ends without a status")),
        }
    }
}

/// The headers that every gRPC call has.
pub(crate) fn grpc_headers(capacity: usize) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(capacity + 2);
    headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert(http::header::TE, HeaderValue::from_static("trailers"));
    headers
}

fn too_large() -> Status {
    Status::internal("the answer is larger than this server passes on")
}

fn unavailable(error: tower::BoxError) -> Status {
    match error.downcast::<Status>() {
        Ok(status) => *status,
        Err(error) => Status::unavailable(format!("{error}")),
    }
}
