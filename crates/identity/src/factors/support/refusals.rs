//! Wrong answers at sign-ins, counted in the factor. The count holds in every process and over restarts. Only a caller
//! who knows the password can add to it.

use pavise_kernel::time::{DAY, HOUR, Micros, to_micros};
use pavise_kernel::{Call, Result};

use crate::contract::v1::Factor;
use crate::shared::throttle::{too_many_attempts_error, wait_after};

/// How many wrong answers are free.
const FREE: u32 = 5;
/// The longest wait.
const LONGEST: Micros = HOUR;
/// Wrong answers are forgotten when so much time passed since the last.
const MEMORY: Micros = DAY;

/// Refuses while the factor has to wait.
///
/// # Errors
/// `SIGN_IN_THROTTLED`.
pub(crate) fn admit_attempt(factor: &Factor, now: Micros) -> Result<()> {
    let until = at(factor).saturating_add(wait_after(recent(factor, now).saturating_sub(FREE), LONGEST));
    if now < until { Err(too_many_attempts_error(until - now)) } else { Ok(()) }
}

/// The factor after one more wrong answer.
pub(crate) fn count_refusal(call: &Call, factor: Factor) -> Factor {
    let refusals = i32::try_from(recent(&factor, call.machine_now())).unwrap_or(i32::MAX).saturating_add(1);
    Factor { refusals, refused_at: Some(call.machine_timestamp()), ..factor }
}

/// The factor after a right one.
pub(crate) fn forgive_refusals(factor: Factor) -> Factor {
    Factor { refusals: 0, refused_at: None, ..factor }
}

fn recent(factor: &Factor, now: Micros) -> u32 {
    if now.saturating_sub(at(factor)) < MEMORY { u32::try_from(factor.refusals).unwrap_or(0) } else { 0 }
}

fn at(factor: &Factor) -> Micros {
    factor.refused_at.as_ref().map_or(0, to_micros)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::to_timestamp;

    use super::*;

    const NOW: Micros = 1_800_000_000_000_000;
    const SECOND: Micros = 1_000_000;

    #[test]
    fn a_guesser_has_forty_tries_on_the_first_day_and_one_an_hour_from_then_on() {
        let (mut factor, mut now, mut tries) = (Factor::default(), NOW, Vec::new());
        while now < NOW + 2 * DAY {
            match admit_attempt(&factor, now) {
                Ok(()) => {
                    tries.push(now);
                    let refusals = i32::try_from(recent(&factor, now)).unwrap() + 1;
                    factor = Factor { refusals, refused_at: Some(to_timestamp(now)), ..factor };
                }
                Err(_) => now += SECOND,
            }
        }
        let first = tries.iter().filter(|at| **at < NOW + DAY).count();
        assert_eq!((first, tries.len() - first), (40, 24));
    }

    #[test]
    fn a_day_without_a_wrong_answer_forgives() {
        let factor = Factor { refusals: 50, refused_at: Some(to_timestamp(NOW)), ..Factor::default() };
        assert!(admit_attempt(&factor, NOW + HOUR - 1).is_err() && admit_attempt(&factor, NOW + HOUR).is_ok());
        assert_eq!((recent(&factor, NOW + DAY - 1), recent(&factor, NOW + DAY)), (50, 0));
        assert!(admit_attempt(&forgive_refusals(factor), NOW).is_ok());
    }
}
