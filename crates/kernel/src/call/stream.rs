//! The envelope around a call that answers a stream: authorize → validate → run, and then the stream's own end.
//!
//! A stream ends when its messages do, when the process stops, when the caller's time is over, and when the caller may
//! no longer call. The token is checked again every two seconds, because it expires, sessions end, and tokens with a role
//! that was taken away become invalid.

use std::time::{Duration, Instant};

use futures::{Stream, StreamExt as _};
use http::HeaderName;
use pavise_contract::table::Method;
use prost_protovalidate::Validate;
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinSet};
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Response, Status};

use crate::call::Call;
use crate::call::disclosure_notes;
use crate::call::open_streams::{Kind, Opened};
use crate::call::refusal_log::code_name;
use crate::call::security_notes::Seen;
use crate::call::serve::AnyRequest as _;
use crate::call::ties;
use crate::call::token::TokenFlaw;
use crate::entity::aggregate::{Redact, Target};
use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;

pub use crate::call::messages::Messages;

/// Time between two checks that the caller may still call. What ended is known after a part of a second, and streams end within
/// two seconds.
const CHECK: Duration = Duration::from_secs(1);

/// Messages that are read before the caller takes them.
pub(crate) const AHEAD: usize = 16;

/// The caller's own limit of time.
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// How the messages of a stream are followed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Follow {
    /// Messages that are read before the caller takes them.
    pub(crate) ahead: usize,
    /// The messages are parts of a whole: a stream that stops before its end has failed.
    pub(crate) whole: bool,
}

impl Kernel {
    /// Answers a call with a stream. `run` makes the stream, and this function does everything else.
    ///
    /// # Errors
    /// The answer of a call that is refused before its first message.
    pub async fn serve_stream<Q, S, T, F, Fut>(
        &self,
        method: &'static Method,
        request: Request<Q>,
        run: F,
    ) -> Result<Response<Messages<S>>, Status>
    where
        Q: prost::Message + Validate + Target + Redact + Clone,
        S: Redact + Send + 'static,
        T: Stream<Item = Result<S>> + Send + 'static,
        F: FnOnce(Call, Q) -> Fut + Send,
        Fut: Future<Output = Result<T>> + Send,
    {
        self.serve_messages(method, request, Follow { ahead: AHEAD, whole: false }, run).await
    }

    /// Answers a call with a stream that is followed as `how` says.
    pub(crate) async fn serve_messages<Q, S, T, F, Fut>(
        &self,
        method: &'static Method,
        request: Request<Q>,
        how: Follow,
        run: F,
    ) -> Result<Response<Messages<S>>, Status>
    where
        Q: prost::Message + Validate + Target + Redact + Clone,
        S: Redact + Send + 'static,
        T: Stream<Item = Result<S>> + Send + 'static,
        F: FnOnce(Call, Q) -> Fut + Send,
        Fut: Future<Output = Result<T>> + Send,
    {
        let (began, mut seen) = (Instant::now(), Seen::default());
        let metadata = request.metadata().clone();
        let begun = self.begin_stream(method, request, &mut seen, run).await;
        let code = begun.as_ref().map_or_else(Error::code, |_| Code::Ok);
        metrics::counter!("pavise_calls_total", "service" => method.service, "rpc" => method.rpc, "code" => code_name(code))
            .increment(1);
        metrics::histogram!("pavise_call_seconds", "service" => method.service, "rpc" => method.rpc)
            .record(began.elapsed().as_secs_f64());
        match begun {
            Ok((call, opened, messages)) => {
                self.note_answered(&call);
                Ok(Response::new(Box::pin(follow((call, opened), metadata, messages, seen, how))))
            }
            Err(error) => Err(self.refuse(method, error, &seen)),
        }
    }

    async fn begin_stream<Q, T, F, Fut>(
        &self,
        method: &'static Method,
        request: Request<Q>,
        seen: &mut Seen,
        run: F,
    ) -> Result<(Call, Opened, T)>
    where
        Q: prost::Message + Validate + Target + Redact + Clone,
        F: FnOnce(Call, Q) -> Fut + Send,
        Fut: Future<Output = Result<T>> + Send,
    {
        let call = self.admit_call(method, &request, seen).await?;
        let mut request = request.into_inner();
        request.check(call.caller().realm)?;
        request.normalize();
        ties::check(&call, &request).await?;
        let opened = self.open().count_open(Kind::Stream, call.caller(), call.address())?;
        let messages = run(call.clone(), request).await?;
        Ok((call, opened, messages))
    }
}

