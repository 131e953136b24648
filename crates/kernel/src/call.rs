//! A call in progress: its caller, its time and its conditions. A handler takes everything that it uses from here.

pub mod access;
pub mod caller;
pub mod disclosures;
pub mod in_flight;
pub(crate) mod open_streams;
pub mod peers;
mod rate_limits;
pub mod revoked;
pub mod scope;
pub mod security;
pub(crate) mod serve;
pub mod services;
pub mod stream;
pub mod ties;
pub mod token;
pub mod trace_context;
pub(crate) mod undeclared_reasons;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use http::header::{IF_MATCH, USER_AGENT};
use http::{HeaderName, HeaderValue};
use pavise_contract::common::v1::Date;
use pavise_contract::table::{Method, ScopeKind};
use prost_types::Timestamp;
use sha2::{Digest, Sha256};
use tonic::metadata::MetadataMap;

use crate::call::access::Belongs;
use crate::call::caller::Caller;
use crate::call::peers::PeerChannel;
use crate::call::rate_limits::Paced;
use crate::call::trace_context::TRACEPARENT;
use crate::entity::aggregate::{Aggregate, Recipient};
use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::read::children::Admitted;
use crate::time::{self, Micros};

/// The deadline of a call whose caller gives none.
const PATIENCE: Duration = Duration::from_secs(30);

/// Letters of the user agent that are kept.
const LONGEST_AGENT: usize = 200;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const MIN_CLOCK: HeaderName = HeaderName::from_static("min-clock");
const VALIDATE_ONLY: HeaderName = HeaderName::from_static("pavise-validate-only");
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
/// The session's cookies of a browser, under their plain names. The port's own layer sets it; no page of another origin
/// can.
pub const COOKIES: HeaderName = HeaderName::from_static("pavise-cookies");
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");
const CALLERS_AGENT: HeaderName = HeaderName::from_static("pavise-user-agent");

/// A call in progress; cheap to clone.
#[derive(Debug, Clone)]
pub struct Call(Arc<Parts>);

#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) kernel: Kernel,
    pub(crate) method: &'static Method,
    pub(crate) caller: Arc<Caller>,
    pub(crate) owner: Option<String>,
    /// The scopes that the request names.
    pub(crate) named: Vec<(ScopeKind, String)>,
    /// The fields of the call's aggregate that the request fixes, with their values.
    pub(crate) scope: Vec<(&'static str, String)>,
    pub(crate) conditions: Conditions,
    pub(crate) now: Micros,
    /// The parent of the children that the call is about.
    pub(crate) parent: Mutex<Option<Admitted>>,
    /// Version and clock of the answer's entity, for the answer's headers.
    pub(crate) mark: Mutex<Mark>,
    /// The cookies that the answer sets.
    pub(crate) cookies: Mutex<Vec<Private>>,
    /// The identity that the caller says to be, for security events.
    pub(crate) about: Mutex<String>,
}

impl Parts {
    /// The call for its rate limits.
    pub(crate) fn paced<'a>(&'a self, recipient: Recipient<'a>) -> Paced<'a> {
        let (caller, address) = (&*self.caller, self.conditions.address.as_str());
        Paced { method: self.method, caller, owner: self.owner.as_deref(), recipient, address }
    }

    /// The scopes that the request names.
    pub(crate) fn named(&self) -> Vec<(ScopeKind, &str)> {
        self.named.iter().map(|(kind, id)| (*kind, id.as_str())).collect()
    }
}

/// Version and clock for the answer's headers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mark {
    pub(crate) version: i64,
    pub(crate) clock: i64,
}

/// A text that is never shown, because it may hold a token.
#[derive(Clone, Default)]
pub(crate) struct Private(pub(crate) String);

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// The conditions in the request's metadata.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    pub(crate) idempotency: Option<String>,
    pub(crate) request_digest: String,
    pub(crate) if_match: Option<i64>,
    pub(crate) min_clock: Option<i64>,
    pub(crate) validate_only: bool,
    pub(crate) request_id: String,
    pub(crate) traceparent: String,
    pub(crate) trace_id: String,
    pub(crate) address: String,
    pub(crate) user_agent: String,
    pub(crate) cookies: Private,
    pub(crate) deadline: Option<Instant>,
}

