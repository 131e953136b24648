//! A call in progress: its caller, its time and its conditions. A handler takes everything that it uses from here.

pub mod access;
pub mod bytes;
pub mod caller;
pub(crate) mod disclosure_notes;
pub mod disclosures;
pub mod held_scopes;
pub(crate) mod idempotency;
pub mod in_flight;
pub mod messages;
pub mod metadata;
pub(crate) mod open_streams;
pub mod patience;
pub(crate) mod peer_calls;
pub mod peers;
mod rate_limits;
pub mod refusal_log;
pub mod revoked;
pub mod scope;
pub mod security;
pub(crate) mod security_notes;
pub(crate) mod serve;
pub mod services;
pub mod stream;
pub mod ties;
pub mod token;
pub mod trace_context;
pub(crate) mod undeclared_reasons;

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use pavise_contract::common::v1::Date;
use pavise_contract::table::{Method, ScopeKind};
use prost_types::Timestamp;
use sha2::{Digest, Sha256};

use crate::call::bytes::upload::{Incoming, Upload};
use crate::call::caller::Caller;
use crate::call::metadata::{Conditions, Private};
use crate::error::{Error, Result};
use crate::hex::to_hex;
use crate::kernel::Kernel;
use crate::time::{self, Micros};

pub use crate::call::metadata::COOKIES;

/// A call in progress; cheap to clone.
#[derive(Debug, Clone)]
pub struct Call(Arc<CallState>);

#[derive(Debug)]
pub(crate) struct CallState {
    pub(crate) kernel: Kernel,
    pub(crate) method: &'static Method,
    pub(crate) caller: Arc<Caller>,
    pub(crate) owner: Option<String>,
    /// The scopes that the request names.
    pub(crate) named: Vec<(ScopeKind, String)>,
    /// The fields of the call's aggregate that the request fixes, with their values.
    pub(crate) scope: Vec<(&'static str, String)>,
    /// The reason of a call that reveals; empty for others.
    pub(crate) reason: String,
    pub(crate) conditions: Conditions,
    /// When it began, in business time.
    pub(crate) now: Micros,
    /// When it began, in machine time.
    pub(crate) machine_now: Micros,
    /// The parent of the children that the call is about.
    pub(crate) parent: Mutex<Option<Admitted>>,
    /// Version and clock of the answer's entity, for the answer's headers.
    pub(crate) mark: Mutex<CommitMark>,
    /// The cookies that the answer sets.
    pub(crate) cookies: Mutex<Vec<Private>>,
    /// The identity that the caller says to be, for security events.
    pub(crate) about: Mutex<String>,
}

impl CallState {
    /// The scopes that the request names.
    pub(crate) fn named(&self) -> Vec<(ScopeKind, &str)> {
        self.named.iter().map(|(kind, id)| (*kind, id.as_str())).collect()
    }

    /// The digest of the request, with that of its file if it takes one.
    ///
    /// # Errors
    /// When the file was not read to its end.
    pub(crate) fn request_digest(&self) -> Result<String> {
        let digest = &self.conditions.request_digest;
        let Some(incoming) = &self.conditions.incoming else { return Ok(digest.clone()) };
        let content = incoming.content();
        let content = content.ok_or_else(|| Error::internal("a call answers before it has read its file"))?;
        Ok(to_hex(&Sha256::digest(format!("{digest}\n{content}"))))
    }

    /// Reads a file to its end that no work of the call takes, because its answer is known.
    pub(crate) async fn read_content(&self) -> Result<()> {
        match &self.conditions.incoming {
            Some(incoming) => incoming.drain().await,
            None => Ok(()),
        }
    }

    /// Whether the request can be compared with an earlier one.
    pub(crate) fn is_repeatable(&self) -> bool {
        let is_read = self.conditions.incoming.as_ref().is_none_or(|incoming| incoming.content().is_some());
        self.conditions.idempotency.is_some() && is_read
    }
}

/// The parent that a call has admitted: the name of its table, its id, and its owner.
pub(crate) type Admitted = (&'static str, String, String);

/// Version and clock for the answer's headers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CommitMark {
    pub(crate) version: i64,
    pub(crate) clock: i64,
}

impl Call {
    pub(crate) fn new(parts: CallState) -> Self {
        Self(Arc::new(parts))
    }

    pub(crate) fn parts(&self) -> &CallState {
        &self.0
    }

    pub(crate) fn mark(&self, version: i64, clock: i64) {
        *self.0.mark.lock().unwrap_or_else(PoisonError::into_inner) = CommitMark { version, clock };
    }

    /// Version and clock of the answer's entity, as far as they are known.
    pub(crate) fn marked(&self) -> CommitMark {
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
    pub fn find_provided<T: Any + Send + Sync>(&self) -> Result<Arc<T>> {
        self.0.kernel.find_provided()
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

    /// The business time when the call began. It stays the same during the call.
    #[must_use]
    pub fn now(&self) -> Micros {
        self.0.now
    }

    /// The business time when the call began, as a message.
    #[must_use]
    pub fn timestamp(&self) -> Timestamp {
        time::to_timestamp(self.0.now)
    }

    /// The UTC day of the call.
    #[must_use]
    pub fn today(&self) -> Date {
        time::to_date(self.0.now)
    }

    /// The machine's time when the call began, for what the test clock does not end: tokens, sessions, codes, throttles,
    /// signed links.
    #[must_use]
    pub fn machine_now(&self) -> Micros {
        self.0.machine_now
    }

    /// The machine's time when the call began, as a message.
    #[must_use]
    pub fn machine_timestamp(&self) -> Timestamp {
        time::to_timestamp(self.0.machine_now)
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
    pub fn find_cookie(&self, name: &str) -> Option<&str> {
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
        access::require_fresh_proof(self.caller(), self.machine_now())
    }

    /// The file that the caller sends. A call takes it once.
    ///
    /// # Errors
    /// When the contract says of no `upload`, or the call has taken it.
    pub fn take_upload(&self) -> Result<Upload> {
        let taken = self.0.conditions.incoming.as_ref().and_then(Incoming::take);
        taken.ok_or_else(|| Error::internal("the call has no file to take"))
    }

    /// The idempotency key, scoped by the caller.
    pub(crate) fn idempotency_key(&self) -> Option<String> {
        let key = self.0.conditions.idempotency.as_ref()?;
        let caller = &self.0.caller;
        let scope =
            format!("{}\n{}\n{}\n{key}", access::realm_name(caller.realm), caller.identity, caller.actor_identity());
        Some(to_hex(&Sha256::digest(scope)))
    }
}
