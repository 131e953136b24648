//! Rate limits of failed sign-ins, per account and per address. Each further failure waits longer.
//!
//! The counts are kept in the process. An attacker gains a factor of the number of processes, and a fresh start with
//! each restart. In exchange no guess costs a durable write.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pavise_kernel::time::{HOUR, Micros};
use pavise_kernel::{Error, Result};
use sha2::{Digest as _, Sha256};

use crate::config::FreeTries;
use crate::contract::v1::ErrorReason;

const SECOND: Micros = 1_000_000;
/// The longest wait.
const LONGEST: Micros = 300 * SECOND;
/// Failures are forgotten when so much time passed since the last.
const MEMORY: Micros = HOUR;
/// How long an address at which somebody signed in is known.
const KNOWN: Micros = 30 * 24 * HOUR;
/// How many accounts and addresses are remembered.
const BOUND: usize = 100_000;

/// The kind of a limit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// An account, by the name that was used to sign in, whether it exists or not.
    Account,
    /// A network address; many people may share one.
    Address,
    /// An account at an address that it was signed in from before: its owner does not wait for guesses elsewhere.
    Known,
}

/// Which account or address.
pub(crate) type Key = [u8; 32];

#[derive(Debug, Clone, Copy)]
struct Failures {
    count: u32,
    last: Micros,
    until: Micros,
}

/// Remembers failures, and where accounts were signed in to.
#[derive(Debug, Default)]
pub(crate) struct Throttle {
    free: FreeTries,
    failures: Mutex<HashMap<Key, Failures>>,
    known: Mutex<HashMap<Key, Micros>>,
}

impl Throttle {
    pub(crate) fn new(free: FreeTries) -> Self {
        Self { free, ..Self::default() }
    }

