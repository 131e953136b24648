//! Reasons for the refusals of the gRPC library: a message that cannot be read never reaches the kernel.

use std::pin::Pin;
use std::task::{Context, Poll};

use http::{HeaderMap, HeaderName, Request, Response};
use pavise_kernel::trace_context::{self, TRACEPARENT};
use pavise_kernel::{Common, Error};
use tonic::{Code, Status};
use tower::{Layer, Service};

use crate::body::Enclose;
use crate::refusal::GRPC_STATUS;

const GRPC_DETAILS: HeaderName = HeaderName::from_static("grpc-status-details-bin");

/// Gives refusals of the gRPC library the details that all others have, and the code that names the party at fault. The
/// library answers INTERNAL to bytes that are no message, and a caller would then try again.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReasonLayer;

impl<S> Layer<S> for ReasonLayer {
    type Service = Reasoned<S>;

    fn layer(&self, inner: S) -> Reasoned<S> {
        Reasoned { inner }
    }
}

/// A gRPC service whose every refusal has a reason.
#[derive(Debug, Clone)]
pub struct Reasoned<S> {
    inner: S,
}

impl<S, B, R> Service<Request<B>> for Reasoned<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    R: Enclose,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<R>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let traceparent = request.headers().get(TRACEPARENT).cloned();
        let work = self.inner.call(request);
        Box::pin(async move {
            let response = work.await?;
            let Some(error) = refusal(response.headers()) else { return Ok(response) };
            let trace_id = traceparent.as_ref().and_then(trace_context::named_in).unwrap_or_default();
            Ok(error.into_status("pavise", trace_id).into_http())
        })
    }
}

/// The meaning of a refusal without details. The platform's own refusals have details. A refusal in the headers
/// precedes any answer, so the request is wrong.
fn refusal(headers: &HeaderMap) -> Option<Error> {
    if !headers.contains_key(GRPC_STATUS) || headers.contains_key(GRPC_DETAILS) {
        return None;
    }
    let status = Status::from_header_map(headers)?;
    match status.code() {
        Code::Internal => {
            Some(Error::new(Common::MalformedMessage, format!("the message cannot be read: {}", status.message())))
        }
        Code::Unknown | Code::DataLoss => {
            Some(Error::new(Common::MalformedMessage, "the message breaks off").because(status.message()))
        }
        Code::OutOfRange => Some(Error::new(Common::BodyTooLarge, status.message())),
        Code::Unimplemented => Some(Error::new(Common::Unimplemented, "this server does not run this call")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: Status) -> Option<Error> {
        refusal(status.into_http::<tonic::body::Body>().headers())
    }

    #[test]
    fn only_what_has_no_details_gets_a_reason() {
        let of_grpc = |code| of(Status::new(code, "as it says")).map(|error| (error.code(), error.reason().to_owned()));
        let refused = |code, reason: &str| Some((code, reason.to_owned()));
        assert_eq!(of_grpc(Code::Internal), refused(Code::InvalidArgument, "MALFORMED_MESSAGE"));
        assert_eq!(of_grpc(Code::Unknown), refused(Code::InvalidArgument, "MALFORMED_MESSAGE"));
        assert_eq!(of_grpc(Code::OutOfRange), refused(Code::InvalidArgument, "BODY_TOO_LARGE"));
        assert_eq!(of_grpc(Code::Unimplemented), refused(Code::Unimplemented, "UNIMPLEMENTED"));
        assert_eq!(of_grpc(Code::Unavailable), None);
        assert_eq!(of_grpc(Code::Ok), None);
        assert!(
            of(Error::internal("the disk is full").into_status("orders", "")).is_none(),
            "a failure of ours stays one"
        );
        assert!(refusal(&HeaderMap::new()).is_none());
    }
}
