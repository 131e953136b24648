//! Rate limits of calls, per caller.
//!
//! The state is kept in the process, so with several processes a caller has the limit of each. The allowance refills
//! steadily: a caller who types fast never waits, and a caller who reads everything waits most of the time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::error::{Common, Error, Result};
use crate::time::{MINUTE, Micros};

/// Callers that are kept at most.
const BOUND: usize = 100_000;

/// Callers of rate-limited calls, each with the time at which its allowance is full again.
#[derive(Debug, Default)]
pub(crate) struct RateLimiter(Mutex<HashMap<(&'static str, String), Micros>>);

impl RateLimiter {
    /// Admits a call, or reports how long the caller has to wait. A caller may make `per_minute` calls at once, and as
    /// many again in each following minute.
    ///
    /// # Errors
    /// `TOO_MANY_CALLS`.
    pub(crate) fn admit(&self, call: &'static str, caller: &str, per_minute: u32, now: Micros) -> Result<()> {
        let each = MINUTE / Micros::from(per_minute.max(1));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= BOUND {
            all.retain(|_, until| *until > now);
        }
        let until = all.entry((call, caller.to_owned())).or_insert(now);
        let used = (*until).max(now) + each;
        if used > now + MINUTE {
            return Err(refusal(per_minute, used - now - MINUTE));
        }
        *until = used;
        Ok(())
    }
}

fn refusal(per_minute: u32, wait: Micros) -> Error {
    let seconds = u64::try_from((wait + 999_999) / 1_000_000).unwrap_or(1).max(1);
    let message = format!("you may make this call {per_minute} times a minute; try again in {seconds} s");
    Error::new(Common::TooManyCalls, message).retry_after(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Micros = 1_800_000_000_000_000;

    fn admitted(rate_limiter: &RateLimiter, caller: &str, now: Micros) -> usize {
        (0..1_000).filter(|_| rate_limiter.admit("/search", caller, 120, now).is_ok()).count()
    }

    #[test]
    fn so_many_at_once_and_then_steadily() {
        let rate_limiter = RateLimiter::default();
        assert_eq!(admitted(&rate_limiter, "ada", NOW), 120);
        assert_eq!(admitted(&rate_limiter, "ada", NOW + MINUTE / 120), 1);
        assert_eq!(admitted(&rate_limiter, "ada", NOW + MINUTE / 2), 59);
        assert_eq!(admitted(&rate_limiter, "ada", NOW + 10 * MINUTE), 120, "who waited has no more than a minute's");
        let error = rate_limiter.admit("/search", "ada", 120, NOW + 10 * MINUTE).unwrap_err();
        assert_eq!(error.message(), "you may make this call 120 times a minute; try again in 1 s");
    }

    #[test]
    fn each_caller_and_each_call_by_itself() {
        let rate_limiter = RateLimiter::default();
        assert_eq!(admitted(&rate_limiter, "ada", NOW), 120);
        assert_eq!(admitted(&rate_limiter, "bob", NOW), 120);
        assert!(rate_limiter.admit("/other", "ada", 1, NOW).is_ok());
        assert!(rate_limiter.admit("/other", "ada", 1, NOW).is_err());
    }

    #[test]
    fn a_full_memory_forgets_those_who_have_waited() {
        let rate_limiter = RateLimiter::default();
        for number in 0..BOUND {
            rate_limiter.admit("/search", &number.to_string(), 120, NOW).unwrap();
        }
        assert_eq!(admitted(&rate_limiter, "ada", NOW + MINUTE), 120);
        assert!(rate_limiter.0.lock().unwrap().len() < BOUND);
    }
}
