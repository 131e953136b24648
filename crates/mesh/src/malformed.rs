//! Requests that are no HTTP/1. Hyper answers them with a bare status. This module adds the body of a refusal, and
//! keeps the connection open until its caller has read it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::{Buf as _, Bytes, BytesMut};
use http::{Request, Response, StatusCode, Version, header};
use http_body::{Frame, SizeHint};
use pavise_kernel::{Common, Error};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::protect::POLICY;
use crate::refusal::Speech;

/// The longest of hyper's own heads, with some reserve.
const LONGEST: usize = 256;
/// The first bytes of each of hyper's own heads.
const BEGINS: &[u8] = b"HTTP/1.1 ";
/// How long, and for how many bytes, a refused connection is still read. The system resets a connection that is closed
/// with unread bytes, and its caller loses the answer.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 1 << 20;
/// The same for a caller who is sending a body that nobody reads. Most callers read no answer before they sent it all.
const BODY_LINGER: Duration = Duration::from_secs(5);
const BODY_LINGER_BYTES: usize = 64 << 20;

/// The refusal of a request without exactly one `Host`, which HTTP/1.1 demands.
pub(crate) fn refuse_host(request: &Request<Body>) -> Option<Response<Body>> {
    let hosts = request.headers().get_all(header::HOST).iter().take(2).count();
    let (least, most) = match request.version() {
        Version::HTTP_11 => (1, 1),
        Version::HTTP_10 => (0, 1),
        _ => return None,
    };
    (hosts < least || hosts > most).then(|| {
        let error = Error::new(Common::MalformedRequest, "a request must have exactly one Host header");
        Speech::of(request.headers()).refuse(error, "")
    })
}

/// The number of answers of the app that a connection is writing: zero while hyper writes one of its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answers {
    written: Arc<AtomicUsize>,
    /// Whether the caller may still send the body of an answered request.
    lingers: Arc<AtomicBool>,
}

impl Answers {
    /// The answer's body, which counts until its end. A connection of HTTP/2 counts for ever: its frames may hold any
    /// bytes, and hyper has no bare answers there.
    pub(crate) fn count(&self, version: Version, body: Body) -> Answer {
        self.written.fetch_add(1, Ordering::Relaxed);
        Answer { body, count: (version < Version::HTTP_2).then(|| Count(Arc::clone(&self.written))) }
    }

    /// Keeps the connection open after its last answer until the caller has read it.
    pub(crate) fn linger(&self) {
        self.lingers.store(true, Ordering::Relaxed);
    }
}

/// The body of an answer.
pub(crate) struct Answer {
    body: Body,
    count: Option<Count>,
}

struct Count(Arc<AtomicUsize>);

impl Drop for Count {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() {
            self.count = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection whose bare answers get a body.
pub(crate) struct Explained<S> {
    stream: S,
    answers: Answers,
    /// The answer of hyper with a body, as far as it is not sent.
    out: BytesMut,
    refused: Option<Refused>,
}

/// A connection that ends because its request is malformed, or its body unread.
struct Refused {
    until: Pin<Box<Sleep>>,
    unread: usize,
    is_shut: bool,
}

impl Refused {
    fn new(time: Duration, unread: usize) -> Self {
        Self { until: Box::pin(sleep(time)), unread, is_shut: false }
    }
}

impl<S> Explained<S> {
    pub(crate) fn new(stream: S, answers: Answers) -> Self {
        Self { stream, answers, out: BytesMut::new(), refused: None }
    }

