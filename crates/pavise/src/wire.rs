//! One call over any surface: the same JSON goes out over REST, gRPC or gRPC-web, and the same JSON comes back. The
//! demonstration and the wire tests tell their story once and run it three times.

mod grpc;
mod rest;
mod stream;

use std::fmt;

use anyhow::Context as _;
use pavise_contract::{Contract, Method, Service};
use pavise_transcode::{FromJson, ToJson, Transcoder, Unknown};
use prost_reflect::DescriptorPool;
use serde_json::Value;

pub use stream::Messages;

/// The surface of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Surface {
    /// HTTP with JSON, on the documented paths.
    Rest,
    /// gRPC over HTTP/2.
    Grpc,
    /// gRPC-web over HTTP/1.1, as the browser sends it.
    GrpcWeb,
}

/// The builder of a client of HTTP. All parts of the process use one provider of TLS.
pub fn client_builder() -> reqwest::ClientBuilder {
    pavise_mesh::choose_tls_provider();
    reqwest::Client::builder()
}

impl Surface {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rest, Self::Grpc, Self::GrpcWeb];
}

/// A caller of a running server.
#[derive(Debug, Clone)]
pub struct Client {
    base: String,
    surface: Surface,
    contract: std::sync::Arc<Spoken>,
    http: reqwest::Client,
    token: String,
    headers: Vec<(&'static str, String)>,
}

/// The contract as the caller knows it.
struct Spoken {
    contract: Contract,
    transcoder: Transcoder,
}

/// A good answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The message.
    pub json: Value,
    /// The journal clock of the write; 0 when the answer names none.
    pub clock: i64,
    /// The entity's version tag; empty when the answer names none.
    pub etag: String,
}

/// A refusal, the same whatever the surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The canonical code's name.
    pub code: String,
    /// The reason; empty when the answer carried none.
    pub reason: String,
    /// The fields that break rules, in JSON spelling.
    pub fields: Vec<String>,
    /// The text for the caller.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {} {}", self.code, self.reason, self.message, self.fields.join(", "))
    }
}

/// The cause of a failed call.
#[derive(Debug)]
pub enum Failure {
    /// The server refused it.
    Refused(Refusal),
    /// It did not come through.
    Broken(anyhow::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Broken(error) => write!(f, "{error:#}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Broken(error)
    }
}

impl fmt::Debug for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spoken")
    }
}

impl Client {
    /// A caller without a token.
    ///
    /// # Errors
    /// When the contract cannot be read, which the build rules out.
    pub fn new(base: &str, surface: Surface, pool: &DescriptorPool) -> anyhow::Result<Self> {
        let contract = Spoken { contract: Contract::read(pool)?, transcoder: Transcoder::new(pool) };
        let http = client_builder().http1_only().build()?;
        let base = base.trim_end_matches('/').to_owned();
        Ok(Self {
            base,
            surface,
            contract: std::sync::Arc::new(contract),
            http,
            token: String::new(),
            headers: Vec::new(),
        })
    }

    /// The same caller with a token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self.clone() }
    }

    /// The same caller with a further header.
    #[must_use]
    pub fn with(&self, name: &'static str, value: &str) -> Self {
        let mut next = self.clone();
        next.headers.push((name, value.to_owned()));
        next
    }

    /// The same caller at another address.
    #[must_use]
    pub fn at(&self, base: &str) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), ..self.clone() }
    }

    /// Makes a call, named `orders.CreateOrder`: service as in the specification, then the RPC.
    ///
    /// # Errors
    /// [`Failure::Refused`] with the server's reason, or [`Failure::Broken`].
    pub async fn call(&self, name: &str, request: Value) -> Result<Answer, Failure> {
        let (service, method) = self.find(name)?;
        match self.surface {
            Surface::Rest => rest::call(self, service, method, request).await,
            Surface::Grpc => grpc::call(self, service, method, &request).await,
            Surface::GrpcWeb => grpc::call_web(self, service, method, &request).await,
        }
    }

    /// Makes a call that answers a stream; over REST by server-sent events.
    ///
    /// # Errors
    /// As [`Client::call`].
    pub async fn open(&self, name: &str, request: Value) -> Result<Messages, Failure> {
        Messages::open(self, name, request).await
    }

    fn find(&self, name: &str) -> anyhow::Result<(&Service, &Method)> {
        let (service, rpc) = name.split_once('.').with_context(|| format!("{name}: write service.Rpc"))?;
        let service =
            self.contract.contract.service(service).with_context(|| format!("there is no service {service}"))?;
        let method = service.methods.iter().find(|method| method.descriptor.name() == rpc);
        Ok((service, method.with_context(|| format!("{} has no call {rpc}", service.name))?))
    }

    fn encode(&self, method: &Method, request: &Value) -> anyhow::Result<Vec<u8>> {
        let schema = self
            .contract
            .transcoder
            .schema(method.descriptor.input().full_name())
            .context("no schema of the request")?;
        let mut wire = Vec::new();
        let json = serde_json::to_vec(request)?;
        schema
            .to_wire(&json, FromJson { unknown: Unknown::Refuse }, &mut wire)
            .map_err(|error| anyhow::anyhow!("{}: {}", error.path, error.message))?;
        Ok(wire)
    }

    fn decode(&self, method: &Method, wire: &[u8]) -> anyhow::Result<Value> {
        let schema = self.contract.transcoder.schema(method.output().full_name()).context("no schema of the answer")?;
        let mut json = Vec::new();
        schema.to_json(wire, ToJson { defaults: true, secrets: false }, &mut json)?;
        Ok(serde_json::from_slice(&json)?)
    }
}
