//! Codes that change every 30 seconds (RFC 6238, with HMAC-SHA-1 and six digits, as authenticator apps have them).

use hmac::{Hmac, Mac as _};
use pavise_kernel::time::Micros;
use sha1::Sha1;
use subtle::{ConditionallySelectable as _, ConstantTimeEq as _};

/// How many bytes a shared secret has: as many as the hash.
pub(crate) const SECRET: usize = 20;
/// How long a code is shown.
pub(crate) const PERIOD_SECONDS: i64 = 30;
/// How many digits it has.
pub(crate) const DIGITS: usize = 6;
/// By how many steps the app's clock may differ from ours, in either direction.
const SKEW: i64 = 1;

/// The step that `now` lies in.
pub(crate) fn step_at(now: Micros) -> i64 {
    now.div_euclid(PERIOD_SECONDS * 1_000_000)
}

/// The step whose code this is, of those around `now`. It takes the same time whichever it is, or none.
pub(crate) fn step_of(secret: &[u8], code: &str, now: Micros) -> Option<i64> {
    let mut found = i64::MIN;
    for step in step_at(now) - SKEW..=step_at(now) + SKEW {
        let expected = code_at(secret, step)?;
        found.conditional_assign(&step, expected.as_bytes().ct_eq(code.as_bytes()));
    }
    (found != i64::MIN).then_some(found)
}

/// The code of a step.
pub(crate) fn code_at(secret: &[u8], step: i64) -> Option<String> {
    Some(format!("{:0DIGITS$}", truncate(secret, u64::try_from(step).ok()?)? % 1_000_000))
}

/// The number that a code's digits are the last of (RFC 4226 §5.3).
fn truncate(secret: &[u8], step: u64) -> Option<u32> {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).ok()?;
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest.last()? & 0xf);
    let part: [u8; 4] = digest.get(offset..offset + 4)?.try_into().ok()?;
    Some(u32::from_be_bytes(part) & 0x7fff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET_OF_THE_RFC: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_rfc_6238_appendix_b() {
        let vectors = [
            (59, 94_287_082),
            (1_111_111_109, 7_081_804),
            (1_111_111_111, 14_050_471),
            (1_234_567_890, 89_005_924),
            (2_000_000_000, 69_279_037),
            (20_000_000_000, 65_353_130),
        ];
        for (seconds, expected) in vectors {
            let step = step_at(seconds * 1_000_000);
            assert_eq!(truncate(SECRET_OF_THE_RFC, u64::try_from(step).unwrap()).unwrap() % 100_000_000, expected);
            let short = format!("{:06}", expected % 1_000_000);
            assert_eq!(code_at(SECRET_OF_THE_RFC, step).unwrap(), short);
            assert_eq!(step_of(SECRET_OF_THE_RFC, &short, seconds * 1_000_000), Some(step));
        }
    }

    #[test]
    fn a_clock_may_be_wrong_by_one_step_and_no_more() {
        let now = 2_000_000_000 * 1_000_000;
        let at = |shift: i64| code_at(SECRET_OF_THE_RFC, step_at(now) + shift).unwrap();
        let taken: Vec<i64> = (-3..=3).filter(|shift| step_of(SECRET_OF_THE_RFC, &at(*shift), now).is_some()).collect();
        assert_eq!(taken, [-1, 0, 1]);
        assert_eq!(step_of(SECRET_OF_THE_RFC, "", now), None);
        assert_eq!(step_of(b"another secret of 20", &at(0), now), None);
    }
}
