//! When a failed hand-over is tried again.

use pavise_kernel::time::{MINUTE, Micros};

/// The most tries.
pub(crate) const TRIES: usize = 5;

/// When to try again after so many tries; `None` after the last one. `bits` are random: many messages that failed at once
/// do not come back at once.
pub(crate) fn next_try(now: Micros, tries: usize, bits: u64) -> Option<Micros> {
    if tries >= TRIES {
        return None;
    }
    let minutes = 1_i64 << tries.saturating_sub(1).min(8);
    let jitter = i64::try_from(bits % 10_000_000).unwrap_or_default();
    Some(now.saturating_add(minutes.saturating_mul(MINUTE)).saturating_add(jitter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_try_waits_twice_as_long_until_the_fifth() {
        for (tries, minutes) in [(1, 1), (2, 2), (3, 4), (4, 8)] {
            assert_eq!(next_try(7, tries, 0), Some(7 + minutes * MINUTE));
            let late = next_try(7, tries, u64::MAX).unwrap();
            assert!(late > 7 + minutes * MINUTE && late < 7 + minutes * MINUTE + 10_000_000);
        }
        assert_eq!(next_try(7, 5, 0), None);
    }
}
