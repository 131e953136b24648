//! Rate limits of failed sign-ins, per account and per address. Each further failure waits longer.
//!
//! The processes of the domain count together, see [`pavise_kernel::counts`]. No guess waits for a write. In exchange
//! each process may allow the free failures once more within the first second of an attack. Where somebody signed in
//! before is known to the process of that sign-in only.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pavise_kernel::counts::{Counts, network_of_address};
use pavise_kernel::hex::to_hex;
use pavise_kernel::store::Decay;
use pavise_kernel::time::{HOUR, Micros};
use pavise_kernel::{Error, Kernel, Result};
use sha2::{Digest as _, Sha256};

use crate::config::FreeTries;
use crate::contract::v1::ErrorReason;

const SECOND: Micros = 1_000_000;
/// The longest wait.
const LONGEST: Micros = 300 * SECOND;
/// Failures are forgotten when so much time passed since the last.
const MEMORY: Decay = Decay::After(HOUR);
/// How long an address at which somebody signed in is known.
const KNOWN: Micros = 30 * 24 * HOUR;
/// How many addresses of sign-ins are remembered.
const BOUND: usize = 100_000;

/// The kind of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// An account, by the name that was used to sign in, whether it exists or not.
    Account,
    /// A network address; many people may share one.
    Address,
    /// An account at an address that it was signed in from before: its owner does not wait for guesses elsewhere.
    Known,
}

/// Which account or address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    kind: Kind,
    digest: [u8; 32],
}

/// Counts failures, and remembers where accounts were signed in to.
#[derive(Debug)]
pub(crate) struct Throttle {
    /// The failures that it counts: those of other throttles are counted apart.
    what: &'static str,
    free: FreeTries,
    counts: Arc<Counts>,
    known: Mutex<HashMap<Key, Micros>>,
}

impl Throttle {
    pub(crate) fn new(kernel: &Kernel, what: &'static str, free: FreeTries) -> Self {
        Self { what, free, counts: kernel.counts().clone(), known: Mutex::default() }
    }

    /// How many failures are free.
    fn free(&self, key: &Key) -> u32 {
        match key.kind {
            Kind::Account | Kind::Known => self.free.account,
            Kind::Address => self.free.address,
        }
    }

    /// The key of an account or address: a digest that hides it.
    pub(crate) fn key(kind: Kind, value: &str) -> Key {
        let value = if matches!(kind, Kind::Address) { network_of_address(value) } else { value.to_lowercase() };
        Key { kind, digest: Sha256::new_with_prefix(format!("{kind:?}\n")).chain_update(value).finalize().into() }
    }

    /// The key of the shared count.
    fn place(&self, key: &Key) -> String {
        format!("{}/{}", self.what, to_hex(key.digest.get(..16).unwrap_or_default()))
    }

    /// The wait after so many failures.
    fn wait(&self, key: &Key, count: i64) -> Micros {
        wait_after(u32::try_from(count).unwrap_or(u32::MAX).saturating_sub(self.free(key)), LONGEST)
    }

    /// Refuses while the key has to wait.
    ///
    /// # Errors
    /// `SIGN_IN_THROTTLED`.
    pub(crate) fn check_wait(&self, key: &Key, now: Micros) -> Result<()> {
        let seen = self.counts.get(&self.place(key), MEMORY, now);
        let wait = self.wait(key, seen.count);
        let elsewhere = seen.elsewhere_at.map_or(now, |at| at.saturating_add(wait));
        let until = seen.until.max(elsewhere);
        if wait > 0 && now < until { Err(too_many_attempts_error(until - now)) } else { Ok(()) }
    }

    /// Counts a failure.
    pub(crate) fn count_failure(&self, key: &Key, now: Micros) {
        let place = self.place(key);
        let count = self.counts.add(&place, MEMORY, 1, now);
        self.counts.hold_key(&place, now.saturating_add(self.wait(key, count)));
    }

    /// Admits an attempt and counts it as failed until its outcome is known. Concurrent attempts therefore do not all
    /// pass.
    ///
    /// # Errors
    /// `SIGN_IN_THROTTLED`.
    pub(crate) fn count_attempt(&self, key: &Key, now: Micros) -> Result<()> {
        self.check_wait(key, now)?;
        self.count_failure(key, now);
        Ok(())
    }

    /// The attempt never happened.
    pub(crate) fn withdraw_attempt(&self, key: &Key, now: Micros) {
        let place = self.place(key);
        self.counts.add(&place, MEMORY, -1, now);
        self.counts.hold_key(&place, now);
    }

    /// Forgets the failures of a key.
    pub(crate) fn forgive_failures(&self, key: &Key, now: Micros) {
        self.counts.reset_count(&self.place(key), MEMORY, now);
    }

    /// The key of an account at an address.
    pub(crate) fn known_key(account: &str, address: &str) -> Key {
        Self::key(Kind::Known, &format!("{}\n{account}", network_of_address(address)))
    }

    /// The key of the second factors of an identity at an address.
    pub(crate) fn known_second_key(identity_id: &str, address: &str) -> Key {
        Self::known_key(&format!("second factor\n{identity_id}"), address)
    }

