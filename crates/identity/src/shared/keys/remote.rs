//! The keys of a process that does not run this domain.

use std::fmt;
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::future::BoxFuture;
use pavise_kernel::peers::Transport;
use pavise_kernel::token::{KeySource, VerifyingKey};
use pavise_kernel::{Error, Result as Answer};
use tonic::body::Body;
use tonic::{Code, Request};
use tower::{BoxError, Service};

use crate::contract::v1::token_service_client::TokenServiceClient;
use crate::contract::v1::{GetKeyRequest, PublicKey};

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks the process that runs this domain for the public halves of the keys.
#[derive(Clone)]
pub struct RemoteKeys(Transport);

impl RemoteKeys {
    /// Asks over `transport`, which leads to the identity domain.
    #[must_use]
    pub fn new(transport: Transport) -> Self {
        Self(transport)
    }
}

impl fmt::Debug for RemoteKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RemoteKeys")
    }
}

#[async_trait]
impl KeySource for RemoteKeys {
    async fn key(&self, kid: &str) -> Answer<Option<VerifyingKey>> {
        let mut request = Request::new(GetKeyRequest { key_id: kid.to_owned() });
        request.set_timeout(PATIENCE);
        match TokenServiceClient::new(Channel(self.0.clone())).get_key(request).await {
            Ok(answer) => read(answer.get_ref()).map(Some),
            Err(status) if status.code() == Code::NotFound => Ok(None),
            Err(status) => Err(Error::unavailable("the identity domain", status.code())),
        }
    }
}

/// The transport under a type of its own: the compiler cannot tell of the bare one that its calls can be sent.
#[derive(Clone)]
pub(crate) struct Channel(pub(crate) Transport);

impl Service<http::Request<Body>> for Channel {
    type Response = http::Response<Body>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        self.0.call(request)
    }
}

fn read(key: &PublicKey) -> Answer<VerifyingKey> {
    let bytes = URL_SAFE_NO_PAD.decode(&key.x).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let known = key.kty == "OKP" && key.crv == "Ed25519";
    let key = bytes.filter(|_| known).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    key.ok_or_else(|| Error::internal("the identity domain answered a key that is not one"))
}