    /// Takes a write that ends with an answer of hyper's own.
    fn takes(&mut self, written: &[u8]) -> bool {
        if !written.ends_with(b"\r\n\r\n") || self.answers.written.load(Ordering::Relaxed) > 0 {
            return false;
        }
        let Some((before, status, date)) = bare(written) else { return false };
        self.out.extend_from_slice(before);
        self.out.extend_from_slice(explained(status, date).as_bytes());
        self.refused = Some(Refused::new(LINGER, LINGER_BYTES));
        true
    }
}

/// The bare answer at the end of a write: the bytes before it, its status, the line of its date.
fn bare(written: &[u8]) -> Option<(&[u8], StatusCode, &str)> {
    let tail = written.get(written.len().saturating_sub(LONGEST)..)?;
    let begins = tail.windows(BEGINS.len()).rposition(|window| window == BEGINS)?;
    let (before, head) = written.split_at_checked(written.len() - (tail.len() - begins))?;
    let mut lines = std::str::from_utf8(head).ok()?.strip_suffix("\r\n\r\n")?.split("\r\n");
    let status = match lines.next()?.get(BEGINS.len()..)?.get(..3)? {
        "400" => StatusCode::BAD_REQUEST,
        "414" => StatusCode::URI_TOO_LONG,
        "431" => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        _ => return None,
    };
    let mut date = "";
    for line in lines {
        match line {
            "connection: close" | "content-length: 0" => {}
            line if line.starts_with("date: ") => date = line,
            _ => return None,
        }
    }
    Some((before, status, date))
}

/// The answer with the body of a refusal.
fn explained(status: StatusCode, date: &str) -> String {
    let why = match status {
        StatusCode::URI_TOO_LONG => "the request's target is longer than 65,534 bytes",
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            "the request has more than 100 headers, or more than 128 KiB of them"
        }
        _ => "the request's head is no HTTP/1.1",
    };
    let refusal = Error::new(Common::MalformedRequest, why).into_status("pavise", "");
    let body = pavise_rest::refusal_json(&refusal, status);
    let (json, length) = ("content-type: application/json\r\ncache-control: no-store", body.len());
    let safe = format!("x-content-type-options: nosniff\r\ncontent-security-policy: {POLICY}");
    format!(
        "HTTP/1.1 {status}\r\n{json}\r\n{safe}\r\nconnection: close\r\ncontent-length: {length}\r\n{date}\r\n\r\n{body}"
    )
}

impl<S: AsyncWrite + Unpin> Explained<S> {
    /// Sends the pending answer.
    fn poll_out(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.out.is_empty() {
            match ready!(Pin::new(&mut self.stream).poll_write(context, &self.out))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                sent => self.out.advance(sent),
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Explained<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Explained<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_out(context))?;
        if self.takes(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_out(context))?;
        // A bare answer is the whole of a slice or its end; the slices before it belong to earlier answers.
        if let Some((last, before)) = slices.split_last()
            && self.takes(last)
        {
            let taken = std::mem::take(&mut self.out);
            before.iter().for_each(|slice| self.out.extend_from_slice(slice));
            self.out.unsplit(taken);
            return Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_out(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_out(context))?;
        let this = &mut *self;
        if this.answers.lingers.swap(false, Ordering::Relaxed) && this.refused.is_none() {
            this.refused = Some(Refused::new(BODY_LINGER, BODY_LINGER_BYTES));
        }
        let Some(refused) = &mut this.refused else { return Pin::new(&mut this.stream).poll_shutdown(context) };
        if !refused.is_shut {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
            refused.is_shut = true;
        }
        let mut space = [0; 16 << 10];
        loop {
            let mut buffer = ReadBuf::new(&mut space);
            if refused.until.as_mut().poll(context).is_ready() {
                return Poll::Ready(Ok(()));
            }
            let read = ready!(Pin::new(&mut this.stream).poll_read(context, &mut buffer));
            refused.unread = refused.unread.saturating_sub(buffer.filled().len());
            if read.is_err() || buffer.filled().is_empty() || refused.unread == 0 {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str =
        "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: Thu\r\n\r\n";

    #[test]
    fn only_an_answer_of_hypers_own_at_the_end_is_bare() {
        let of = |written: &str| {
            bare(written.as_bytes()).map(|(before, status, date)| (before.len(), status.as_u16(), date.to_owned()))
        };
        assert_eq!(of(BARE), Some((0, 431, "date: Thu".to_owned())));
        let whole = format!("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{{}}{BARE}");
        assert_eq!(of(&whole), Some((whole.len() - BARE.len(), 431, "date: Thu".to_owned())));
        for other in [
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n\r\n\r\n",
            "0\r\n\r\n",
            "\r\n\r\n",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
