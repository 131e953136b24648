//! The times of a message.

use pavise_kernel::time::{DAY, MINUTE, Micros, to_micros};
use pavise_kernel::{Error, Result};
use prost_types::Timestamp;

/// The longest time ahead.
const FARTHEST: Micros = 731 * DAY;
/// How far in the past a time may lie: clocks differ.
const TOLERANCE: Micros = MINUTE;

/// Checks when a message is sent, and when it is of no use any more. Answers whether it waits. `path` leads to the times.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_times(
    now: Micros,
    path: &str,
    deliver_on: Option<&Timestamp>,
    expires_at: Option<&Timestamp>,
) -> Result<bool> {
    let begin = match deliver_on {
        Some(at) => check_deliver_on(now, path, at)?,
        None => now,
    };
    if expires_at.is_some_and(|at| to_micros(at) <= begin) {
        return Err(Error::field(format!("{path}expires_at"), "must be after the message is sent"));
    }
    Ok(begin > now)
}

/// Checks when a message is sent.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_deliver_on(now: Micros, path: &str, at: &Timestamp) -> Result<Micros> {
    let at = to_micros(at);
    if at < now.saturating_sub(TOLERANCE) {
        return Err(Error::field(format!("{path}deliver_on"), "must not be in the past"));
    }
    if at > now.saturating_add(FARTHEST) {
        return Err(Error::field(format!("{path}deliver_on"), "lies more than two years ahead"));
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::to_timestamp;

    use super::*;

    #[test]
    fn a_message_is_sent_within_two_years() {
        let now = 1_000 * DAY;
        let at = |micros: Micros| Some(to_timestamp(micros));
        assert!(!check_times(now, "", None, None).unwrap());
        assert!(!check_times(now, "", at(now - 1).as_ref(), None).unwrap());
        assert!(check_times(now, "", at(now + 1).as_ref(), at(now + 2).as_ref()).unwrap());
        for (deliver_on, expires_at) in
            [(at(now - 2 * MINUTE), None), (at(now + 732 * DAY), None), (at(now + 9), at(now + 9)), (None, at(now))]
        {
            assert!(check_times(now, "", deliver_on.as_ref(), expires_at.as_ref()).is_err());
        }
    }
}
