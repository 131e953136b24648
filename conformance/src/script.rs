//! The service's desk: its next answers, and the requests that it received.
//!
//! `PUT /script` sets the answer of every call, and forgets the received requests. `GET /received` answers the
//! requests
//! since, as canonical JSON of prost-reflect: no transcoder under test takes part.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use axum::extract::State;
use axum::routing::{get, put};
use axum::{Json, Router};
use bytes::Bytes;
use http::StatusCode;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tonic::metadata::{KeyAndValueRef, MetadataMap};
use tonic::{Code, Status};

/// The answer to a call.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Script {
    /// The request, where the call answers its own message. For calls that do not, and without any answer: no field set.
    echo: bool,
    /// The answers: one, but several for streams.
    answers: Vec<Answer>,
    /// The final status of the call, if not OK.
    status: Option<Refusal>,
}

/// One message.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    /// In canonical JSON.
    Json(Value),
    /// In hexadecimal.
    Wire(String),
}

/// A gRPC status.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Refusal {
    code: i32,
    message: String,
    /// Messages of `google.rpc`, as the canonical JSON of `Any`.
    details: Vec<Value>,
}

/// A call that arrived.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Received {
    /// The call's name.
    call: String,
    /// Its message.
    message: Value,
    /// Its metadata, text only.
    metadata: BTreeMap<String, String>,
}

/// The answers of the service, and the requests that it received.
#[derive(Debug)]
pub(crate) struct Desk {
    pool: DescriptorPool,
    state: Mutex<(Script, Vec<Received>)>,
}

impl Desk {
    pub(crate) fn new(pool: DescriptorPool) -> Self {
        Self { pool, state: Mutex::default() }
    }

    /// Records the request and answers from the script.
    pub(crate) fn answer(
        &self,
        path: &str,
        message: &Bytes,
        metadata: &MetadataMap,
    ) -> Result<Vec<Result<Bytes, Status>>, Status> {
        let method = self.method(path).ok_or_else(|| Status::unimplemented(format!("the suite has no {path}")))?;
        let script = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.1.push(Received {
                call: method.name().to_owned(),
                message: shown(&method, message),
                metadata: text(metadata),
            });
            state.0.clone()
        };
        let mut steps = Vec::new();
        for answer in &script.answers {
            let wire = answer
                .wire(&method.output())
                .map_err(|error| Status::internal(format!("the script is wrong: {error:#}")))?;
            steps.push(Ok(wire));
        }
        let echoes = script.echo && method.input() == method.output();
        match script.status {
            Some(refusal) if steps.is_empty() => return Err(refusal.status(&self.pool)),
            Some(refusal) => steps.push(Err(refusal.status(&self.pool))),
            None if steps.is_empty() && echoes => steps.push(Ok(message.clone())),
            None if steps.is_empty() && !method.is_server_streaming() => steps.push(Ok(Bytes::new())),
            None => {}
        }
        Ok(steps)
    }

    /// The call at a path such as `/transcoding.conformance.v1.SuiteService/Get`.
    fn method(&self, path: &str) -> Option<MethodDescriptor> {
        let (service, method) = path.strip_prefix('/')?.split_once('/')?;
        self.pool.get_service_by_name(service)?.methods().find(|known| known.name() == method)
    }
}

impl Answer {
    fn wire(&self, output: &MessageDescriptor) -> anyhow::Result<Bytes> {
        match self {
            Self::Json(json) => Ok(DynamicMessage::deserialize(output.clone(), json)?.encode_to_vec().into()),
            Self::Wire(text) => {
                let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
                let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
                Ok(bytes.context("the answer is not hexadecimal")?.into())
            }
        }
    }
}

impl Refusal {
    fn status(&self, pool: &DescriptorPool) -> Status {
        let code = Code::from_i32(self.code);
        let details: anyhow::Result<Vec<prost_types::Any>> =
            self.details.iter().map(|detail| any(pool, detail)).collect();
        match details {
            Err(error) => Status::internal(format!("the script is wrong: {error:#}")),
            Ok(details) if details.is_empty() => Status::new(code, self.message.clone()),
            Ok(details) => {
                let status = tonic_types::pb::Status { code: self.code, message: self.message.clone(), details };
                Status::with_details(code, self.message.clone(), status.encode_to_vec().into())
            }
        }
    }
}

fn any(pool: &DescriptorPool, json: &Value) -> anyhow::Result<prost_types::Any> {
    let descriptor = pool.get_message_by_name("google.protobuf.Any").context("the suite imports Any")?;
    let message = DynamicMessage::deserialize(descriptor, json)?;
    Ok(prost_types::Any::decode(message.encode_to_vec().as_slice())?)
}

/// The request in canonical JSON, or the error in its place.
fn shown(method: &MethodDescriptor, message: &Bytes) -> Value {
    let decoded = DynamicMessage::decode(method.input(), message.clone());
    let json = decoded.map_err(anyhow::Error::from).and_then(|message| Ok(serde_json::to_value(message)?));
    json.unwrap_or_else(|error| serde_json::json!({ "error": format!("{error:#}") }))
}

fn text(metadata: &MetadataMap) -> BTreeMap<String, String> {
    let pairs = metadata.iter().filter_map(|pair| match pair {
        KeyAndValueRef::Ascii(key, value) => Some((key.to_string(), value.to_str().ok()?.to_owned())),
        KeyAndValueRef::Binary(..) => None,
    });
    pairs.collect()
}

/// The desk's own HTTP.
pub(crate) fn router(desk: Arc<Desk>) -> Router {
    Router::new().route("/script", put(write)).route("/received", get(read)).with_state(desk)
}

async fn write(State(desk): State<Arc<Desk>>, Json(script): Json<Script>) -> StatusCode {
    *desk.state.lock().unwrap_or_else(PoisonError::into_inner) = (script, Vec::new());
    StatusCode::NO_CONTENT
}

async fn read(State(desk): State<Arc<Desk>>) -> Json<Vec<Received>> {
    Json(std::mem::take(&mut desk.state.lock().unwrap_or_else(PoisonError::into_inner).1))
}
