//! A connection that must send its first bytes in time.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// The length of the preface of an HTTP/2 connection; no HTTP/1 request is much shorter.
const PREFACE: usize = 24;

/// A connection that is closed when its first bytes are late. The reader waits for the first bytes without a limit;
/// all later bytes have limits of their own.
pub(crate) struct FirstBytes<S> {
    stream: S,
    waiting: Option<Waiting>,
}

struct Waiting {
    sleep: Pin<Box<Sleep>>,
    seen: usize,
    /// Whether the bytes seen so far, with the last of them, are enough.
    enough: fn(usize, &[u8]) -> bool,
}

impl<S> FirstBytes<S> {
    /// For a server: enough bytes to tell HTTP/1 from HTTP/2.
    pub(crate) fn within(stream: S, time: Duration) -> Self {
        // 16 is the length of "GET / HTTP/1.1\r\n": it identifies HTTP/1, whose own limit runs then.
        Self::new(stream, time, |seen, last| seen >= PREFACE || (seen >= 16 && !last.starts_with(b"PRI")))
    }

    /// For a client: any byte is enough.
    pub(crate) fn soon(stream: S, time: Duration) -> Self {
        Self::new(stream, time, |seen, _| seen > 0)
    }

    fn new(stream: S, time: Duration, enough: fn(usize, &[u8]) -> bool) -> Self {
        Self { stream, waiting: Some(Waiting { sleep: Box::pin(sleep(time)), seen: 0, enough }) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for FirstBytes<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if let Some(waiting) = &mut this.waiting {
            match &read {
                Poll::Pending if waiting.sleep.as_mut().poll(context).is_ready() => {
                    return Poll::Ready(Err(io::Error::from(io::ErrorKind::TimedOut)));
                }
                Poll::Pending => {}
                Poll::Ready(_) => {
                    waiting.seen += buffer.filled().len().saturating_sub(before);
                    if (waiting.enough)(waiting.seen, buffer.filled()) {
                        this.waiting = None;
                    }
                }
            }
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for FirstBytes<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
