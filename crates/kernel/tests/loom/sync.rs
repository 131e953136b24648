//! The committer's synchronization types for the model checker.
//!
//! Locks, threads and wake-ups are loom's. The channels are Tokio's own. Compiling them for loom would need all of
//! Tokio, and everything built on it, to be compiled for loom alone; Tokio itself proves them with loom. Here each
//! operation of a channel is one step. The `Order` of a channel tells loom that two steps on it do not commute, so that
//! loom tries both orders.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
pub(crate) use loom::sync::{Mutex, MutexGuard};

/// Tells loom that the steps of one channel depend on each other. A waiter may be interrupted between its own step and
/// the receipt of a value, because a waker is taken then. The receipt is therefore a step of its own.
#[derive(Clone)]
struct Order(Arc<AtomicUsize>);

impl Order {
    fn new() -> Self {
        Self(Arc::new(AtomicUsize::new(0)))
    }

    fn step(&self) {
        // While a thread unwinds, the model has ended.
        if !std::thread::panicking() {
            self.0.fetch_add(1, Ordering::AcqRel);
        }
    }
}

pub(crate) mod mpsc {
    use super::Order;
    pub(crate) use tokio::sync::mpsc::error;
    use tokio::sync::mpsc::{Receiver as TokioReceiver, Sender as TokioSender};

    pub(crate) struct Sender<T>(Option<TokioSender<T>>, Order);
    pub(crate) struct Receiver<T>(Option<TokioReceiver<T>>, Order);

    pub(crate) fn channel<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = tokio::sync::mpsc::channel(capacity);
        let order = Order::new();
        (Sender(Some(sender), order.clone()), Receiver(Some(receiver), order))
    }

    impl<T> Sender<T> {
        pub(crate) fn try_send(&self, value: T) -> Result<(), error::TrySendError<T>> {
            self.1.step();
            self.0.as_ref().unwrap().try_send(value)
        }

        pub(crate) fn is_closed(&self) -> bool {
            self.1.step();
            self.0.as_ref().unwrap().is_closed()
        }
    }

    impl<T> Drop for Sender<T> {
        fn drop(&mut self) {
            self.1.step();
            drop(self.0.take());
        }
    }

    impl<T> Receiver<T> {
        pub(crate) async fn recv_many(&mut self, into: &mut Vec<T>, limit: usize) -> usize {
            let receiver = self.0.as_mut().unwrap();
            std::future::poll_fn(|context| {
                self.1.step();
                let polled = receiver.poll_recv_many(context, into, limit);
                if polled.is_ready() {
                    self.1.step();
                }
                polled
            })
            .await
        }

        pub(crate) fn try_recv(&mut self) -> Result<T, error::TryRecvError> {
            self.1.step();
            self.0.as_mut().unwrap().try_recv()
        }
    }

    impl<T> Drop for Receiver<T> {
        fn drop(&mut self) {
            self.1.step();
            drop(self.0.take());
        }
    }
}

pub(crate) mod oneshot {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use super::Order;
    use tokio::sync::oneshot::{Receiver as TokioReceiver, Sender as TokioSender, error::RecvError};

    pub(crate) struct Sender<T>(Option<TokioSender<T>>, Order);
    pub(crate) struct Receiver<T>(TokioReceiver<T>, Order);

    pub(crate) fn channel<T>() -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let order = Order::new();
        (Sender(Some(sender), order.clone()), Receiver(receiver, order))
    }

    impl<T> Sender<T> {
        pub(crate) fn send(mut self, value: T) -> Result<(), T> {
            self.1.step();
            self.0.take().unwrap().send(value)
        }
    }

    impl<T> Drop for Sender<T> {
        fn drop(&mut self) {
            if let Some(sender) = self.0.take() {
                self.1.step();
                drop(sender);
            }
        }
    }

    impl<T> Future for Receiver<T> {
        type Output = Result<T, RecvError>;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
            self.1.step();
            let polled = Pin::new(&mut self.0).poll(context);
            if polled.is_ready() {
                self.1.step();
            }
            polled
        }
    }
}

/// A task as a thread.
pub(crate) struct JoinHandle<T>(oneshot::Receiver<T>);

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, Ended>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map_err(|_| Ended)
    }
}

/// The task was dropped before its end.
#[derive(Debug)]
pub(crate) struct Ended;

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the task was dropped")
    }
}

pub(crate) fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    let (sender, receiver) = oneshot::channel();
    loom::thread::spawn(move || {
        let mut task = Box::pin(task);
        let ended = loom::future::block_on(std::future::poll_fn(|context| match task.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if crate::is_doomed() => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }));
        drop(task);
        if let Some(done) = ended {
            let _ = sender.send(done);
        }
    });
    JoinHandle(receiver)
}

pub(crate) async fn yield_now() {
    loom::thread::yield_now();
}
