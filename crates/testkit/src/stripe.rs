//! A stand-in of Stripe on this machine: real HTTP, with the objects and states of the public API reference.
//!
//! It knows customers, payment methods, setup and payment intents, the hosted page, refunds, disputes, balance transactions
//! and signed events. Its idempotency keys refuse other parameters. Tests make it busy, silent, slow to tell and wrong.
//! `tests/stripe/run.py` lets the official client library judge it.

mod api;
mod entry_page;
mod objects;
mod state;
mod trouble;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use api::Asked;
use state::State;

pub use objects::{BANK_ACCOUNT, CANADIAN_ACCOUNT, CARDS};
pub use trouble::Trouble;

/// The secret key that the server takes.
pub const API_KEY: &str = "sk_test_only_tests_know_this_key";
/// The secret that its events are signed with.
pub const EVENT_SECRET: &str = "whsec_only_tests_know_this_secret";

/// An event as it is delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedEvent {
    /// The body.
    pub body: Vec<u8>,
    /// The header `stripe-signature`.
    pub signature: String,
}

/// A payment at the vendor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendorPayment {
    /// The vendor's id of it.
    pub id: String,
    /// The merchant's reference.
    pub reference: String,
    /// The received amount, in minor units.
    pub received: i64,
}

/// A server, which ends with the test.
#[derive(Debug)]
pub struct StripeServer {
    url: String,
    state: Arc<Mutex<State>>,
    serving: JoinHandle<()>,
}

impl StripeServer {
    /// Serves on a free port. `now` is its time in seconds since 1970, which stands still.
    ///
    /// # Errors
    /// When there is no port.
    pub async fn start(now: i64) -> anyhow::Result<Self> {
        Self::start_at("127.0.0.1:0", now).await
    }

