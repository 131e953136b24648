//! The synchronization types of the committer. A test replaces them by types of a model checker that tries every order
//! of steps: see `tests/loom`.

pub(crate) use std::sync::{Mutex, MutexGuard};
pub(crate) use tokio::spawn;
pub(crate) use tokio::sync::{mpsc, oneshot};
pub(crate) use tokio::task::{JoinHandle, yield_now};
