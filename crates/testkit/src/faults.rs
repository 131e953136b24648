//! A TCP proxy with the faults of networks: it delays, narrows, resets, swallows and refuses, as a test tells it to.
//!
//! A connection on which bytes were swallowed stays silent for good, also after the proxy has healed: nobody sends a FIN
//! or a reset for it, and only an end that probes it learns that it is lost. Most networks are kinder.

use std::io::Result;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::chance::SeededRandom;

/// The most bytes of one read.
const CHUNK: usize = 16 << 10;
/// Chunks in flight in one direction; more wait in the sender's buffers. A narrow line has one at a time.
const UNDER_WAY: usize = 64;
/// The proxy's own buffers: small, so that a slow reader soon causes backpressure.
const BUFFER: u32 = 64 << 10;
/// The time slice of a narrow line.
const SLICE: Duration = Duration::from_millis(10);

/// The behaviour of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fault {
    /// No fault.
    #[default]
    None,
    /// Each chunk arrives later, by `latency` and at most `jitter` more; the order stays.
    Delay {
        /// The least delay.
        latency: Duration,
        /// The largest random addition.
        jitter: Duration,
    },
    /// The bytes a second in each direction: to the sender, the reader is slow.
    Narrow(u32),
    /// The proxy swallows bytes without an error: connections stay open and silent for good. New ones seem to be
    /// made.
    HalfOpen,
    /// New connections are reset at once. Open ones go on.
    Refuse,
}

/// A proxy in front of one address. It ends, and resets open connections, when it is dropped.
#[derive(Debug)]
pub struct FaultProxy {
    address: SocketAddr,
    shared: Arc<ProxyState>,
    accepting: JoinHandle<()>,
}

#[derive(Debug)]
struct ProxyState {
    target: SocketAddr,
    fault: watch::Sender<Fault>,
    lines: Mutex<Vec<Weak<Line>>>,
    open: AtomicUsize,
    accepted: AtomicUsize,
    forwarded: AtomicU64,
    swallowed: AtomicU64,
    chance: Mutex<SeededRandom>,
}

/// A connection through the proxy.
#[derive(Debug)]
struct Line {
    shared: Arc<ProxyState>,
    silent: AtomicBool,
    cut: CancellationToken,
}

impl FaultProxy {
    /// A proxy on a free port of the loopback address; `seed` decides the jitter.
    ///
    /// # Errors
    /// When there is no port.
    pub fn start(target: SocketAddr, seed: u64) -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(BUFFER)?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        let listener = socket.listen(1_024)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(ProxyState {
            target,
            fault: watch::Sender::default(),
            lines: Mutex::default(),
            open: AtomicUsize::default(),
            accepted: AtomicUsize::default(),
            forwarded: AtomicU64::default(),
            swallowed: AtomicU64::default(),
            chance: Mutex::new(SeededRandom::new(seed)),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, accepting })
    }

    /// The address of the proxy.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the fault of the network.
    pub fn set(&self, fault: Fault) {
        self.shared.fault.send_replace(fault);
        if fault == Fault::HalfOpen {
            self.shared.each(|line| line.silent.store(true, Ordering::SeqCst));
        }
    }

    /// Ends the fault. Swallowed bytes are not sent later.
    pub fn end_fault(&self) {
        self.set(Fault::None);
    }

    /// Resets every connection that is open, in both directions.
    pub fn cut_connections(&self) {
        self.shared.each(|line| line.cut.cancel());
    }

    /// The number of open connections.
    #[must_use]
    pub fn open(&self) -> usize {
        self.shared.open.load(Ordering::SeqCst)
    }

    /// The number of connections so far.
    #[must_use]
    pub fn count_connections(&self) -> usize {
        self.shared.accepted.load(Ordering::SeqCst)
    }

    /// The number of delivered bytes.
    #[must_use]
    pub fn count_forwarded(&self) -> u64 {
        self.shared.forwarded.load(Ordering::SeqCst)
    }

    /// The number of swallowed bytes.
    #[must_use]
    pub fn count_swallowed(&self) -> u64 {
        self.shared.swallowed.load(Ordering::SeqCst)
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.cut_connections();
    }
}

