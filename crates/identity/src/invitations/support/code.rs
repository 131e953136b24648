//! The code of an invitation, and its stored digest.

use pavise_kernel::hex::to_hex;
use pavise_kernel::time::{Ids, Micros, to_micros};
use pavise_kernel::{Call, Error, Result};
use sha2::{Digest as _, Sha256};

use crate::contract::lookups;
use crate::contract::v1::{ErrorReason, Invitation, InvitationStatus};

/// Crockford's alphabet: no letter looks like a digit.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// How many symbols of five bits hold 128 bits.
const SYMBOLS: u32 = 26;

/// A new code of 128 random bits, in groups of four that people can read to each other.
pub(crate) fn new_code(ids: &Ids) -> String {
    let mut bytes = [0; 16];
    ids.fill_random(&mut bytes);
    let bits = u128::from_be_bytes(bytes);
    let mut code = String::new();
    for at in 0..SYMBOLS {
        if at > 0 && at % 4 == 0 {
            code.push('-');
        }
        let symbol = usize::try_from(bits >> (5 * at) & 31).unwrap_or_default();
        code.push(ALPHABET.get(symbol).copied().map_or('0', char::from));
    }
    code
}

/// The stored digest of a code. Case, hyphens and look-alike letters do not matter.
pub(crate) fn digest_code(code: &str) -> String {
    let plain =
        code.chars().filter(|letter| letter.is_ascii_alphanumeric()).map(|letter| match letter.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        });
    let plain: String = plain.collect();
    to_hex(&Sha256::new_with_prefix("invitation\n").chain_update(plain).finalize())
}

/// The pending invitation that a code opens now. The comparison is of digests, so its time shows nothing of the code.
pub(crate) async fn find_opened(call: &Call, code: &str) -> Result<Option<Invitation>> {
    let found: Option<Invitation> = call.find_unscoped_by(lookups::invitation::CODE_DIGEST, &digest_code(code)).await?;
    Ok(found.filter(|invitation| is_open(invitation, call.now())))
}

/// The refusal of a code, whatever is wrong with it.
pub(crate) fn wrong_code_error() -> Error {
    let message = "there is no invitation with this code, or its time is over; ask for another letter";
    Error::new(ErrorReason::InvitationCodeWrong, message)
}

fn is_open(invitation: &Invitation, now: Micros) -> bool {
    invitation.status() == InvitationStatus::Pending
        && invitation.expires_at.as_ref().is_some_and(|until| now < to_micros(until))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use pavise_kernel::time::to_timestamp;

    use super::*;

    #[test]
    fn a_code_has_128_bits_in_readable_groups() {
        let ids = Ids::from_seed(3);
        let codes: HashSet<String> = (0..1000).map(|_| new_code(&ids)).collect();
        assert_eq!(codes.len(), 1000);
        for code in codes {
            assert_eq!(code.len(), 32);
            assert!(code.split('-').all(|group| group.bytes().all(|byte| ALPHABET.contains(&byte))), "{code}");
        }
    }

    #[test]
    fn a_code_is_known_however_it_is_typed() {
        assert_eq!(digest_code("01AB-CD"), digest_code("oiabcd"));
        assert_eq!(digest_code("01AB-CD"), digest_code(" 0LAB CD "));
        assert_ne!(digest_code("01AB-CD"), digest_code("01AB-CE"));
        assert_eq!(digest_code("x").len(), 64);
    }

    #[test]
    fn only_a_pending_invitation_within_its_time_is_open() {
        let pending = Invitation {
            status: InvitationStatus::Pending.into(),
            expires_at: Some(to_timestamp(100)),
            ..Invitation::default()
        };
        assert!(is_open(&pending, 99));
        assert!(!is_open(&pending, 100));
        assert!(!is_open(&Invitation { status: InvitationStatus::Accepted.into(), ..pending.clone() }, 99));
        assert!(!is_open(&Invitation { expires_at: None, ..pending }, 99));
    }
}