/// The messages until the stream has to end.
fn follow<S: Redact + Send + 'static>(
    (call, opened): (Call, Opened),
    metadata: MetadataMap,
    messages: impl Stream<Item = Result<S>> + Send + 'static,
    seen: Seen,
    how: Follow,
) -> impl Stream<Item = Result<S, Status>> + Send {
    async_stream::stream! {
        let _opened = opened;
        let (kernel, method) = (call.kernel().clone(), call.method());
        let expiry = call.caller().expires_at;
        let deadline = call.parts().conditions.deadline.filter(|_| metadata.as_ref().contains_key(TIMEOUT));
        let mut messages = Box::pin(ahead(messages, how.ahead, |panic| Err(Error::internal(panic))));
        let mut check = tokio::time::interval_at(tokio::time::Instant::now() + CHECK, CHECK);
        loop {
            let next = tokio::select! {
                biased;
                () = kernel.stop_token().cancelled() => how.whole.then(|| Err(Error::unavailable(method.service, "it stops"))),
                () = over(deadline) => {
                    Some(Err(Error::new(Common::DeadlineExceeded, "the stream lasted longer than the caller waits")))
                }
                () = kernel.until(expiry) => Some(kernel.authenticate_caller(&metadata).await.and(Err(TokenFlaw::Expired.into()))),
                _ = check.tick() => match kernel.authenticate_caller(&metadata).await {
                    Ok(_) => continue,
                    Err(error) => Some(Err(error)),
                },
                next = messages.next() => next,
            };
            match next {
                None => break,
                Some(Ok(mut message)) => {
                    message.redact();
                    message.hide(call.caller().realm);
                    message.mask(call.caller().mask_realm());
                    if let Err(error) = disclosure_notes::note(&call, &message) {
                        yield Err(kernel.refuse(method, error, &seen));
                        break;
                    }
                    yield Ok(message);
                }
                Some(Err(error)) => {
                    yield Err(kernel.refuse(method, error, &seen));
                    break;
                }
            }
        }
    }
}

/// The messages of a stream that a task of its own reads, `count` ahead of the caller. A caller who stops reading in the
/// middle of a read would otherwise keep its connection to the database. `broken` makes a message of a panic.
pub(crate) fn ahead<T: Send + 'static>(
    messages: impl Stream<Item = T> + Send + 'static,
    count: usize,
    broken: impl Fn(JoinError) -> T + Send,
) -> impl Stream<Item = T> + Send {
    let (sender, mut receiver) = mpsc::channel(count);
    // The task ends when the set is dropped.
    let mut reader = JoinSet::new();
    reader.spawn(async move {
        let mut messages = Box::pin(messages);
        while let Some(message) = messages.next().await {
            if sender.send(message).await.is_err() {
                break;
            }
        }
    });
    async_stream::stream! {
        while let Some(message) = receiver.recv().await {
            yield message;
        }
        if let Some(Err(panic)) = reader.join_next().await {
            yield broken(panic);
        }
    }
}

/// Waits until that time, or for ever without one.
async fn over(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::stream;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_stream_is_read_a_few_messages_ahead_and_no_further() {
        let made = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&made);
        let endless = stream::iter(0..).inspect(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let mut messages = Box::pin(ahead(endless, AHEAD, |_| -1));
        for expected in 0..50 {
            assert_eq!(messages.next().await, Some(expected));
            // The reader goes on until it waits.
            for _ in 0..2 * AHEAD {
                tokio::task::yield_now().await;
            }
            let taken = usize::try_from(expected).unwrap() + 1;
            let most = taken + AHEAD + 1;
            assert!((taken..=most).contains(&made.load(Ordering::SeqCst)), "{made:?} of {most}");
        }
    }

    #[tokio::test]
    async fn a_stream_that_is_dropped_is_read_no_more() {
        let (dropped, seen) = oneshot::channel::<()>();
        let waiting = stream::once(async move {
            let _held = dropped;
            std::future::pending::<i32>().await
        });
        let mut messages = Box::pin(ahead(waiting, AHEAD, |_| -1));
        assert!(futures::poll!(messages.next()).is_pending());
        tokio::task::yield_now().await;
        drop(messages);
        assert!(seen.await.is_err(), "the reader is gone");
    }

    #[tokio::test]
    async fn the_end_is_an_end_and_a_panic_is_none() {
        let all: Vec<i32> = ahead(stream::iter([1, 2]), AHEAD, |_| -1).collect().await;
        assert_eq!(all, [1, 2]);
        let broken = stream::iter([1, 0]).map(|divisor| {
            assert_ne!(divisor, 0, "it breaks here");
            divisor
        });
        let all: Vec<i32> = ahead(broken, AHEAD, |_| -1).collect().await;
        assert_eq!(all, [1, -1]);
    }
}