impl Conditions {
    /// Reads the metadata of a request.
    pub(crate) fn read(metadata: &MetadataMap, kernel: &Kernel, now: Micros) -> Result<Self> {
        let headers = metadata.as_ref();
        let text = |name: &HeaderName| {
            headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim).unwrap_or_default()
        };
        let bad = |name: &HeaderName, why: &str| {
            Error::new(Common::InvalidMetadata, format!("{name} {why}")).with("header", name.as_str())
        };
        // A condition that cannot be read is refused. If it counted as absent, the write would happen without it.
        for name in [IF_MATCH, MIN_CLOCK, VALIDATE_ONLY, TIMEOUT] {
            if headers.get(&name).is_some_and(says_nothing) {
                return Err(bad(&name, "must have a value, of printable ASCII"));
            }
        }
        let idempotency = match headers.get(IDEMPOTENCY_KEY) {
            None => None,
            Some(value) => match value.to_str() {
                Ok(key) if (1..=128).contains(&key.len()) => Some(key.to_owned()),
                _ => return Err(bad(&IDEMPOTENCY_KEY, "must be 1 to 128 printable ASCII characters")),
            },
        };
        let if_match = match text(&IF_MATCH) {
            "" | "*" => None,
            tag => Some(version_of(tag).ok_or_else(|| bad(&IF_MATCH, "must be the version from the answer's ETag"))?),
        };
        let min_clock = match text(&MIN_CLOCK) {
            "" => None,
            clock => Some(
                clock
                    .parse::<i64>()
                    .ok()
                    .filter(|clock| *clock >= 0)
                    .ok_or_else(|| bad(&MIN_CLOCK, "must be a clock"))?,
            ),
        };
        let validate_only = match text(&VALIDATE_ONLY) {
            "" | "false" => false,
            "true" => true,
            _ => return Err(bad(&VALIDATE_ONLY, "must be true or false")),
        };
        let patience = match text(&TIMEOUT) {
            "" => PATIENCE,
            value => timeout(value).ok_or_else(|| bad(&TIMEOUT, "must be digits and one of H M S m u n"))?,
        };
        let request_id = match text(&REQUEST_ID) {
            id if (1..=64).contains(&id.len())
                && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') =>
            {
                id.to_owned()
            }
            _ => kernel.ids().next(now),
        };
        let (traceparent, trace_id) = match trace_context::named_by(headers) {
            Some(trace) => (text(&TRACEPARENT).to_owned(), trace.to_owned()),
            None => trace_context::begin(kernel.ids()),
        };
        // Only the last address is trusted: each proxy appends its caller's address, and a caller may invent earlier
        // ones.
        let address = text(&FORWARDED).rsplit(',').next().unwrap_or_default().trim().chars().take(64).collect();
        let user_agent = match text(&CALLERS_AGENT) {
            "" => text(&USER_AGENT),
            sent => sent,
        };
        let user_agent = user_agent.chars().filter(|letter| !letter.is_control()).take(LONGEST_AGENT).collect();
        let cookies = text(&COOKIES).to_owned();
        let deadline = Instant::now().checked_add(patience);
        let request_digest = String::new();
        Ok(Self {
            idempotency,
            request_digest,
            if_match,
            min_clock,
            validate_only,
            request_id,
            traceparent,
            trace_id,
            address,
            user_agent,
            cookies: Private(cookies),
            deadline,
        })
    }
}

