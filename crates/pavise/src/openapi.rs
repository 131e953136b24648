//! The OpenAPI document: printed by `pavise contract openapi`, served at `/openapi.json` and `/openapi/{service}.json`.
//!
//! A server makes a document at its first request and keeps it compressed; a document without requests costs nothing.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as Asked, State};
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use pavise_contract::Contract;
use pavise_kernel::hex::to_hex;
use pavise_kernel::{Common, Error};
use pavise_openapi::Source;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The document of all services, or of one.
///
/// # Errors
/// When there is no such service.
pub fn document(service: Option<&str>) -> anyhow::Result<Value> {
    let pool = crate::domains::pool(true)?;
    let contract = Contract::read(&pool)?;
    let precedence = crate::domains::precedence();
    let source =
        Source { pool: &pool, contract: &contract, precedence: &precedence, version: env!("CARGO_PKG_VERSION") };
    let made = pavise_openapi::document(&source, service);
    made.with_context(|| format!("there is no service {}", service.unwrap_or_default()))
}

/// The document as text, or a report of the written file.
///
/// # Errors
/// When there is no such service or the file cannot be written.
pub fn print(service: Option<&str>, out: Option<&Path>) -> anyhow::Result<String> {
    let text = serde_json::to_string_pretty(&document(service)?)? + "\n";
    let Some(out) = out else { return Ok(text) };
    std::fs::write(out, text).with_context(|| format!("{} cannot be written", out.display()))?;
    Ok(format!("{}\n", out.display()))
}

/// A document as it is served.
#[derive(Debug)]
struct Kept {
    etag: HeaderValue,
    gzip: Bytes,
}

/// The cache of a document; `None` for a document that could not be made.
type Place = Arc<OnceLock<Option<Kept>>>;

/// The documents so far, by service; each is made once.
#[derive(Debug, Clone, Default)]
struct Documents(Arc<Mutex<BTreeMap<String, Place>>>);

impl Documents {
    fn place(&self, service: &str) -> Place {
        let mut documents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        documents.entry(service.to_owned()).or_default().clone()
    }
}

/// `/openapi.json`, `/openapi/{service}.json`, and `/openapi/services.json` with the services' names.
pub fn router() -> Router {
    let all = |State(documents): State<Documents>, headers: HeaderMap| answer(documents, String::new(), headers);
    let one = |State(documents): State<Documents>, Asked(file): Asked<String>, headers: HeaderMap| async move {
        match file.strip_suffix(".json") {
            Some("services") => axum::Json(serde_json::json!({"services": services()})).into_response(),
            Some(service) if services().iter().any(|known| known == service) => {
                answer(documents, service.to_owned(), headers).await
            }
            _ => missing(),
        }
    };
    Router::new().route("/openapi.json", get(all)).route("/openapi/{file}", get(one)).with_state(Documents::default())
}

/// The services that have a document, by precedence; read once, so that unknown names cost nothing.
fn services() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let contract = crate::domains::pool(false).ok().and_then(|pool| Contract::read(&pool).ok());
        let served = |name: &String| {
            contract.as_ref().is_some_and(|one| pavise_openapi::services(one).any(|known| known == name))
        };
        crate::domains::precedence().into_iter().filter(served).collect()
    })
}

fn missing() -> Response {
    let error = Error::new(Common::RouteNotFound, "there is no such document; /openapi.json has all services");
    pavise_rest::refuse(&error.into_status("pavise", "")).into_response()
}

async fn answer(documents: Documents, service: String, headers: HeaderMap) -> Response {
    let place = documents.place(&service);
    let making = Arc::clone(&place);
    // Making a document takes a moment of computing, for which no other call should wait.
    let made = tokio::task::spawn_blocking(move || making.get_or_init(|| keep(&service)).is_some()).await;
    let Some(kept) = place.get().and_then(Option::as_ref).filter(|_| matches!(made, Ok(true))) else {
        return missing();
    };
    let fixed: [(HeaderName, HeaderValue); 3] = [
        (ETAG, kept.etag.clone()),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (VARY, HeaderValue::from_static("accept-encoding")),
    ];
    let said = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let known = |tag: &str| tag.trim() == "*" || Some(tag.trim()) == kept.etag.to_str().ok();
    if said(IF_NONE_MATCH).split(',').any(known) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    if said(ACCEPT_ENCODING).split(',').any(|one| one.trim().split(';').next() == Some("gzip")) {
        return (fixed, json, [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))], kept.gzip.clone())
            .into_response();
    }
    let mut plain = Vec::new();
    match std::io::copy(&mut GzDecoder::new(kept.gzip.as_ref()), &mut plain) {
        Ok(_) => (fixed, json, plain).into_response(),
        Err(_) => missing(),
    }
}

/// The compressed document of a service, or of all for the empty name.
fn keep(service: &str) -> Option<Kept> {
    let document = document((!service.is_empty()).then_some(service)).ok()?;
    let text = serde_json::to_vec(&document).ok()?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&text).ok()?;
    let hash = to_hex(&Sha256::digest(&text));
    // The tag is weak: the same document is sent with and without compression.
    let etag = HeaderValue::try_from(format!("W/\"{}\"", hash.get(..16)?)).ok()?;
    Some(Kept { etag, gzip: gzip.finish().ok()?.into() })
}