    /// How many failures are free.
    fn free(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Account | Kind::Known => self.free.account,
            Kind::Address => self.free.address,
        }
    }

    /// The key of an account or address: a digest that hides it.
    pub(crate) fn key(kind: Kind, value: &str) -> Key {
        let value = if matches!(kind, Kind::Address) { network(value) } else { value.to_lowercase() };
        Sha256::new_with_prefix(format!("{kind:?}\n")).chain_update(value).finalize().into()
    }

    /// Refuses while the key has to wait.
    ///
    /// # Errors
    /// `SIGN_IN_THROTTLED`.
    pub(crate) fn admit(&self, key: &Key, now: Micros) -> Result<()> {
        match self.lock().get(key) {
            Some(failures) if now < failures.until => Err(refusal(failures.until - now)),
            _ => Ok(()),
        }
    }

    /// Counts a failure.
    pub(crate) fn failed(&self, kind: Kind, key: &Key, now: Micros) {
        let mut all = self.lock();
        if all.len() >= BOUND {
            // Keys that wait are kept: a flood of other keys must not end a wait.
            all.retain(|_, failures| now < failures.until);
        }
        let failures = all.entry(*key).or_insert(Failures { count: 0, last: now, until: now });
        if now - failures.last > MEMORY {
            failures.count = 0;
        }
        failures.count = failures.count.saturating_add(1);
        failures.last = now;
        let beyond = failures.count.saturating_sub(self.free(kind));
        failures.until = now.saturating_add(wait(beyond, LONGEST));
    }

    /// Admits an attempt and counts it as failed until its outcome is known. Concurrent attempts therefore do not all
    /// pass.
    ///
    /// # Errors
    /// `SIGN_IN_THROTTLED`.
    pub(crate) fn attempt(&self, key: &Key, now: Micros) -> Result<()> {
        self.admit(key, now)?;
        self.failed(Kind::Account, key, now);
        Ok(())
    }

    /// The attempt never happened.
    pub(crate) fn withdraw(&self, key: &Key, now: Micros) {
        if let Some(failures) = self.lock().get_mut(key) {
            failures.count = failures.count.saturating_sub(1);
            failures.until = now;
        }
    }

    /// Forgets the failures of a key.
    pub(crate) fn forgive(&self, key: &Key) {
        self.lock().remove(key);
    }

    /// The key of an account at an address.
    pub(crate) fn known_key(account: &str, address: &str) -> Key {
        Self::key(Kind::Known, &format!("{}\n{account}", network(address)))
    }

    /// The key of the second factors of an identity at an address.
    pub(crate) fn known_second_key(identity_id: &str, address: &str) -> Key {
        Self::known_key(&format!("second factor\n{identity_id}"), address)
    }

    /// Remembers that somebody signed in to an account at an address.
    pub(crate) fn remember(&self, known: Key, now: Micros) {
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
    pub(crate) fn knows(&self, known: &Key, now: Micros) -> bool {
        let all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(known).is_some_and(|at| now - *at < KNOWN)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Failures>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The network of an address. The first half of an IPv6 address names a household, which has many of the second.
fn network(address: &str) -> String {
    match address.parse() {
        Ok(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(address) => address.to_string(),
            None => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        },
        _ => address.to_lowercase(),
    }
}

/// How long is waited after so many failures more than are free.
pub(crate) fn wait(beyond: u32, longest: Micros) -> Micros {
    if beyond == 0 { 0 } else { (SECOND << beyond.saturating_sub(1).min(20)).min(longest) }
}

/// The refusal of a caller who has to wait.
pub(crate) fn refusal(wait: Micros) -> Error {
    let seconds = u64::try_from((wait + SECOND - 1) / SECOND).unwrap_or(1).max(1);
    let message = format!("too many failed attempts; try again in {seconds} s");
    Error::new(ErrorReason::SignInThrottled, message).retry_after(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Micros = 1_800_000_000 * SECOND;

    fn fail(throttle: &Throttle, key: &Key, times: u32, now: Micros) {
        for _ in 0..times {
            throttle.failed(Kind::Account, key, now);
        }
    }

    #[test]
    fn the_wait_doubles_after_the_free_failures_up_to_five_minutes() {
        let (throttle, key) = (Throttle::default(), Throttle::key(Kind::Account, "ada"));
        fail(&throttle, &key, 5, NOW);
        assert!(throttle.admit(&key, NOW).is_ok());
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            fail(&throttle, &key, 1, NOW);
            let error = throttle.admit(&key, NOW).unwrap_err();
            assert_eq!(error.message(), format!("too many failed attempts; try again in {wait} s"));
            assert!(throttle.admit(&key, NOW + wait * SECOND).is_ok());
        }
    }

    #[test]
    fn success_and_time_forgive() {
        let (throttle, key) = (Throttle::default(), Throttle::key(Kind::Account, "ada"));
        fail(&throttle, &key, 9, NOW);
        throttle.forgive(&key);
        assert!(throttle.admit(&key, NOW).is_ok());
        fail(&throttle, &key, 9, NOW);
        fail(&throttle, &key, 1, NOW + MEMORY + 1);
        assert!(throttle.admit(&key, NOW + MEMORY + 1).is_ok());
    }

    #[test]
    fn attempts_side_by_side_are_counted_before_they_are_known_to_fail() {
        let (throttle, key) = (Throttle::default(), Throttle::key(Kind::Account, "ada"));
        let admitted = (0..100).filter(|_| throttle.attempt(&key, NOW).is_ok()).count();
        assert_eq!(admitted, 6);
        let (throttle, key) = (Throttle::default(), Throttle::key(Kind::Account, "bob"));
        for _ in 0..100 {
            throttle.attempt(&key, NOW).unwrap();
            throttle.withdraw(&key, NOW);
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
        let (throttle, key) = (Throttle::default(), Throttle::key(Kind::Account, "ada"));
        fail(&throttle, &key, 20, NOW);
        for n in 0..BOUND {
            throttle.failed(Kind::Account, &Throttle::key(Kind::Account, &n.to_string()), NOW);
        }
        assert!(throttle.admit(&key, NOW).is_err());
        assert!(throttle.lock().len() <= BOUND);
    }
}