impl ProxyState {
    fn lines(&self) -> MutexGuard<'_, Vec<Weak<Line>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn each(&self, act: impl Fn(&Line)) {
        self.lines().iter().filter_map(Weak::upgrade).for_each(|line| act(&line));
    }

    /// The delay of a chunk.
    fn delay(&self) -> Duration {
        let Fault::Delay { latency, jitter } = *self.fault.borrow() else { return Duration::ZERO };
        // The same seed and order of chunks give the same jitter.
        let bits = self.chance.lock().unwrap_or_else(PoisonError::into_inner).next_bits();
        let most = u64::try_from(jitter.as_micros()).unwrap_or(u64::MAX).saturating_add(1);
        latency + Duration::from_micros(bits % most)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.shared.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Line {
    fn swallows(&self) -> bool {
        self.silent.load(Ordering::SeqCst)
    }

    fn swallow(&self, bytes: usize) {
        self.shared.swallowed.fetch_add(u64::try_from(bytes).unwrap_or(0), Ordering::SeqCst);
    }
}

async fn accept(listener: TcpListener, shared: Arc<ProxyState>) {
    loop {
        let Ok((client, _)) = listener.accept().await else { continue };
        let fault = *shared.fault.borrow();
        if fault == Fault::Refuse {
            reset(&client);
            continue;
        }
        shared.accepted.fetch_add(1, Ordering::SeqCst);
        shared.open.fetch_add(1, Ordering::SeqCst);
        let line = Arc::new(Line {
            shared: Arc::clone(&shared),
            silent: AtomicBool::new(fault == Fault::HalfOpen),
            cut: CancellationToken::new(),
        });
        let mut lines = shared.lines();
        lines.retain(|line| line.strong_count() > 0);
        lines.push(Arc::downgrade(&line));
        drop(lines);
        tokio::spawn(carry(client, line));
    }
}

/// Resets the connection when it is dropped: the other end gets no last word.
fn reset(stream: &TcpStream) {
    // The call fails where the connection is closed already.
    let _ = stream.set_zero_linger();
}

async fn carry(mut client: TcpStream, line: Arc<Line>) {
    if line.swallows() {
        return hold(client, &line).await;
    }
    let Ok(mut server) = connect(line.shared.target).await else { return reset(&client) };
    for stream in [&client, &server] {
        let _ = stream.set_nodelay(true);
    }
    let ((from_client, to_client), (from_server, to_server)) = (client.split(), server.split());
    let both = async {
        tokio::join!(pump(from_client, to_server, &line), pump(from_server, to_client, &line));
    };
    let ended = line.cut.run_until_cancelled(both).await;
    if ended.is_none() {
        reset(&client);
        reset(&server);
    }
}

async fn connect(target: SocketAddr) -> Result<TcpStream> {
    let socket = if target.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_recv_buffer_size(BUFFER)?;
    socket.connect(target).await
}

/// A connection without a target.
async fn hold(mut client: TcpStream, line: &Line) {
    let mut bytes = vec![0; CHUNK];
    let swallow = async {
        while let Ok(count @ 1..) = client.read(&mut bytes).await {
            line.swallow(count);
        }
    };
    line.cut.run_until_cancelled(swallow).await;
    reset(&client);
}

/// Carries one direction until its end.
async fn pump(from: ReadHalf<'_>, to: WriteHalf<'_>, line: &Line) {
    let (sender, receiver) = mpsc::channel(UNDER_WAY);
    tokio::join!(take(from, sender, line), give(to, receiver, line));
}

type UnderWay = (Instant, Vec<u8>);

async fn take(mut from: ReadHalf<'_>, sender: mpsc::Sender<UnderWay>, line: &Line) {
    let mut bytes = vec![0; CHUNK];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if line.swallows() {
            line.swallow(count);
            continue;
        }
        let chunk = bytes.get(..count).unwrap_or_default().to_vec();
        let narrow = matches!(*line.shared.fault.borrow(), Fault::Narrow(_));
        // Data that waits here would look delivered to its sender.
        if narrow && sender.reserve_many(UNDER_WAY).await.is_err() {
            return;
        }
        if sender.send((Instant::now() + line.shared.delay(), chunk)).await.is_err() {
            return;
        }
    }
}

