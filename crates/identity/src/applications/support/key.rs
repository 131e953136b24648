//! Keys of applications: made, shown once, and recognised by their digest.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_kernel::hex::to_hex;
use pavise_kernel::time::{Micros, to_micros, to_timestamp};
use pavise_kernel::{Call, Error, Result, Unit};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::contract::v1::{Application, ApplicationKey, ErrorReason, IssuedApplicationKey};

/// The beginning of every key, so that a finder can tell what it is.
const MARK: &str = "pvk_";
/// How many letters of a key are kept at its beginning and at its end.
const SHOWN: usize = 4;
/// How many keys of an application are good at the same time.
const MOST_KEYS: usize = 5;

/// A key that nobody has seen yet.
pub(crate) struct NewKey {
    text: String,
    /// The record of the key.
    pub(crate) record: ApplicationKey,
}

impl NewKey {
    /// 256 random bits.
    pub(crate) fn new(call: &Call) -> Self {
        let mut bytes = [0; 32];
        call.kernel().ids().fill_random(&mut bytes);
        let letters = URL_SAFE_NO_PAD.encode(bytes);
        let text = format!("{MARK}{letters}");
        let record = ApplicationKey {
            id: call.new_id(),
            prefix: text.chars().take(MARK.len() + SHOWN).collect(),
            last4: letters.chars().skip(letters.len().saturating_sub(SHOWN)).collect(),
            hash: digest_key(&text),
            created_at: Some(call.timestamp()),
            expires_at: None,
        };
        Self { text, record }
    }

    /// Commits and shows the key. The stored answer for a repeat lacks the key.
    pub(crate) async fn show_key(
        self,
        call: &Call,
        unit: Unit<'_>,
        application: Application,
    ) -> Result<IssuedApplicationKey> {
        let key_id = self.record.id;
        let kept = IssuedApplicationKey { application: Some(application), key_id: key_id.clone(), key: String::new() };
        let mut answer = unit.commit_answer(kept).await?;
        // A repeat that ran beside the first call is answered with the first one's key.
        if answer.key_id == key_id && !call.validate_only() {
            answer.key = self.text;
        }
        Ok(answer)
    }
}

/// The stored digest of a key. The key is random, so the digest needs neither salt nor cost.
pub(crate) fn digest_key(key: &str) -> String {
    to_hex(&Sha256::digest(key))
}

impl ApplicationKey {
    /// Whether it is the key with that digest; it takes the same time whichever it is.
    pub(crate) fn is(&self, digest: &str) -> bool {
        self.hash.as_bytes().ct_eq(digest.as_bytes()).into()
    }

    /// Whether its time is not over.
    pub(crate) fn is_good(&self, now: Micros) -> bool {
        self.expires_at.as_ref().is_none_or(|end| now < to_micros(end))
    }
}

impl Application {
    /// Adds a key. Those before are good for `overlap` from now on, and not longer than they were to be.
    pub(crate) fn add_key(&mut self, key: ApplicationKey, overlap: Micros, now: Micros) -> Result<()> {
        let end = now.saturating_add(overlap);
        for known in &mut self.keys {
            let until = known.expires_at.as_ref().map_or(end, |until| to_micros(until).min(end));
            known.expires_at = Some(to_timestamp(until));
        }
        self.keys.retain(|known| known.is_good(now));
        if self.keys.len() >= MOST_KEYS {
            let message = format!("the application has {MOST_KEYS} good keys; ask for a shorter overlap");
            return Err(Error::new(ErrorReason::TooManyApplicationKeys, message));
        }
        self.keys.push(key);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::{DAY, HOUR};

    use super::*;

    const NOW: Micros = 1_800_000_000_000_000;

    fn key(name: &str) -> ApplicationKey {
        ApplicationKey { id: name.to_owned(), hash: digest_key(name), ..ApplicationKey::default() }
    }

    fn good(application: &Application, now: Micros) -> Vec<&str> {
        application.keys.iter().filter(|key| key.is_good(now)).map(|key| key.id.as_str()).collect()
    }

    #[test]
    fn a_key_before_is_good_for_the_overlap_and_never_for_longer_than_it_was_to_be() {
        let mut application = Application { keys: vec![key("a")], ..Application::default() };
        application.add_key(key("b"), HOUR, NOW).unwrap();
        assert_eq!(good(&application, NOW + HOUR - 1), ["a", "b"]);
        assert_eq!(good(&application, NOW + HOUR), ["b"]);
        application.add_key(key("c"), 7 * DAY, NOW).unwrap();
        assert_eq!(good(&application, NOW + HOUR), ["b", "c"], "a keeps its hour");
        application.add_key(key("d"), 0, NOW).unwrap();
        assert_eq!(good(&application, NOW), ["d"]);
        assert_eq!(application.keys.len(), 1, "what opens nothing is not kept");
    }

    #[test]
    fn an_application_has_few_keys_and_can_always_end_them() {
        let mut application = Application { keys: vec![key("0")], ..Application::default() };
        for n in 1..5 {
            application.add_key(key(&n.to_string()), DAY, NOW).unwrap();
        }
        let refused = application.clone().add_key(key("5"), DAY, NOW).unwrap_err();
        assert!(refused.is(ErrorReason::TooManyApplicationKeys));
        application.clone().add_key(key("5"), DAY, NOW + DAY).unwrap();
        application.add_key(key("5"), 0, NOW).unwrap();
        assert_eq!(good(&application, NOW), ["5"]);
    }

    #[test]
    fn a_key_is_known_by_its_digest() {
        assert!(key("a").is(&digest_key("a")));
        assert!(!key("a").is(&digest_key("b")));
        assert!(!key("a").is(""));
    }
}
