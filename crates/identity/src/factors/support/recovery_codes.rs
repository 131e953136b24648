//! Recovery codes: ten that stand in for a lost factor, each once.
//!
//! A code has 120 random bits, so a plain hash cannot be guessed. It stays good after a change of the configured secret.

use pavise_kernel::time::Ids;
use prost_types::Timestamp;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::base32;
use crate::contract::v1::{FactorSet, GetRecoveryCodesResponse, RecoveryCode};

/// How many codes there are.
pub(crate) const CODES: usize = 10;
/// How many random bytes a code has.
const BYTES: usize = 15;
/// How many groups of letters it is written in, and how long a group is.
const GROUPS: usize = 6;
const GROUP: usize = 4;

impl From<&FactorSet> for GetRecoveryCodesResponse {
    fn from(set: &FactorSet) -> Self {
        Self { left: i32::try_from(count_left(set)).unwrap_or(i32::MAX), made_at: set.recovery_codes_made_at }
    }
}

/// How many codes can still be used.
pub(crate) fn count_left(set: &FactorSet) -> usize {
    set.recovery_codes.iter().filter(|code| code.used_at.is_none()).count()
}

/// Uses a code up; answers whether it was good. The time does not depend on which code it is.
pub(crate) fn take_code(set: &mut FactorSet, code: &str, now: Timestamp) -> bool {
    let given = hash_code(&set.id, code);
    let mut taken = false;
    for known in set.recovery_codes.iter_mut().filter(|known| known.used_at.is_none()) {
        if bool::from(known.hash.ct_eq(&given)) {
            *known = RecoveryCode { hash: Vec::new(), used_at: Some(now) };
            taken = true;
        }
    }
    taken
}

/// Six groups of four letters and digits.
pub(crate) fn new_code(ids: &Ids) -> String {
    let mut bytes = [0; BYTES];
    ids.fill_random(&mut bytes);
    let text = base32::encode_base32(&bytes);
    let groups: Vec<&str> = (0..GROUPS).filter_map(|group| text.get(group * GROUP..(group + 1) * GROUP)).collect();
    groups.join("-")
}

/// The hash of a code however it was typed: codes have no 0, 1 and 8, so that these can stand for O, I and B.
pub(crate) fn hash_code(identity_id: &str, code: &str) -> Vec<u8> {
    let typed = code.chars().filter(char::is_ascii_alphanumeric).map(|letter| match letter.to_ascii_uppercase() {
        '0' => 'O',
        '1' => 'I',
        '8' => 'B',
        other => other,
    });
    let code: String = typed.collect();
    Sha256::new_with_prefix(format!("recovery code\n{identity_id}\n{code}")).finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp { seconds: 1_800_000_000, nanos: 0 };

    fn set(codes: &[String]) -> FactorSet {
        let kept = |code: &String| RecoveryCode { hash: hash_code("ada", code), used_at: None };
        FactorSet { id: "ada".into(), recovery_codes: codes.iter().map(kept).collect(), ..FactorSet::default() }
    }

    #[test]
    fn a_code_is_good_once_however_it_is_typed() {
        let ids = Ids::from_seed(1);
        let codes: Vec<String> = (0..CODES).map(|_| new_code(&ids)).collect();
        assert!(codes.iter().all(|code| code.len() == 29 && !code.contains(['0', '1', '8', '9'])), "{codes:?}");
        let mut kept = set(&codes);
        assert!(take_code(&mut kept, &codes[3], NOW));
        assert!(!take_code(&mut kept, &codes[3], NOW), "once");
        let typed = codes[4].to_lowercase().replace('-', " ").replace('o', "0").replace('i', "1").replace('b', "8");
        assert!(take_code(&mut kept, &typed, NOW));
        assert_eq!(count_left(&kept), 8);
        assert!(!take_code(&mut kept, "", NOW));
        let mut others = FactorSet { id: "eve".into(), ..kept };
        assert!(!take_code(&mut others, &codes[5], NOW), "a code belongs to its identity");
    }
}
