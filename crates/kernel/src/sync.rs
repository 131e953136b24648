//! What the committer's parts wait for each other with, gathered here so that a test can put in their place what a model
//! checker takes through every order of steps: see `tests/loom`.

pub(crate) use std::sync::{Mutex, MutexGuard};
pub(crate) use tokio::spawn;
pub(crate) use tokio::sync::{mpsc, oneshot};
pub(crate) use tokio::task::{JoinHandle, yield_now};
