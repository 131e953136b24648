//! Workers: durable consumers of journals, and timers. A lease lets one of several processes run each worker. An entry
//! that fails is retried, then parked, and never blocks other entities.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use pavise_contract::common::v1::JournalEntry;
use prost_types::Any;
use sha2::{Digest, Sha256};

use crate::call::peers::PeerChannel;
use crate::error::{Error, Result};
use crate::hex::to_hex;
use crate::kernel::Kernel;
use crate::time::Micros;

/// The trigger of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalFeed {
    /// The entries of a journal, in order per entity.
    Journal {
        /// The domain that the service belongs to.
        domain: &'static str,
        /// The service's name in the specification.
        service: &'static str,
        /// The gRPC path of its ReadJournal.
        path: &'static str,
    },
    /// A period. A timer ticks, too, whenever business time was moved.
    Every(Duration),
    /// A calendar rule: minute, hour, day of the month, month, day of the week. A time that a clock change leaves out is
    /// due at its end, and one that it repeats is due once. What was missed while no process ran is due once.
    Calendar {
        /// The rule: `30 2 * * *`.
        rule: &'static str,
        /// The time zone: `America/Chicago`.
        zone: &'static str,
    },
}

impl JournalFeed {
    /// Whether the worker is a timer. Timers can be asked to run now.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        !matches!(self, Self::Journal { .. })
    }
}

/// A durable consumer of a journal, or a timer.
#[async_trait]
pub trait Worker: Send + Sync + 'static {
    /// Its name, for leases, cursors and the console: `orders.sell_offers`.
    fn name(&self) -> &'static str;

    /// Its name in the idempotency keys of [`Work::request`]. A worker that is renamed keeps its former name here. Else a
    /// step that ran before the upgrade would get another key, and be done twice.
    fn key_name(&self) -> &'static str {
        self.name()
    }

    /// The worker's trigger.
    fn feed(&self) -> JournalFeed;

    /// Whether an entry is parked in the end that might still succeed. Where it is not, the entry waits for what somebody
    /// else has to do, such as the outcome of a payment.
    fn gives_up(&self) -> bool {
        true
    }

    /// Whether the entries of one owner are handled one after the other, too, and not only those of one entity.
    fn keeps_owners_in_order(&self) -> bool {
        false
    }

    /// Handles an entry. It may run again for the same entry, so each outgoing call uses [`Work::request`].
    ///
    /// # Errors
    /// The entry is tried again later, and parked in the end.
    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let _ = (work, entry);
        Ok(())
    }

    /// Does the due work.
    ///
    /// # Errors
    /// It is logged, and the work is tried again at the next tick.
    async fn tick(&self, work: &Work) -> Result<()> {
        let _ = work;
        Ok(())
    }
}

/// The part of a worker that is known wherever its domain runs. It holds nothing of the worker itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnownWorker {
    pub(crate) name: &'static str,
    pub(crate) feed: JournalFeed,
}

impl KnownWorker {
    pub(crate) fn of(worker: &dyn Worker) -> Self {
        Self { name: worker.name(), feed: worker.feed() }
    }
}

impl fmt::Debug for dyn Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Worker({})", self.name())
    }
}

/// One piece of work: an entry, or a tick.
#[derive(Debug, Clone)]
pub struct Work {
    kernel: Kernel,
    worker: &'static str,
    key_name: &'static str,
    occasion: String,
    request_id: String,
}

impl Work {
    /// Work of `worker` for an `occasion` (an entry's clock, a tick's time), caused by the request `request_id`.
    #[must_use]
    pub fn new(kernel: &Kernel, worker: &'static str, occasion: String, request_id: &str) -> Self {
        Self { kernel: kernel.clone(), worker, key_name: worker, occasion, request_id: request_id.to_owned() }
    }

    /// The same for a worker, which may have another name in idempotency keys.
    #[must_use]
    pub fn of_worker(kernel: &Kernel, worker: &dyn Worker, occasion: String, request_id: &str) -> Self {
        Self { key_name: worker.key_name(), ..Self::new(kernel, worker.name(), occasion, request_id) }
    }

    /// The kernel.
    #[must_use]
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The answer of a step that may be left out; `None` for a refusal, which is in the log then.
    ///
    /// # Errors
    /// When the database or a part of the platform does not answer: another try may pass.
    pub fn skip_refused<T>(&self, answered: std::result::Result<T, impl Into<Error>>, step: &str) -> Result<Option<T>> {
        match answered.map_err(Into::into) {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if error.is_transient() => Err(error),
            Err(error) => {
                tracing::warn!(
                    worker = self.worker,
                    step,
                    reason = error.reason(),
                    cause = error.message(),
                    "a step was left out"
                );
                Ok(None)
            }
        }
    }

    /// The current business time.
    #[must_use]
    pub fn now(&self) -> Micros {
        self.kernel.business_clock().now()
    }

    /// The current time of the machine, for what the test clock does not end: codes, keys, idempotency records.
    #[must_use]
    pub fn machine_now(&self) -> Micros {
        self.kernel.machine_clock().now()
    }

    /// A channel to a domain (also to its own) for its generated client. It acts as the platform.
    #[must_use]
    pub fn peer_channel(&self, domain: &str) -> PeerChannel {
        self.kernel.peer_channel(domain)
    }

    /// A request that takes effect once, however often this work is repeated. Its idempotency key is made of the
    /// worker's [key name](Worker::key_name), the occasion and `step`.
    #[must_use]
    pub fn new_request<M>(&self, message: M, step: &str) -> tonic::Request<M> {
        let digest = to_hex(&Sha256::digest(format!("{}\n{}\n{step}", self.key_name, self.occasion)));
        let mut request = tonic::Request::new(message);
        if let Ok(value) = digest.parse() {
            request.metadata_mut().insert("idempotency-key", value);
        }
        // The first request's id goes through every journal, so that a sale can be followed from end to end.
        if let Ok(value) = self.request_id.parse()
            && !self.request_id.is_empty()
        {
            request.metadata_mut().insert("x-request-id", value);
        }
        request
    }
}

/// The entity of an entry, if it is an `M`.
///
/// # Errors
/// When its bytes are not a valid `M`.
pub fn decode_entity<M: prost::Message + prost::Name + Default>(entry: &JournalEntry) -> Result<Option<M>> {
    let Some(Any { type_url, value }) = &entry.entity else { return Ok(None) };
    if type_url.rsplit('/').next() != Some(M::full_name().as_str()) {
        return Ok(None);
    }
    M::decode(value.as_slice()).map(Some).map_err(Error::internal)
}