async fn give(mut to: WriteHalf<'_>, mut receiver: mpsc::Receiver<UnderWay>, line: &Line) {
    while let Some((due, chunk)) = receiver.recv().await {
        sleep_until(due).await;
        let mut rest = chunk.as_slice();
        while !rest.is_empty() {
            if line.swallows() {
                line.swallow(rest.len());
                break;
            }
            let fault = *line.shared.fault.borrow();
            let piece = match fault {
                Fault::Narrow(rate) => {
                    sleep(SLICE).await;
                    usize::try_from(rate / 100).unwrap_or(1).clamp(1, rest.len())
                }
                _ => rest.len(),
            };
            let (now, later) = rest.split_at(piece);
            if to.write_all(now).await.is_err() {
                return receiver.close();
            }
            line.shared.forwarded.fetch_add(u64::try_from(piece).unwrap_or(0), Ordering::SeqCst);
            rest = later;
        }
    }
    if line.swallows() {
        // The proxy sends no FIN either: the other end hears nothing until the connection is cut.
        line.cut.cancelled().await;
    } else {
        let _ = to.shutdown().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address that echoes.
    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    tokio::io::copy(&mut from, &mut to).await
                });
            }
        });
        address
    }

    async fn said(stream: &mut TcpStream, word: &[u8]) -> Result<Vec<u8>> {
        stream.write_all(word).await?;
        let mut heard = vec![0; word.len()];
        stream.read_exact(&mut heard).await?;
        Ok(heard)
    }

    #[tokio::test]
    async fn each_fault_is_what_it_says() {
        let proxy = FaultProxy::start(echo().await, 1).unwrap();
        let connect = || TcpStream::connect(proxy.address());
        let mut stream = connect().await.unwrap();
        assert_eq!(said(&mut stream, b"clear").await.unwrap(), b"clear");

        proxy.set(Fault::Delay { latency: Duration::from_millis(40), jitter: Duration::from_millis(20) });
        let began = Instant::now();
        assert_eq!(said(&mut stream, b"late").await.unwrap(), b"late");
        assert!(began.elapsed() >= Duration::from_millis(80), "there and back");

        proxy.set(Fault::Narrow(20_000));
        let began = Instant::now();
        assert_eq!(said(&mut stream, &[7; 4_000]).await.unwrap(), [7; 4_000]);
        assert!(began.elapsed() >= Duration::from_millis(200), "{:?}", began.elapsed());

        proxy.set(Fault::Refuse);
        let mut refused = connect().await.unwrap();
        assert!(said(&mut refused, b"let me in").await.is_err());
        assert_eq!(said(&mut stream, b"I am in").await.unwrap(), b"I am in");

        proxy.end_fault();
        proxy.cut_connections();
        let lost = said(&mut stream, b"anybody?").await.unwrap_err();
        assert!(matches!(lost.kind(), std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe), "{lost}");
    }

    #[tokio::test]
    async fn what_was_half_open_stays_silent_and_what_is_new_works() {
        let proxy = FaultProxy::start(echo().await, 1).unwrap();
        let mut old = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(said(&mut old, b"clear").await.unwrap(), b"clear");
        proxy.set(Fault::HalfOpen);
        let mut made_meanwhile = TcpStream::connect(proxy.address()).await.unwrap();
        for stream in [&mut old, &mut made_meanwhile] {
            stream.write_all(b"anybody?").await.unwrap();
        }
        while proxy.count_swallowed() < 16 {
            tokio::task::yield_now().await;
        }
        proxy.end_fault();
        for stream in [&mut old, &mut made_meanwhile] {
            let heard = tokio::time::timeout(Duration::from_millis(50), said(stream, b"and now?")).await;
            assert!(heard.is_err(), "silent, and neither closed nor reset");
        }
        let mut new = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(said(&mut new, b"clear").await.unwrap(), b"clear");
        assert_eq!(proxy.open(), 3);
    }
}
