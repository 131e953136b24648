//! Requests to the API of Stripe: forms, answered in JSON.

use std::fmt;
use std::time::Duration;

use pavise_kernel::{Error, Result};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::objects::{ApiError, ApiRefusal};
use crate::config::StripeConfig;

/// The version of the API that the objects are read by. Another one is adopted by changing this line and its tests.
const API_VERSION: &str = "2025-03-31.basil";
/// The share of the patience that the first wait between two tries has.
const FIRST_WAIT: u32 = 50;
/// The most bytes of an answer.
const LONGEST: usize = 8 << 20;

/// A request.
#[derive(Debug)]
pub(super) struct ApiRequest<'a> {
    method: Method,
    path: String,
    form: Vec<(&'a str, String)>,
    key: Option<String>,
}

impl<'a> ApiRequest<'a> {
    /// Reads.
    pub(super) fn get(path: String) -> Self {
        Self { method: Method::GET, path, form: Vec::new(), key: None }
    }

    /// Writes.
    pub(super) fn post(path: String) -> Self {
        Self { method: Method::POST, path, form: Vec::new(), key: None }
    }

    /// Adds a field.
    pub(super) fn with(mut self, name: &'a str, value: impl Into<String>) -> Self {
        self.form.push((name, value.into()));
        self
    }

    /// Lets a repeat within a day be answered as before.
    pub(super) fn once(mut self, key: String) -> Self {
        self.key = Some(key);
        self
    }

    fn encoded(&self) -> String {
        let mut encoder = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in &self.form {
            encoder.append_pair(name, value);
        }
        encoder.finish()
    }
}

/// An answer of the API: what was asked for, or why not.
pub(super) type ApiAnswer<T> = std::result::Result<T, ApiError>;

/// The API of one account.
pub(super) struct StripeClient {
    http: reqwest::Client,
    url: String,
    patience: Duration,
}

impl fmt::Debug for StripeClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The headers hold the key.
        f.debug_struct("StripeClient").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The result of one try.
enum TryResult {
    /// The API answered.
    Answered(StatusCode, Vec<u8>),
    /// It was not reached, or wants the request again later. Holds why.
    Again(String),
    /// It may have received the request. Holds why.
    Lost(String),
}

impl StripeClient {
    /// A client of that account.
    ///
    /// # Errors
    /// When this machine cannot make connections, or the key is none.
    pub(super) fn new(config: &StripeConfig) -> Result<Self> {
        // One provider of TLS for all of the process. Another part may have chosen the same one before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut key = HeaderValue::from_str(&format!("Bearer {}", config.api_key))
            .map_err(|_| Error::internal("the key of Stripe holds letters that no key has"))?;
        key.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, key);
        headers.insert("stripe-version", HeaderValue::from_static(API_VERSION));
        let mut builder =
            reqwest::Client::builder().default_headers(headers).redirect(reqwest::redirect::Policy::none());
        if config.api_url.starts_with("http://") {
            // A server on this machine is behind no proxy.
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| Error::internal(error.without_url()))?;
        Ok(Self { http, url: config.api_url.trim_end_matches('/').to_owned(), patience: config.patience })
    }

    /// Asks, again and again while the API says that it is too busy and there is time.
    ///
    /// # Errors
    /// When there is no answer in time. The API may have received the request.
    pub(super) async fn ask<T: DeserializeOwned>(&self, ask: &ApiRequest<'_>) -> Result<ApiAnswer<T>> {
        let end = Instant::now() + self.patience;
        let mut wait = self.patience / FIRST_WAIT;
        loop {
            let why = match self.try_once(ask, end).await {
                TryResult::Answered(status, body) => return read_answer(status, &body),
                TryResult::Lost(why) => return Err(Error::unavailable("the payment vendor", why)),
                TryResult::Again(why) => why,
            };
            let pause = with_jitter(wait);
            if Instant::now() + pause >= end {
                return Err(Error::unavailable("the payment vendor", why));
            }
            tokio::time::sleep(pause).await;
            wait *= 2;
        }
    }

    async fn try_once(&self, ask: &ApiRequest<'_>, end: Instant) -> TryResult {
        let left = end.saturating_duration_since(Instant::now());
        let encoded = ask.encoded();
        let is_read = ask.method == Method::GET;
        let query = if is_read && !encoded.is_empty() { format!("?{encoded}") } else { String::new() };
        let mut request = self.http.request(ask.method.clone(), format!("{}{}{query}", self.url, ask.path));
        if let Some(key) = &ask.key {
            request = request.header("idempotency-key", key);
        }
        if !is_read {
            request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(encoded);
        }
        let answer = match request.timeout(left).send().await {
            Ok(answer) => answer,
            // Nothing was sent.
            Err(error) if error.is_connect() && !error.is_timeout() => {
                return TryResult::Again("not reached".to_owned());
            }
            Err(error) => return TryResult::Lost(error.without_url().to_string()),
        };
        let status = answer.status();
        match answer.bytes().await {
            Ok(body) if body.len() > LONGEST => TryResult::Lost("the answer is too long".to_owned()),
            Ok(body) if is_for_later(status, &body) => TryResult::Again(format!("status {}", status.as_u16())),
            Ok(body) => TryResult::Answered(status, body.to_vec()),
            Err(error) => TryResult::Lost(error.without_url().to_string()),
        }
    }
}

