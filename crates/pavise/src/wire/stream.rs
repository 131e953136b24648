//! The messages of a call that answers a stream: over gRPC, over gRPC-web, and as server-sent events.

use anyhow::Context as _;
use bytes::Bytes;
use serde_json::Value;
use tonic::Streaming;

use super::grpc::{self, Frame};
use super::{Client, Failure, Surface, rest};

/// The messages of a call, as they come.
#[derive(Debug)]
pub struct Messages {
    client: Client,
    name: String,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Grpc(Streaming<Bytes>),
    /// The body of an answer, and what has come of it and was not taken.
    Web(reqwest::Response, Vec<u8>),
    Events(reqwest::Response, Vec<u8>),
}

impl Messages {
    pub(super) async fn open(client: &Client, name: &str, request: Value) -> Result<Self, Failure> {
        let (service, method) = client.find(name)?;
        let source = match client.surface {
            Surface::Grpc => Source::Grpc(grpc::stream(client, service, method, &request).await?),
            Surface::GrpcWeb => {
                let sent = grpc::prepare_web(client, service, method, &request)?;
                let response = sent.send().await.context("the server does not answer")?;
                if response.headers().contains_key("grpc-status") {
                    grpc::outcome(response.headers().clone(), Vec::new())?;
                }
                Source::Web(response, Vec::new())
            }
            Surface::Rest => {
                let sent = rest::prepare(client, service, method, request)?.header("accept", "text/event-stream");
                let response = sent.send().await.context("the server does not answer")?;
                if !response.status().is_success() {
                    let json: Value = response.json().await.context("the answer is no JSON")?;
                    return Err(Failure::Refused(rest::refusal(&json)));
                }
                Source::Events(response, Vec::new())
            }
        };
        Ok(Self { client: client.clone(), name: name.to_owned(), source })
    }

    /// The next message; `None` at the end of the stream.
    ///
    /// # Errors
    /// The refusal that ended the stream, or [`Failure::Broken`].
    pub async fn next(&mut self) -> Result<Option<Value>, Failure> {
        let message = match &mut self.source {
            Source::Grpc(stream) => {
                stream.message().await.map_err(|status| Failure::Refused(grpc::refusal(&status)))?.map(Vec::from)
            }
            Source::Web(response, buffer) => next_frame(response, buffer).await?,
            Source::Events(response, buffer) => return next_event(response, buffer).await,
        };
        let (_, method) = self.client.find(&self.name)?;
        Ok(message.map(|message| self.client.decode(method, &message)).transpose()?)
    }
}

/// Adds what comes next. Answers whether anything did.
async fn more(response: &mut reqwest::Response, buffer: &mut Vec<u8>) -> anyhow::Result<bool> {
    let chunk = response.chunk().await.context("the answer broke off")?;
    buffer.extend(chunk.iter().flatten());
    Ok(chunk.is_some())
}

async fn next_frame(response: &mut reqwest::Response, buffer: &mut Vec<u8>) -> Result<Option<Vec<u8>>, Failure> {
    loop {
        if let Some((frame, length)) = grpc::first_frame(buffer)? {
            buffer.drain(..length.min(buffer.len()));
            return match frame {
                Frame::Message(message) => Ok(Some(message)),
                Frame::Trailers(trailers) => {
                    grpc::outcome(http::HeaderMap::new(), trailers)?;
                    Ok(None)
                }
            };
        }
        if !more(response, buffer).await? {
            return Err(anyhow::anyhow!("the answer has no end").into());
        }
    }
}

async fn next_event(response: &mut reqwest::Response, buffer: &mut Vec<u8>) -> Result<Option<Value>, Failure> {
    loop {
        if let Some(end) = buffer.windows(2).position(|pair| pair == b"\n\n") {
            let event: Vec<u8> = buffer.drain(..end.saturating_add(2)).collect();
            let event = std::str::from_utf8(&event).context("an event is no text")?;
            let Some(data) = event.lines().find_map(|line| line.strip_prefix("data: ")) else { continue };
            let json: Value = serde_json::from_str(data).context("an event is no JSON")?;
            let is_error = event.lines().any(|line| line == "event: error");
            return if is_error { Err(Failure::Refused(rest::refusal(&json))) } else { Ok(Some(json)) };
        }
        if !more(response, buffer).await? {
            return Ok(None);
        }
    }
}
