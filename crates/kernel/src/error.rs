//! The single error type inside. One place, the last one, turns it into [`tonic::Status`] for gRPC and REST.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

pub use pavise_contract::common::v1::ErrorReason as Common;
use pavise_contract::table::SecurityEvent;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The result of everything that can be refused.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason of a refusal: a value of an `ErrorReason` enumeration in the contract.
pub trait Reason {
    /// The name for callers: `STATUS_NOT_ALLOWED`.
    fn name(&self) -> &'static str;
    /// The canonical code of the answer.
    fn code(&self) -> Code;
    /// The security event of the refusal.
    fn event(&self) -> SecurityEvent;
}

include!(concat!(env!("OUT_DIR"), "/reasons.rs"));

/// A refused or failed call. `message` is for the caller and `cause` is for the log; neither holds the other's text.
#[derive(Debug)]
pub struct Error(Box<ErrorParts>);

#[derive(Debug)]
struct ErrorParts {
    reason: Cow<'static, str>,
    code: Code,
    message: String,
    cause: Option<String>,
    violations: Vec<Violation>,
    metadata: HashMap<String, String>,
    preconditions: Vec<Precondition>,
    retry_after: Option<Duration>,
    event: SecurityEvent,
}

/// A field that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The field's path in the request: `offers[0].offer_id`.
    pub field: String,
    /// The broken rule, for the caller.
    pub description: String,
}

/// A condition that a call needs and that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Precondition {
    /// The kind of precondition: `STATUS`.
    pub kind: String,
    /// The entity: `orders/0190…`.
    pub subject: String,
    /// The current state and the states that are allowed.
    pub description: String,
}