/// Whether the API wants the request again later: it is too busy, has failed, or is at the same request still.
fn is_for_later(status: StatusCode, body: &[u8]) -> bool {
    if status == StatusCode::CONFLICT {
        let code = serde_json::from_slice::<ApiRefusal>(body).map(|refusal| refusal.error.code);
        return code.is_ok_and(|code| code == "idempotency_key_in_use" || code == "lock_timeout");
    }
    status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
}

fn read_answer<T: DeserializeOwned>(status: StatusCode, body: &[u8]) -> Result<ApiAnswer<T>> {
    let unreadable = |cause: serde_json::Error| {
        // The text of an answer holds personal data; the place of the fault does not.
        Error::unavailable("the payment vendor", format!("status {}, column {}", status.as_u16(), cause.column()))
    };
    if status.is_success() {
        return serde_json::from_slice(body).map(Ok).map_err(unreadable);
    }
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return Err(Error::unavailable("the payment vendor", "it does not know the key"));
    }
    let refusal: ApiRefusal = serde_json::from_slice(body).map_err(unreadable)?;
    Ok(Err(refusal.error))
}

/// Between half of a time and all of it: callers that were turned away together do not come back together.
fn with_jitter(wait: Duration) -> Duration {
    let random = std::collections::hash_map::RandomState::new();
    let bits = std::hash::BuildHasher::hash_one(&random, 0_u8);
    let share = u32::try_from(bits % 512).unwrap_or(0);
    wait / 2 + wait * share / 1024
}

/// A page of a list.
#[derive(Debug, Deserialize)]
pub(super) struct ListOf<T> {
    /// The items.
    pub(super) data: Vec<T>,
    /// Whether more follow.
    #[serde(default)]
    pub(super) has_more: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_never_shown() {
        let config = StripeConfig {
            api_key: "sk_test_secret".to_owned(),
            event_secrets: vec!["whsec_secret".to_owned()],
            api_url: "http://127.0.0.1:1/".to_owned(),
            patience: Duration::from_secs(1),
        };
        let shown = format!("{config:?} {:?}", StripeClient::new(&config).unwrap());
        assert!(!shown.contains("secret") && shown.contains("127.0.0.1"), "{shown}");
    }

    #[test]
    fn only_what_passes_is_asked_again() {
        let in_use = br#"{"error":{"type":"invalid_request_error","code":"idempotency_key_in_use"}}"#;
        assert!(is_for_later(StatusCode::CONFLICT, in_use));
        assert!(!is_for_later(StatusCode::CONFLICT, b"{}"));
        assert!(is_for_later(StatusCode::TOO_MANY_REQUESTS, b""));
        assert!(is_for_later(StatusCode::BAD_GATEWAY, b"<html>"));
        for status in [StatusCode::BAD_REQUEST, StatusCode::PAYMENT_REQUIRED, StatusCode::OK] {
            assert!(!is_for_later(status, b"{}"));
        }
        for _ in 0..100 {
            let wait = with_jitter(Duration::from_millis(1000));
            assert!(wait >= Duration::from_millis(500) && wait < Duration::from_millis(1000));
        }
    }

    #[test]
    fn a_form_is_escaped() {
        let ask = ApiRequest::post("/v1/x".to_owned()).with("metadata[a]", "b&c=d").with("n", "1");
        assert_eq!(ask.encoded(), "metadata%5Ba%5D=b%26c%3Dd&n=1");
    }
}
