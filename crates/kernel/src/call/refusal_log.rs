//! The log lines of refused and failed calls.

use pavise_contract::table::Method;
use tonic::Code;

use crate::error::Error;

/// Logs a refused or failed call, without any value of the request.
pub(crate) fn log(method: &Method, error: &Error, trace_id: &str) {
    let (reason, cause) = (error.reason(), error.cause().unwrap_or_default());
    if matches!(error.code(), Code::Internal | Code::Unknown | Code::DataLoss) {
        tracing::error!(service = method.service, rpc = method.rpc, reason, cause, trace_id, "call failed");
    } else if error.code() == Code::Unavailable {
        tracing::warn!(service = method.service, rpc = method.rpc, reason, cause, trace_id, "call not possible now");
    } else {
        tracing::debug!(service = method.service, rpc = method.rpc, reason, trace_id, "call refused");
    }
}

/// The canonical name of a code, for metric labels.
#[must_use]
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
