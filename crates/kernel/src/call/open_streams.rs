//! The number of waits and streams that each caller has open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pavise_contract::table::Realm;

use crate::call::caller::Caller;
use crate::error::{Common, Error, Result};
use crate::port::counts::network_of_address;

/// The kinds of what is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A stream, or a read that waits for entries of a journal.
    Stream,
    /// A read that waits for a clock.
    Clock,
}

impl Kind {
    /// The most at a time, for a person and for a program.
    fn most(self, realm: Realm) -> usize {
        match (self, realm) {
            (Self::Stream, Realm::Machine) => 500,
            (Self::Stream, _) => 20,
            (Self::Clock, Realm::Machine) => 64,
            (Self::Clock, _) => 4,
        }
    }

    fn refusal(self, most: usize) -> Error {
        let message = match self {
            Self::Stream => format!("you have {most} streams and waiting reads open; end one first"),
            Self::Clock => format!("{most} of your reads wait for their clocks; ask again when one is answered"),
        };
        Error::new(Common::TooManyCalls, message).retry_after(Duration::from_secs(1))
    }
}

type Key = (Kind, String);

/// The numbers of all callers of a process.
#[derive(Debug, Default)]
pub(crate) struct Open(Mutex<HashMap<Key, usize>>);

/// One that is open.
#[derive(Debug)]
pub(crate) struct Opened {
    open: Arc<Open>,
    key: Option<Key>,
}

impl Open {
    /// Counts one more for the caller: their identity, or without a token their network.
    ///
    /// # Errors
    /// `TOO_MANY_CALLS`.
    pub(crate) fn count_open(self: &Arc<Self>, kind: Kind, caller: &Caller, address: &str) -> Result<Opened> {
        let who = match caller.is_anonymous() {
            true => network_of_address(address),
            false => format!("{}\n{}", caller.identity, caller.actor_identity()),
        };
        // The platform's own parts have every permission, and as many as they need.
        if who.is_empty() || caller.realm == Realm::Machine && caller.has("") {
            return Ok(Opened { open: Arc::clone(self), key: None });
        }
        let (key, most) = ((kind, who), kind.most(caller.realm));
        let mut all = self.lock();
        let count = all.get(&key).copied().unwrap_or(0);
        if count >= most {
            return Err(kind.refusal(most));
        }
        all.insert(key.clone(), count.saturating_add(1));
        drop(all);
        Ok(Opened { open: Arc::clone(self), key: Some(key) })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let Some(key) = self.key.take() else { return };
        let mut all = self.open.lock();
        match all.get_mut(&key) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                all.remove(&key);
            }
        }
    }
}