impl Call {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0
    }

    pub(crate) fn mark(&self, version: i64, clock: i64) {
        *self.0.mark.lock().unwrap_or_else(PoisonError::into_inner) = Mark { version, clock };
    }

    /// Version and clock of the answer's entity, as far as they are known.
    pub(crate) fn marked(&self) -> Mark {
        *self.0.mark.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kernel.
    #[must_use]
    pub fn kernel(&self) -> &Kernel {
        &self.0.kernel
    }

    /// The value of this type that the call's domain provided when it was built.
    ///
    /// # Errors
    /// `INTERNAL` when there is none: an error of the program.
    pub fn provided<T: Any + Send + Sync>(&self) -> Result<Arc<T>> {
        self.0.kernel.provided()
    }

    /// The call's row in the contract.
    #[must_use]
    pub fn method(&self) -> &'static Method {
        self.0.method
    }

    /// The caller.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.0.caller
    }

    /// The member whom the request names, or the caller.
    #[must_use]
    pub fn owner(&self) -> &str {
        self.0.owner.as_deref().unwrap_or(&self.0.caller.identity)
    }

    /// The time when the call began. It stays the same during the call.
    #[must_use]
    pub fn now(&self) -> Micros {
        self.0.now
    }

    /// The time when the call began, as a message.
    #[must_use]
    pub fn timestamp(&self) -> Timestamp {
        time::timestamp(self.0.now)
    }

    /// The UTC day of the call.
    #[must_use]
    pub fn today(&self) -> Date {
        time::date(self.0.now)
    }

    /// The id of the request, as journals show it.
    #[must_use]
    pub fn request_id(&self) -> &str {
        &self.0.conditions.request_id
    }

    /// The caller's network address, as the nearest proxy or the connection reports it; empty when neither does.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.0.conditions.address
    }

    /// The caller's name for its own program, such as a browser or an app. The caller can invent it.
    #[must_use]
    pub fn user_agent(&self) -> &str {
        &self.0.conditions.user_agent
    }

    /// The value of a cookie that came with the call.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let pairs = self.0.conditions.cookies.0.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find_map(|(known, value)| (known == name && !value.is_empty()).then_some(value))
    }

    /// Sets a cookie with the answer, unless the call is refused or only validates.
    pub fn set_cookie(&self, cookie: String) {
        if !self.validate_only() {
            self.0.cookies.lock().unwrap_or_else(PoisonError::into_inner).push(Private(cookie));
        }
    }

    /// Whether the call only validates: it writes nothing and starts nothing outside.
    #[must_use]
    pub fn validate_only(&self) -> bool {
        self.0.conditions.validate_only
    }

    /// Checks an id that the caller gives to a new entity: 1 to 64 of the characters that a path holds as they are.
    ///
    /// # Errors
    /// `INVALID_FIELD`.
    pub fn check_given_id(&self, field: &'static str, id: &str) -> Result<()> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        if (1..=64).contains(&id.len()) && id.bytes().all(plain) && !id.bytes().all(|byte| byte == b'.') {
            return Ok(());
        }
        Err(Error::field(field, "must be 1 to 64 letters, digits and characters of -_.~, and not only dots"))
    }

    /// A new id.
    #[must_use]
    pub fn new_id(&self) -> String {
        self.0.kernel.ids().next(self.0.now)
    }

    /// An id that is the same in each repeat of this call with the same idempotency key, for work of several commits. A
    /// call without a key gets a new id.
    #[must_use]
    pub fn repeatable_id(&self, label: &str) -> String {
        let Some(key) = self.idempotency_key() else { return self.new_id() };
        let digest = Sha256::digest(format!("{}\n{key}\n{label}", self.0.method.path));
        let mut bytes = [0; 16];
        for (to, from) in bytes.iter_mut().zip(digest) {
            *to = from;
        }
        uuid::Builder::from_custom_bytes(bytes).into_uuid().to_string()
    }

    /// Whether the caller gave an idempotency key. A repeat of the call can then find the work that this call began.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.0.conditions.idempotency.is_some()
    }

    /// A channel to another domain for its generated client. It acts as the platform, within this call's deadline and
    /// trace.
    #[must_use]
    pub fn peer(&self, domain: &str) -> PeerChannel {
        let conditions = &self.0.conditions;
        PeerChannel::new(
            self.0.kernel.peers(),
            domain,
            &self.0.kernel.token(),
            &conditions.traceparent,
            conditions.deadline,
        )
        .own()
    }

    /// A request to a peer that takes effect once, however often this call is repeated. Its idempotency key is made of
    /// this call's key and `step`.
    #[must_use]
    pub fn peer_request<M>(&self, message: M, step: &str) -> tonic::Request<M> {
        // The digest holds the call's path, because a caller's keys are unique within one service only. Without a key,
        // the base holds the caller and the time besides the request id. Any caller may send one request id with many
        // calls, and one call must not answer another.
        let base = self.idempotency_key().unwrap_or_else(|| {
            let caller = &self.0.caller;
            format!("{}\n{}\n{}\n{}", caller.identity, caller.acting(), self.0.conditions.request_id, self.0.now)
        });
        let digest = hex(&Sha256::digest(format!("{}\n{base}\n{step}", self.0.method.path)));
        let mut request = tonic::Request::new(message);
        if let Ok(value) = digest.parse() {
            request.metadata_mut().insert("idempotency-key", value);
        }
        request
    }

    /// Whether the caller may know of an entity.
    #[must_use]
    pub fn sees<A: Aggregate>(&self, entity: &A) -> bool {
        let parts = self.parts();
        let own = parts.method.aggregate.is_some_and(|table| table.name == A::TABLE.name);
        if own && parts.scope.iter().any(|(field, value)| entity.scope_value(field) != Some(value)) {
            return false;
        }
        if let Some(parent) = A::PARENT {
            return self.admits(parent, entity.parent_id());
        }
        if A::TABLE.shared && !access::shows(A::TABLE, &parts.caller, entity.head().status) {
            return false;
        }
        if !self.reaches(entity) {
            return false;
        }
        let owner = parts.owner.as_deref().filter(|_| !A::TABLE.shared);
        let belongs = Belongs { owner: entity.head().owner_id, scopes: &entity.scopes() };
        access::visible(parts.method, &parts.caller, (owner, &parts.named()), A::TABLE, belongs)
    }

    /// Whether the caller has a role that the call's access rule names.
    #[must_use]
    pub fn has_role(&self, name: &str) -> bool {
        access::has_role(self.method(), self.caller(), name)
    }

    /// Refuses callers who lack a role that the call's access rule names.
    ///
    /// # Errors
    /// `PERMISSION_MISSING`, `REALM_NOT_ALLOWED`.
    pub fn require_role(&self, name: &str) -> Result<()> {
        access::require_role(self.method(), self.caller(), name)
    }

    /// Refuses a caller without a fresh proof, for a rule that depends on what the call changes.
    ///
    /// # Errors
    /// `PROOF_NEEDED`.
    pub fn require_fresh_proof(&self) -> Result<()> {
        access::require_fresh_proof(self.caller(), self.now())
    }

    /// The idempotency key, scoped by the caller.
    pub(crate) fn idempotency_key(&self) -> Option<String> {
        let key = self.0.conditions.idempotency.as_ref()?;
        let caller = &self.0.caller;
        let scope = format!("{}\n{}\n{}\n{key}", access::realm_name(caller.realm), caller.identity, caller.acting());
        Some(hex(&Sha256::digest(scope)))
    }
}

/// Lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// Whether a header is present but holds no readable text.
fn says_nothing(value: &HeaderValue) -> bool {
    value.to_str().map_or(true, |text| text.trim().is_empty())
}

/// The version in an ETag: `W/"3"`, `"3"` or `3`.
fn version_of(tag: &str) -> Option<i64> {
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    let tag = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag);
    tag.parse().ok().filter(|version| *version > 0)
}

/// A gRPC time-out.
fn timeout(value: &str) -> Option<Duration> {
    let split = value.len().checked_sub(1)?;
    let (digits, unit) = (value.get(..split)?, value.get(split..)?);
    let count = digits.parse::<u64>().ok().filter(|_| digits.len() <= 8)?;
    match unit {
        "H" => Some(Duration::from_secs(count.saturating_mul(3600))),
        "M" => Some(Duration::from_secs(count.saturating_mul(60))),
        "S" => Some(Duration::from_secs(count)),
        "m" => Some(Duration::from_millis(count)),
        "u" => Some(Duration::from_micros(count)),
        "n" => Some(Duration::from_nanos(count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_without_words_is_none_that_holds() {
        for silent in [&b""[..], b" ", b"\xff"] {
            assert!(says_nothing(&HeaderValue::from_bytes(silent).unwrap()), "{silent:?}");
        }
        assert!(!says_nothing(&HeaderValue::from_static("*")));
    }

    #[test]
    fn etags_in_every_spelling_name_a_version() {
        assert_eq!([r#"W/"3""#, r#""3""#, "3"].map(version_of), [Some(3); 3]);
        assert_eq!(["", "W/", "x", "-1", "0", "\""].map(version_of), [None; 6]);
    }

    #[test]
    fn timeouts_are_read_as_grpc_writes_them() {
        assert_eq!(timeout("250m"), Some(Duration::from_millis(250)));
        assert_eq!(timeout("1H"), Some(Duration::from_secs(3600)));
        assert_eq!(["", "m", "1", "123456789S", "1x", "é"].map(timeout), [None; 6]);
    }
}
