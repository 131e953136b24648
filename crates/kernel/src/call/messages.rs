//! The messages of an answer that is a stream.

use std::pin::Pin;

use futures::Stream;
use tonic::Status;

/// The messages of an answer.
pub type Messages<S> = Pin<Box<dyn Stream<Item = Result<S, Status>> + Send>>;
