//! The seal of secrets in the database: private keys and letters.

use std::fmt;

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use pavise_kernel::time::Ids;
use sha2::{Digest as _, Sha256};

const NONCE: usize = 12;

/// AES-256-GCM with a key derived from the configured secret. A seal is bound to the id of its record.
#[derive(Clone)]
pub(crate) struct Seal(Aes256Gcm);

impl Seal {
    pub(crate) fn new(secret: &str) -> Self {
        let key: [u8; 32] =
            Sha256::new_with_prefix("pavise key encryption v1\0").chain_update(secret).finalize().into();
        Self(Aes256Gcm::new(&Key::<Aes256Gcm>::from(key)))
    }

    /// Nonce and ciphertext; `None` when the cipher refuses, which it does only for texts of gigabytes.
    pub(crate) fn close(&self, id: &str, private: &[u8], ids: &Ids) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE];
        ids.fill(&mut nonce);
        let payload = Payload { msg: private, aad: id.as_bytes() };
        let ciphertext = self.0.encrypt(&Nonce::from(nonce), payload).ok()?;
        Some([nonce.as_slice(), &ciphertext].concat())
    }

    /// The text that was sealed for `id`; `None` with another id or secret.
    pub(crate) fn open(&self, id: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, ciphertext) = sealed.split_at_checked(NONCE)?;
        let nonce = Nonce::from(<[u8; NONCE]>::try_from(nonce).ok()?);
        self.0.decrypt(&nonce, Payload { msg: ciphertext, aad: id.as_bytes() }).ok()
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
        let (seal, ids) = (Seal::new("secret"), Ids::seeded(1));
        let sealed = seal.close("key", &[7; 32], &ids).unwrap();
        assert_eq!(seal.open("key", &sealed), Some(vec![7; 32]));
        assert_eq!(seal.open("other", &sealed), None);
        assert_eq!(Seal::new("another").open("key", &sealed), None);
        let mut changed = sealed.clone();
        changed[20] ^= 1;
        assert_eq!(seal.open("key", &changed), None);
        assert_eq!(seal.open("key", &sealed[..11]), None);
        assert!(!sealed.windows(32).any(|part| part == [7; 32]));
    }
}
