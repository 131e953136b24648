//! The seal of secrets in the database: private keys, secrets of authenticator apps, and letters.
//!
//! A seal names the secret that it was made with. With two secrets, the first one seals and both open, so that a
//! deployment changes its secret without a stop and without a loss.

use std::fmt;

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use pavise_kernel::time::Ids;
use sha2::{Digest as _, Sha256};

use crate::config::Config;

const NONCE: usize = 12;
/// The length of a key's id.
const ID: usize = 4;
/// The first bytes of a seal that names its key. An older seal begins with its nonce.
const NAMED: [u8; 4] = *b"PVK1";

/// AES-256-GCM with a key derived from a configured secret. A seal is bound to the id of its record.
#[derive(Clone)]
pub(crate) struct Seal {
    /// Seals and opens.
    first: SealKey,
    /// Opens what another process, or this one before, has sealed with the other secret.
    also: Option<SealKey>,
}

/// A key with its id, which is made of the key and tells nothing of it.
#[derive(Clone)]
struct SealKey {
    id: [u8; ID],
    cipher: Aes256Gcm,
}

impl SealKey {
    fn new(secret: &str) -> Self {
        let key: [u8; 32] =
            Sha256::new_with_prefix("pavise key encryption v1\0").chain_update(secret).finalize().into();
        let named: [u8; 32] = Sha256::new_with_prefix("pavise key id v1\0").chain_update(key).finalize().into();
        let mut id = [0; ID];
        id.iter_mut().zip(named).for_each(|(to, from)| *to = from);
        Self { id, cipher: Aes256Gcm::new(&Key::<Aes256Gcm>::from(key)) }
    }

    fn open(&self, id: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, ciphertext) = sealed.split_at_checked(NONCE)?;
        let nonce = Nonce::from(<[u8; NONCE]>::try_from(nonce).ok()?);
        self.cipher.decrypt(&nonce, Payload { msg: ciphertext, aad: id.as_bytes() }).ok()
    }
}

impl Seal {
    /// A seal of one secret.
    #[cfg(test)]
    pub(crate) fn new(secret: &str) -> Self {
        Self { first: SealKey::new(secret), also: None }
    }

    /// The seal of the configured secrets.
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            first: SealKey::new(&config.key_encryption_secret),
            also: config.key_encryption_secret_also.as_deref().map(SealKey::new),
        }
    }

    /// Whether a second secret opens, too.
    pub(crate) fn has_two(&self) -> bool {
        self.also.is_some()
    }

    /// The id of the key that seals, as logs show it.
    pub(crate) fn id(&self) -> String {
        pavise_kernel::hex::to_hex(&self.first.id)
    }

    /// Whether it was sealed with the first secret, as far as the seal says.
    pub(crate) fn is_current(&self, sealed: &[u8]) -> bool {
        sealed.strip_prefix(&NAMED).is_some_and(|rest| rest.starts_with(&self.first.id))
    }

    /// The key's id, nonce and ciphertext; `None` when the cipher refuses, which it does only for texts of gigabytes.
    pub(crate) fn close(&self, id: &str, private: &[u8], ids: &Ids) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE];
        ids.fill_random(&mut nonce);
        let payload = Payload { msg: private, aad: id.as_bytes() };
        let ciphertext = self.first.cipher.encrypt(&Nonce::from(nonce), payload).ok()?;
        Some([NAMED.as_slice(), &self.first.id, &nonce, &ciphertext].concat())
    }

    /// The text that was sealed for `id`; `None` with another id or secret.
    pub(crate) fn open(&self, id: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let keys = || std::iter::once(&self.first).chain(&self.also);
        let named = sealed.strip_prefix(&NAMED).and_then(|rest| rest.split_at_checked(ID));
        let opened = named.and_then(|(key, rest)| keys().find(|known| known.id == key)?.open(id, rest));
        // An older seal names no key, and may begin with any bytes.
        opened.or_else(|| keys().find_map(|key| key.open(id, sealed)))
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_secret_and_id_open_what_was_sealed() {
        let (seal, ids) = (Seal::new("secret"), Ids::from_seed(1));
        let sealed = seal.close("key", &[7; 32], &ids).unwrap();
        assert_eq!(seal.open("key", &sealed), Some(vec![7; 32]));
        assert_eq!(seal.open("other", &sealed), None);
        assert_eq!(Seal::new("another").open("key", &sealed), None);
        let mut changed = sealed.clone();
        changed[20] ^= 1;
        assert_eq!(seal.open("key", &changed), None);
        for length in 0..sealed.len() {
            assert_eq!(seal.open("key", &sealed[..length]), None);
        }
        assert!(!sealed.windows(32).any(|part| part == [7; 32]));
    }

    #[test]
    fn of_two_secrets_the_first_seals_and_both_open() {
        let ids = Ids::from_seed(1);
        let of = |first: &str, also: Option<&str>| {
            Seal::of(&Config { key_encryption_secret_also: also.map(str::to_owned), ..Config::new(first) })
        };
        let (old, both, new) = (of("old", None), of("new", Some("old")), of("new", None));
        let before = old.close("key", &[7; 32], &ids).unwrap();
        assert_eq!(both.open("key", &before), Some(vec![7; 32]));
        assert!(!both.is_current(&before) && old.is_current(&before));
        let after = both.close("key", &[7; 32], &ids).unwrap();
        assert_eq!((new.open("key", &after), old.open("key", &after)), (Some(vec![7; 32]), None));
        assert!(both.is_current(&after) && new.is_current(&after));
        assert_eq!(of("old", Some("new")).open("key", &after), Some(vec![7; 32]), "the processes change one by one");
        assert_ne!(old.id(), new.id());
    }

    #[test]
    fn a_seal_from_before_key_ids_is_opened_and_sealed_anew() {
        let (seal, ids) = (Seal::new("secret"), Ids::from_seed(1));
        let sealed = seal.close("key", &[7; 32], &ids).unwrap();
        let older = &sealed[NAMED.len() + ID..];
        assert_eq!(seal.open("key", older), Some(vec![7; 32]));
        assert!(!seal.is_current(older));
    }
}