    /// Serves at an address.
    ///
    /// # Errors
    /// When the port is taken.
    pub async fn start_at(address: &str, now: i64) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let state = Arc::new(Mutex::new(State::new(url.clone(), now)));
        let shared = Arc::clone(&state);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = Arc::clone(&shared);
                tokio::spawn(async move {
                    let service = service_fn(move |request| answer(Arc::clone(&state), request));
                    let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        Ok(Self { url, state, serving })
    }

    /// Its address: `http://127.0.0.1:…`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sets its time, in seconds since 1970.
    pub fn set_time(&self, now: i64) {
        self.lock().now = now;
    }

    /// Meets the next request whose path ends so with a trouble.
    pub fn meet(&self, path: &str, trouble: Trouble) {
        self.lock().troubles.meet(path, trouble);
    }

    /// Meets so many of a hundred requests with silence, half of them after the work is done, and so many with 429.
    pub fn disturb(&self, seed: u64, silent: usize, busy: usize) {
        self.lock().troubles.disturb(seed, silent, busy);
    }

    /// Lets a silence end after a time: the connection breaks off, and no answer came. Without it, silence lasts for ever.
    pub fn break_silence_after(&self, time: Duration) {
        self.lock().silence = Some(time);
    }

    /// Ends all troubles.
    pub fn calm(&self) {
        self.lock().troubles.calm();
    }

    /// Makes a customer with a payment method of that kind ([`CARDS`], [`BANK_ACCOUNT`], [`CANADIAN_ACCOUNT`]). Answers
    /// `customer/method`, and for a Canadian account `customer/method/mandate`.
    #[must_use]
    pub fn add_method(&self, kind: &str) -> String {
        let mut state = self.lock();
        let customer = state.add_customer();
        let method = state.add_method(kind, &customer);
        if kind != CANADIAN_ACCOUNT {
            return format!("{customer}/{method}");
        }
        let mandate = state.add_mandate(&method);
        format!("{customer}/{method}/{mandate}")
    }

    /// Ends an agreement to drafts, as a member does at the bank.
    pub fn revoke_mandate(&self, mandate: &str) {
        self.lock().revoke_mandate(mandate);
    }

    /// Fills in the page of a session, as a member does. `url` is the page.
    pub fn fill_in(&self, url: &str, kind: &str, holder: &str) {
        let session = url.rsplit('/').next().unwrap_or_default().to_owned();
        self.lock().fill_in(&session, kind, holder);
    }

    /// Closes the page of a session.
    pub fn expire(&self, url: &str) {
        let session = url.rsplit('/').next().unwrap_or_default().to_owned();
        self.lock().expire(&session);
    }

    /// Confirms at the bank, as a member does. `url` is where the member was led.
    pub fn authenticate(&self, url: &str) {
        let intent = url.rsplit('/').next().unwrap_or_default().to_owned();
        self.lock().authenticate(&intent);
    }

    /// Ends a draft that is being processed: it succeeds, or the bank returns it with that decline code.
    pub fn end_draft(&self, payment: &str, returned: Option<&str>) {
        self.lock().end_draft(payment, returned);
    }

    /// Fails a refund that succeeded before: the bank of the member did not take it. The money is back on the balance.
    pub fn fail_refund(&self, refund: &str) {
        self.lock().fail_refund(refund);
    }

    /// Opens a dispute about a payment. Answers its id.
    #[must_use]
    pub fn open_dispute(&self, payment: &str) -> String {
        self.lock().open_dispute(payment)
    }

    /// Decides a dispute.
    pub fn close_dispute(&self, dispute: &str, won: bool) {
        self.lock().close_dispute(dispute, won);
    }

    /// Lets the movement of a payment or a refund vanish, or changes its amount.
    pub fn damage_movement(&self, payment: &str, amount: Option<i64>) {
        self.lock().damage_movement(payment, amount);
    }

    /// Adds a movement that nobody asked for. Answers the payment's id.
    #[must_use]
    pub fn add_movement(&self, amount: i64) -> String {
        self.lock().add_movement(amount)
    }

    /// All events so far, signed now with the secret.
    #[must_use]
    pub fn events(&self) -> Vec<SignedEvent> {
        let state = self.lock();
        state.events.iter().map(|body| sign_event(EVENT_SECRET, state.now, body.as_bytes())).collect()
    }

    /// All payments that received money.
    #[must_use]
    pub fn payments(&self) -> Vec<VendorPayment> {
        self.lock().list_payments()
    }

    /// The sum of all movements on the balance, in minor units.
    #[must_use]
    pub fn balance(&self) -> i64 {
        self.lock().sum_movements()
    }

    /// How many requests came in.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.lock().requests
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StripeServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Signs the body of an event at a time, in seconds since 1970.
#[must_use]
pub fn sign_event(secret: &str, at: i64, body: &[u8]) -> SignedEvent {
    SignedEvent { body: body.to_vec(), signature: format!("t={at},v1={}", state::sign(secret, at, body)) }
}

/// Answers a request, or is in trouble.
async fn answer(state: Arc<Mutex<State>>, request: Request<Incoming>) -> io::Result<Response<Full<Bytes>>> {
    let header =
        |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (key, authorization) = (header("idempotency-key"), header("authorization"));
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let query = request.uri().query().unwrap_or_default().to_owned();
    let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let asked = Asked::new(&method, &path, &query, &body, key);
    let trouble = lock(&state).next_trouble(&path);
    let answered = match trouble {
        Trouble::Busy => Some(api::busy()),
        Trouble::Failing => Some(api::failed()),
        Trouble::SilentBefore => None,
        Trouble::None => Some(lock(&state).serve(&asked, &authorization)),
        Trouble::SilentAfter => {
            let _ = lock(&state).serve(&asked, &authorization);
            None
        }
    };
    let Some((status, text)) = answered else {
        let silence = lock(&state).silence;
        let Some(time) = silence else {
            // Nobody answers; the client gives up.
            return std::future::pending().await;
        };
        tokio::time::sleep(time).await;
        return Err(io::Error::other("no answer"));
    };
    if status == api::SEE_OTHER {
        return Ok(lead_to(&text));
    }
    let kind = if text.starts_with('<') { "text/html; charset=utf-8" } else { "application/json" };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static(kind));
    response.headers_mut().insert("request-id", http::HeaderValue::from_static("req_test"));
    Ok(response)
}

/// Leads a browser to an address.
fn lead_to(address: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    match http::HeaderValue::from_str(address) {
        Ok(address) => {
            *response.status_mut() = StatusCode::SEE_OTHER;
            response.headers_mut().insert(http::header::LOCATION, address);
        }
        Err(_) => *response.status_mut() = StatusCode::BAD_REQUEST,
    }
    response
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
