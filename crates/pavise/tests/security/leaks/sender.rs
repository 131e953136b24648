//! Sends a call, and keeps everything that the caller gets.

use std::time::Duration;

use bytes::Bytes;
use http::uri::PathAndQuery;
use pavise_contract::{Method, Service};
use pavise_kernel::peers::PeerChannel;
use pavise_mesh::BytesCodec;
use pavise_testapp::TestApp;
use tonic::{Request, Status};

/// The messages of an answer that are read at most: a stream can have more.
const MESSAGES: usize = 4;
/// The time that a stream has for its next message.
const PATIENCE: Duration = Duration::from_millis(20);
/// The time that a call has for its answer.
const LONG: Duration = Duration::from_secs(20);

/// An answer as it came.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) messages: Vec<Bytes>,
    pub(crate) status: Option<Status>,
}

/// Sends the encoded request as the bearer of the token.
pub(crate) async fn send(app: &TestApp, service: &Service, method: &Method, token: &str, request: Vec<u8>) -> Answer {
    let channel = PeerChannel::new(app.app.kernel.peers(), &service.domain, token, "", None);
    let path = format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name());
    let path: PathAndQuery = path.parse().unwrap();
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.unwrap();
    let mut answer = Answer::default();
    let mut messages = match client.server_streaming(Request::new(Bytes::from(request)), path, BytesCodec).await {
        Ok(response) => response.into_inner(),
        Err(status) => return Answer { status: Some(status), ..answer },
    };
    let patience = if method.descriptor.is_server_streaming() { PATIENCE } else { LONG };
    while answer.messages.len() < MESSAGES {
        match tokio::time::timeout(patience, messages.message()).await {
            Ok(Ok(Some(message))) => answer.messages.push(message),
            Ok(Ok(None)) | Err(_) => break,
            Ok(Err(status)) => {
                answer.status = Some(status);
                break;
            }
        }
    }
    answer
}
