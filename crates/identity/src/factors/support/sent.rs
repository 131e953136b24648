//! Codes that are sent: six digits, hashed with a key, good for ten minutes, once, and for few guesses.

use std::fmt;

use hmac::{Hmac, Mac as _};
use pavise_kernel::time::{DAY, Ids, MINUTE, Micros, to_micros, to_timestamp};
use sha2::{Digest as _, Sha256};

use crate::config::Config;
use crate::contract::v1::SentCode;

/// How long a code is good.
const LIFETIME: Micros = 10 * MINUTE;
/// How many wrong codes end a code.
const TRIES: i32 = 5;
/// How long the second code waits for the first; each further one waits twice as long.
const FIRST_WAIT: Micros = MINUTE / 2;
/// The longest wait.
const LONGEST_WAIT: Micros = 15 * MINUTE;
/// The waits start again after so much time without a code.
const FORGOTTEN: Micros = DAY;

/// The key that codes are hashed with: without it, a hash of six digits would be guessed at once.
#[derive(Clone)]
pub(crate) struct CodeKey {
    first: [u8; 32],
    /// The key of a second secret, for codes that were sent before the first one was changed.
    also: Option<[u8; 32]>,
}

impl fmt::Debug for CodeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeKey")
    }
}

impl CodeKey {
    /// The key of one secret.
    #[cfg(test)]
    pub(crate) fn new(secret: &str) -> Self {
        Self { first: derive(secret), also: None }
    }

    /// The key of the configured secrets.
    pub(crate) fn of(config: &Config) -> Self {
        let also = config.key_encryption_secret_also.as_deref().map(derive);
        Self { first: derive(&config.key_encryption_secret), also }
    }

    fn mac(&self, factor_id: &str, code: &str) -> Option<Hmac<Sha256>> {
        mac_of(&self.first, factor_id, code)
    }

    /// A new code and its record, or the time from which one can be had. The code is for this challenge alone; with an
    /// empty id it is for sessions.
    pub(crate) fn next(
        &self,
        (factor_id, challenge_id): (&str, &str),
        before: Option<&SentCode>,
        now: Micros,
        ids: &Ids,
    ) -> Result<(String, SentCode), Micros> {
        let earlier = before.filter(|before| now - sent_at(before) < FORGOTTEN);
        if let Some(at) = earlier.map(next_at).filter(|at| now < *at) {
            return Err(at);
        }
        let code = format!("{:06}", ids.bits() % 1_000_000);
        let hash = self.mac(factor_id, &code).map(|mac| mac.finalize().into_bytes().to_vec()).unwrap_or_default();
        let kept = SentCode {
            hash,
            expires_at: Some(to_timestamp(now.saturating_add(LIFETIME))),
            tries_left: TRIES,
            sent_at: Some(to_timestamp(now)),
            sends: earlier.map_or(0, |earlier| earlier.sends).saturating_add(1),
            challenge_id: challenge_id.to_owned(),
        };
        Ok((code, kept))
    }

    /// Whether the code is the one that was sent for this challenge, and is good still.
    pub(crate) fn is_right(
        &self,
        (factor_id, challenge_id): (&str, &str),
        kept: &SentCode,
        code: &str,
        now: Micros,
    ) -> bool {
        let good = kept.challenge_id == challenge_id
            && kept.tries_left > 0
            && !kept.hash.is_empty()
            && now < kept.expires_at.as_ref().map_or(0, to_micros);
        let is_of =
            |key: &[u8; 32]| mac_of(key, factor_id, code).is_some_and(|mac| mac.verify_slice(&kept.hash).is_ok());
        let same = is_of(&self.first) || self.also.as_ref().is_some_and(is_of);
        good && same
    }
}

fn derive(secret: &str) -> [u8; 32] {
    Sha256::new_with_prefix("pavise code hashing v1\0").chain_update(secret).finalize().into()
}

fn mac_of(key: &[u8; 32], factor_id: &str, code: &str) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::new_from_slice(key).ok()?;
    mac.update(format!("{factor_id}\n{code}").as_bytes());
    Some(mac)
}

