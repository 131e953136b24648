//! The wire between a domain and its peers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{Request, Response};
use pavise_kernel::peers::Transport;
use tokio::sync::Notify;
use tonic::Status;
use tonic::body::Body;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, ServiceExt as _, service_fn};

/// The fault of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireFault {
    /// The call never arrives.
    Before,
    /// The call has its effect, and the answer is lost.
    After,
    /// The call never arrives, and its caller is killed: the call never ends.
    KilledBefore,
    /// The call has its effect, and its caller is killed: the call never ends.
    KilledAfter,
}

/// Counts the calls, and loses the chosen ones.
#[derive(Debug, Clone, Default)]
pub struct Wire(Arc<WireState>);

#[derive(Debug, Default)]
struct WireState {
    transports: Mutex<BTreeMap<&'static str, Transport>>,
    calls: AtomicUsize,
    cut: Mutex<Option<(usize, WireFault)>>,
    down: Mutex<BTreeSet<&'static str>>,
    spared: Mutex<BTreeSet<&'static str>>,
    killed: Notify,
}

impl Wire {
    /// Cuts the call after so many more, once.
    pub fn break_after(&self, after: usize, how: WireFault) {
        *lock(&self.0.cut) = Some((self.calls() + after, how));
    }

    /// Cancels a cut that is still to come.
    pub fn cancel_cut(&self) {
        *lock(&self.0.cut) = None;
    }

    /// Whether the cut is still to come: fewer calls were made.
    #[must_use]
    pub fn is_uncut(&self) -> bool {
        lock(&self.0.cut).is_some()
    }

    /// How many calls there were.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.0.calls.load(Ordering::SeqCst)
    }

    /// Makes a domain unavailable, or available again.
    pub fn set_down(&self, domain: &'static str, down: bool) {
        let mut all = lock(&self.0.down);
        if down {
            all.insert(domain);
        } else {
            all.remove(domain);
        }
    }

    /// Neither counts nor cuts the calls to a domain from now on.
    pub fn exempt_domain(&self, domain: &'static str) {
        lock(&self.0.spared).insert(domain);
    }

    /// Waits for the cut of a call that never ends.
    async fn wait_for_cut(&self) {
        self.0.killed.notified().await;
    }

    /// Runs a call; `None` for one whose caller is killed by the cut.
    pub async fn unless_killed<T>(&self, call: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.wait_for_cut() => None,
            answer = call => Some(answer),
        }
    }

    /// A transport over this wire to what another one leads to.
    pub(super) fn around(&self, domain: &'static str, transport: Transport) -> Transport {
        lock(&self.0.transports).insert(domain, transport);
        let wire = self.clone();
        BoxCloneSyncService::new(service_fn(move |request: Request<Body>| {
            let wire = wire.clone();
            async move { wire.carry(domain, request).await }
        }))
    }

    /// Forgets where it leads. A domain that calls itself over the wire would keep itself, and its connections, for ever.
    pub(super) fn forget_transports(&self) {
        lock(&self.0.transports).clear();
    }

    async fn carry(&self, domain: &'static str, request: Request<Body>) -> Result<Response<Body>, BoxError> {
        let known = lock(&self.0.transports).get(domain).cloned();
        let Some(transport) = known.filter(|_| !lock(&self.0.down).contains(domain)) else {
            return Err("nobody is there".into());
        };
        if lock(&self.0.spared).contains(domain) {
            return transport.oneshot(request).await;
        }
        let number = self.0.calls.fetch_add(1, Ordering::SeqCst);
        let how = lock(&self.0.cut).take_if(|(at, _)| *at == number).map(|(_, how)| how);
        if matches!(how, None | Some(WireFault::After | WireFault::KilledAfter)) {
            let answer = transport.oneshot(request).await?;
            if how.is_none() {
                return Ok(answer);
            }
        }
        if matches!(how, Some(WireFault::KilledBefore | WireFault::KilledAfter)) {
            self.0.killed.notify_one();
            std::future::pending::<()>().await;
        }
        Ok(Status::unavailable("the wire was cut").into_http())
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