impl Error {
    /// Refuses for `reason`, with `message` for the caller.
    pub fn new(reason: impl Reason, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorParts {
            reason: Cow::Borrowed(reason.name()),
            code: reason.code(),
            message: message.into(),
            cause: None,
            violations: Vec::new(),
            metadata: HashMap::new(),
            preconditions: Vec::new(),
            retry_after: None,
            event: reason.event(),
        }))
    }

    /// Refuses a field of the request that breaks a rule.
    pub fn field(field: impl Into<String>, description: impl Into<String>) -> Self {
        let description = description.into();
        let field = field.into();
        Self::new(Common::InvalidField, format!("{field}: {description}")).violation(field, description)
    }

    /// A field that the call needs is missing.
    pub fn missing_field(field: impl Into<String>) -> Self {
        Self::field(field, "is required")
    }

    /// The entity does not exist, or the caller may not know of it.
    pub fn not_found(noun: &str, id: &str) -> Self {
        Self::new(Common::NotFound, format!("there is no {noun} {id}"))
    }

    /// An error of the platform itself. The cause goes to the log only.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::new(Common::Internal, "something went wrong; quote the trace id").because(cause)
    }

    /// A part of the platform does not answer. The cause goes to the log only.
    pub fn unavailable(what: &str, cause: impl fmt::Display) -> Self {
        Self::new(Common::Unavailable, format!("{what} does not answer; try again"))
            .because(cause)
            .retry_after(Duration::from_secs(1))
    }

    /// Adds the cause, for the log.
    #[must_use]
    pub fn because(mut self, cause: impl fmt::Display) -> Self {
        self.0.cause = Some(cause.to_string());
        self
    }

    /// Adds a field that breaks a rule.
    #[must_use]
    pub fn violation(mut self, field: impl Into<String>, description: impl Into<String>) -> Self {
        self.0.violations.push(Violation { field: field.into(), description: description.into() });
        self
    }

    /// Adds a machine-readable fact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.0.metadata.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a precondition that does not hold.
    #[must_use]
    pub fn precondition(mut self, kind: &str, subject: impl Into<String>, description: impl Into<String>) -> Self {
        self.0.preconditions.push(Precondition {
            kind: kind.to_owned(),
            subject: subject.into(),
            description: description.into(),
        });
        self
    }

    /// The security event of the refusal. A peer's refusal is an event of the peer's.
    #[must_use]
    pub fn event(&self) -> SecurityEvent {
        self.0.event
    }

    /// Adds the time after which the caller may retry.
    #[must_use]
    pub fn retry_after(mut self, after: Duration) -> Self {
        self.0.retry_after = Some(after);
        self
    }

    /// The reason's name.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Whether the call was refused for that reason.
    pub fn is(&self, reason: impl Reason) -> bool {
        self.0.reason == reason.name()
    }

    /// The canonical code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The message for the caller.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The cause, for the log.
    #[must_use]
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// A machine-readable fact.
    #[must_use]
    pub fn find_fact(&self, key: &str) -> Option<&str> {
        self.0.metadata.get(key).map(String::as_str)
    }

    /// The fields that break rules.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// The error with other paths for the fields for which `path` answers one.
    #[must_use]
    pub(crate) fn map_fields(mut self, path: impl Fn(&str) -> Option<String>) -> Self {
        let parts = &mut *self.0;
        for violation in &mut parts.violations {
            let Some(field) = path(&violation.field) else { continue };
            if let Some(rest) = parts.message.strip_prefix(&format!("{}: ", violation.field)) {
                parts.message = format!("{field}: {rest}");
            }
            violation.field = field;
        }
        self
    }

    /// Whether the same call may succeed later without a change by the caller.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(
            self.code(),
            Code::Unavailable
                | Code::DeadlineExceeded
                | Code::Aborted
                | Code::ResourceExhausted
                | Code::Internal
                | Code::Unknown
                | Code::Cancelled
        )
    }

    /// The gRPC answer, with ErrorInfo, BadRequest, PreconditionFailure, RetryInfo and RequestInfo.
    #[must_use]
    pub fn into_status(self, service: &str, trace_id: &str) -> Status {
        let parts = *self.0;
        let mut details = ErrorDetails::new();
        details.set_error_info(parts.reason, service, parts.metadata);
        for violation in parts.violations {
            details.add_bad_request_violation(violation.field, violation.description);
        }
        for precondition in parts.preconditions {
            details.add_precondition_failure_violation(
                precondition.kind,
                precondition.subject,
                precondition.description,
            );
        }
        if let Some(after) = parts.retry_after {
            details.set_retry_info(Some(after));
        }
        if !trace_id.is_empty() {
            details.set_request_info(trace_id, "");
        }
        Status::with_error_details(parts.code, parts.message, details)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.reason, self.0.message)?;
        match &self.0.cause {
            Some(cause) => write!(f, " ({cause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Takes over the answer of another service: reason, message and fields stay. The first caller so learns the cause when
/// a call makes further calls.
impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let mut error = match details.error_info() {
            Some(info) => {
                let mut error = Self::new(Common::Unavailable, status.message());
                error.0.reason = Cow::Owned(info.reason.clone());
                error.0.event = SecurityEvent::None;
                error.0.metadata = info.metadata.clone();
                error
            }
            None => Self::new(Common::Unavailable, "a part of the platform does not answer; try again")
                .because(status.message()),
        };
        if details.error_info().is_some() {
            error.0.code = status.code();
        }
        if let Some(bad) = details.bad_request() {
            for violation in &bad.field_violations {
                error
                    .0
                    .violations
                    .push(Violation { field: violation.field.clone(), description: violation.description.clone() });
            }
        }
        if let Some(failure) = details.precondition_failure() {
            for one in &failure.violations {
                error = error.precondition(&one.r#type, &one.subject, &one.description);
            }
        }
        if let Some(delay) = details.retry_info().and_then(|info| info.retry_delay) {
            error.0.retry_after = Some(delay);
        }
        error
    }
}

/// All broken rules of a message, as one error.
impl From<prost_protovalidate::ValidationError> for Error {
    fn from(error: prost_protovalidate::ValidationError) -> Self {
        let violations = error.into_violations();
        let describe = |violation: &prost_protovalidate::Violation| match violation.message() {
            "" => format!("must satisfy {}", violation.rule_id()),
            message => message.to_owned(),
        };
        let message = violations.first().map(|first| format!("{}: {}", first.field_path(), describe(first)));
        let mut out =
            Self::new(Common::InvalidField, message.unwrap_or_else(|| "the request breaks a rule".to_owned()));
        for violation in &violations {
            out = out.violation(violation.field_path(), describe(violation));
        }
        out
    }
}