/// The record after a wrong code; `None` if no guess is possible any more. A guess at another challenge does not count:
/// it is never right, and must not end the owner's code.
pub(crate) fn count_refusal(kept: &SentCode, challenge_id: &str, now: Micros) -> Option<SentCode> {
    if kept.challenge_id != challenge_id || kept.hash.is_empty() || now >= kept.expires_at.as_ref().map_or(0, to_micros)
    {
        return None;
    }
    let tries_left = kept.tries_left.saturating_sub(1);
    let hash = if tries_left > 0 { kept.hash.clone() } else { Vec::new() };
    Some(SentCode { hash, tries_left, ..kept.clone() })
}

/// The record after the right code. The code is used, and the waits start again.
pub(crate) fn mark_used(kept: &SentCode) -> SentCode {
    SentCode { hash: Vec::new(), tries_left: 0, sends: 0, ..kept.clone() }
}

/// When another code can be sent.
pub(crate) fn next_at(kept: &SentCode) -> Micros {
    if kept.sends < 1 {
        return sent_at(kept);
    }
    let doublings = u32::try_from(kept.sends - 1).unwrap_or(0).min(10);
    sent_at(kept).saturating_add((FIRST_WAIT << doublings).min(LONGEST_WAIT))
}

fn sent_at(kept: &SentCode) -> Micros {
    kept.sent_at.as_ref().map_or(0, to_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Micros = 1_800_000_000_000_000;

    #[test]
    fn a_code_is_good_for_its_factor_for_ten_minutes_and_five_guesses() {
        let (key, ids) = (CodeKey::new("secret"), Ids::from_seed(1));
        let (code, kept) = key.next(("factor", ""), None, NOW, &ids).unwrap();
        assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
        assert!(key.is_right(("factor", ""), &kept, &code, NOW + LIFETIME - 1));
        assert!(!key.is_right(("factor", ""), &kept, &code, NOW + LIFETIME));
        assert!(!key.is_right(("another", ""), &kept, &code, NOW));
        assert!(!CodeKey::new("another").is_right(("factor", ""), &kept, &code, NOW));
        assert!(!key.is_right(("factor", ""), &mark_used(&kept), &code, NOW));
        let mut guessed = kept;
        for left in [4, 3, 2, 1] {
            guessed = count_refusal(&guessed, "", NOW).unwrap();
            assert_eq!(guessed.tries_left, left);
            assert!(key.is_right(("factor", ""), &guessed, &code, NOW));
        }
        guessed = count_refusal(&guessed, "", NOW).unwrap();
        assert!(!key.is_right(("factor", ""), &guessed, &code, NOW));
        assert_eq!(count_refusal(&guessed, "", NOW), None);
    }

    #[test]
    fn each_code_waits_twice_as_long_as_the_one_before_up_to_a_quarter_of_an_hour() {
        let (key, ids) = (CodeKey::new("secret"), Ids::from_seed(1));
        let (mut now, mut kept) = (NOW, None);
        for seconds in [30, 60, 120, 240, 480, 900, 900] {
            let (_, sent) = key.next(("factor", ""), kept.as_ref(), now, &ids).unwrap();
            let at = now + seconds * 1_000_000;
            assert_eq!(next_at(&sent), at);
            assert_eq!(key.next(("factor", ""), Some(&sent), at - 1, &ids).unwrap_err(), at);
            (now, kept) = (at, Some(sent));
        }
        let kept = kept.unwrap();
        assert!(key.next(("factor", ""), Some(&mark_used(&kept)), now, &ids).is_ok(), "a proof ends the wait");
        let (_, later) = key.next(("factor", ""), Some(&kept), now + FORGOTTEN, &ids).unwrap();
        assert_eq!(later.sends, 1);
    }

    #[test]
    fn a_code_is_good_for_its_challenge_and_no_other() {
        let (key, ids) = (CodeKey::new("secret"), Ids::from_seed(1));
        let (code, kept) = key.next(("factor", "mine"), None, NOW, &ids).unwrap();
        assert!(key.is_right(("factor", "mine"), &kept, &code, NOW));
        for other in ["theirs", ""] {
            assert!(!key.is_right(("factor", other), &kept, &code, NOW), "{other}");
            assert_eq!(count_refusal(&kept, other, NOW), None, "and a guess elsewhere costs no try");
        }
        let (code, kept) = key.next(("factor", ""), None, NOW, &ids).unwrap();
        assert!(
            key.is_right(("factor", ""), &kept, &code, NOW) && !key.is_right(("factor", "mine"), &kept, &code, NOW)
        );
    }
}