    /// Remembers that somebody signed in to an account at an address.
    pub(crate) fn remember_known(&self, known: Key, now: Micros) {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= BOUND {
            all.retain(|_, at| now - *at < KNOWN);
        }
        if all.len() >= BOUND {
            all.clear();
        }
        all.insert(known, now);
    }

    /// Whether somebody signed in to that account at that address not long ago.
    pub(crate) fn is_known(&self, known: &Key, now: Micros) -> bool {
        let all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(known).is_some_and(|at| now - *at < KNOWN)
    }
}

/// How long is waited after so many failures more than are free.
pub(crate) fn wait_after(beyond: u32, longest: Micros) -> Micros {
    if beyond == 0 { 0 } else { (SECOND << beyond.saturating_sub(1).min(20)).min(longest) }
}

/// The refusal of a caller who has to wait.
pub(crate) fn too_many_attempts_error(wait: Micros) -> Error {
    let seconds = u64::try_from((wait + SECOND - 1) / SECOND).unwrap_or(1).max(1);
    let message = format!("too many failed attempts; try again in {seconds} s");
    Error::new(ErrorReason::SignInThrottled, message).retry_after(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Micros = 1_800_000_000 * SECOND;

    fn alone() -> Throttle {
        let (free, counts, known) = (FreeTries::default(), Arc::default(), Mutex::default());
        Throttle { what: "tests", free, counts, known }
    }

    fn fail(throttle: &Throttle, key: &Key, times: u32, now: Micros) {
        for _ in 0..times {
            throttle.count_failure(key, now);
        }
    }

    #[test]
    fn the_wait_doubles_after_the_free_failures_up_to_five_minutes() {
        let (throttle, key) = (alone(), Throttle::key(Kind::Account, "ada"));
        fail(&throttle, &key, 5, NOW);
        assert!(throttle.check_wait(&key, NOW).is_ok());
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            fail(&throttle, &key, 1, NOW);
            let error = throttle.check_wait(&key, NOW).unwrap_err();
            assert_eq!(error.message(), format!("too many failed attempts; try again in {wait} s"));
            assert!(throttle.check_wait(&key, NOW + wait * SECOND).is_ok());
        }
    }

    #[test]
    fn success_and_time_forgive() {
        let (throttle, key) = (alone(), Throttle::key(Kind::Account, "ada"));
        fail(&throttle, &key, 9, NOW);
        throttle.forgive_failures(&key, NOW);
        assert!(throttle.check_wait(&key, NOW).is_ok());
        fail(&throttle, &key, 9, NOW);
        fail(&throttle, &key, 1, NOW + HOUR + 1);
        assert!(throttle.check_wait(&key, NOW + HOUR + 1).is_ok());
    }

    #[test]
    fn attempts_side_by_side_are_counted_before_they_are_known_to_fail() {
        let (throttle, key) = (alone(), Throttle::key(Kind::Account, "ada"));
        let admitted = (0..100).filter(|_| throttle.count_attempt(&key, NOW).is_ok()).count();
        assert_eq!(admitted, 6);
        let (throttle, key) = (alone(), Throttle::key(Kind::Account, "bob"));
        for _ in 0..100 {
            throttle.count_attempt(&key, NOW).unwrap();
            throttle.withdraw_attempt(&key, NOW);
        }
    }

    #[test]
    fn names_are_told_apart_from_addresses_and_compared_without_case() {
        assert_eq!(Throttle::key(Kind::Account, "Ada@Example.com"), Throttle::key(Kind::Account, "ada@example.com"));
        assert_ne!(Throttle::key(Kind::Account, "::1"), Throttle::key(Kind::Address, "::1"));
    }

    #[test]
    fn a_household_has_one_address_however_many_it_uses() {
        let key = |address: &str| Throttle::key(Kind::Address, address);
        assert_eq!(key("2001:db8:1:2:3:4:5:6"), key("2001:DB8:1:2::1"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:203.0.113.9"), key("203.0.113.9"));
        assert_ne!(key("203.0.113.9"), key("203.0.113.10"));
        let known = |address: &str| Throttle::known_key("ada@example.com", address);
        assert_eq!(known("2001:db8:1:2:3:4:5:6"), known("2001:db8:1:2::1"));
        assert_ne!(known("2001:db8:1:2::1"), known("2001:db8:1:3::1"));
        assert_eq!(known("::ffff:203.0.113.9"), known("203.0.113.9"));
        assert_ne!(known("203.0.113.9"), Throttle::known_key("bob@example.com", "203.0.113.9"));
    }

    #[test]
    fn a_full_memory_keeps_those_who_wait() {
        let (throttle, key) = (alone(), Throttle::key(Kind::Account, "ada"));
        fail(&throttle, &key, 20, NOW);
        for n in 0..BOUND {
            throttle.count_failure(&Throttle::key(Kind::Account, &n.to_string()), NOW);
        }
        assert!(throttle.check_wait(&key, NOW).is_err());
        assert!(throttle.counts.len() <= BOUND);
    }
}
