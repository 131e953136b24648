//! The ciphers: of data keys, and of the master keys that wrap them.

use std::fmt;

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::hex::to_hex;
use crate::port::key_store::WrappedKey;
use crate::time::{Ids, Micros};

const NONCE: usize = 12;
type Digest = [u8; 32];

/// A person's key.
pub(super) struct DataKey {
    cipher: Aes256Gcm,
    nonces: Digest,
    digests: Digest,
}

impl DataKey {
    pub(super) fn new(bytes: &[u8; 32]) -> Self {
        let of = |purpose: &str| -> Digest { Sha256::new_with_prefix(purpose).chain_update(bytes).finalize().into() };
        Self {
            cipher: Aes256Gcm::new(&Key::<Aes256Gcm>::from(of("pavise sealed fields v1\0"))),
            nonces: of("pavise sealed nonces v1\0"),
            digests: of("pavise blind lookups v1\0"),
        }
    }

    /// The nonce and the ciphertext, in base64. The nonce depends on the place and the text, so that no nonce is used for
    /// two texts, and the same text at the same place has the same form.
    pub(super) fn seal(&self, place: &str, text: &[u8]) -> Option<String> {
        let mut nonce = [0; NONCE];
        nonce.iter_mut().zip(digest(&self.nonces, &[place.as_bytes(), text])).for_each(|(to, from)| *to = from);
        let payload = Payload { msg: text, aad: place.as_bytes() };
        let sealed = self.cipher.encrypt(&Nonce::from(nonce), payload).ok()?;
        Some(STANDARD_NO_PAD.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// The text that was sealed at that place.
    pub(super) fn open(&self, place: &str, sealed: &str) -> Option<Vec<u8>> {
        let bytes = STANDARD_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE)?;
        let nonce = Nonce::from(<[u8; NONCE]>::try_from(nonce).ok()?);
        self.cipher.decrypt(&nonce, Payload { msg: sealed, aad: place.as_bytes() }).ok()
    }

    /// A digest of texts that nobody makes without the key.
    pub(super) fn digest(&self, texts: &[&str]) -> String {
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        to_hex(&digest(&self.digests, &texts))
    }
}

/// A digest of some texts. Other texts have another digest, also if they are the same when put together.
fn digest(key: &Digest, texts: &[&[u8]]) -> Digest {
    let Ok(mut hmac) = <Hmac<Sha256> as hmac::Mac>::new_from_slice(key) else { return Digest::default() };
    for text in texts {
        hmac.update(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        hmac.update(text);
    }
    hmac.finalize().into_bytes().into()
}

/// The master key, and a second one that unwraps, too, while the first one is being changed.
#[derive(Clone)]
pub struct MasterKeys {
    first: Master,
    also: Option<Master>,
}

#[derive(Clone)]
struct Master {
    id: String,
    cipher: Aes256Gcm,
}

impl fmt::Debug for MasterKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKeys({})", self.first.id)
    }
}

impl Master {
    fn new(secret: &str) -> Self {
        let key: Digest = Sha256::new_with_prefix("pavise master key v1\0").chain_update(secret).finalize().into();
        let id: Digest = Sha256::new_with_prefix("pavise master key id v1\0").chain_update(key).finalize().into();
        let id = to_hex(id.first_chunk::<6>().map_or(&[][..], |id| id));
        Self { id, cipher: Aes256Gcm::new(&Key::<Aes256Gcm>::from(key)) }
    }
}

impl MasterKeys {
    /// The keys of these secrets: the first one wraps, both unwrap.
    #[must_use]
    pub fn new(secret: &str, also: Option<&str>) -> Self {
        Self { first: Master::new(secret), also: also.map(Master::new) }
    }

    /// The id of the key that wraps. It tells nothing of the key.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.first.id
    }

    /// Wraps a data key. `None` when the cipher refuses, which it does not for a key.
    pub(super) fn wrap(&self, name: &str, bytes: &[u8; 32], ids: &Ids, at: Micros) -> Option<WrappedKey> {
        let mut nonce = [0; NONCE];
        ids.fill_random(&mut nonce);
        let payload = Payload { msg: bytes.as_slice(), aad: name.as_bytes() };
        let sealed = self.first.cipher.encrypt(&Nonce::from(nonce), payload).ok()?;
        let wrapped = [nonce.as_slice(), &sealed].concat();
        Some(WrappedKey { name: name.to_owned(), master: self.first.id.clone(), wrapped, at })
    }

    /// Unwraps a data key; `None` if neither master key has wrapped it.
    pub(super) fn unwrap(&self, key: &WrappedKey) -> Option<[u8; 32]> {
        let master = std::iter::once(&self.first).chain(&self.also).find(|known| known.id == key.master)?;
        let (nonce, sealed) = key.wrapped.split_at_checked(NONCE)?;
        let nonce = Nonce::from(<[u8; NONCE]>::try_from(nonce).ok()?);
        let opened = master.cipher.decrypt(&nonce, Payload { msg: sealed, aad: key.name.as_bytes() }).ok()?;
        opened.try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_opens_at_its_own_place_with_its_own_key_only() {
        let (key, other) = (DataKey::new(&[1; 32]), DataKey::new(&[2; 32]));
        let sealed = key.seal("orders\0o-1\0birthDate", b"\"1980-01-02\"").unwrap();
        assert_eq!(key.open("orders\0o-1\0birthDate", &sealed).unwrap(), b"\"1980-01-02\"");
        assert_eq!(key.seal("orders\0o-1\0birthDate", b"\"1980-01-02\"").unwrap(), sealed, "the same form each time");
        assert_eq!(key.open("orders\0o-2\0birthDate", &sealed), None, "another entity");
        assert_eq!(key.open("orders\0o-1\0email", &sealed), None, "another field");
        assert_eq!(other.open("orders\0o-1\0birthDate", &sealed), None, "another person");
        for at in 0..sealed.len() {
            assert_eq!(key.open("orders\0o-1\0birthDate", &sealed[..at]), None);
        }
    }

    #[test]
    fn of_two_master_keys_the_first_wraps_and_both_unwrap() {
        let ids = Ids::from_seed(1);
        let (old, both, new) =
            (MasterKeys::new("old", None), MasterKeys::new("new", Some("old")), MasterKeys::new("new", None));
        let before = old.wrap("p/ada", &[7; 32], &ids, 1).unwrap();
        assert_eq!(both.unwrap(&before), Some([7; 32]));
        assert_eq!(new.unwrap(&before), None);
        let after = both.wrap("p/ada", &[7; 32], &ids, 1).unwrap();
        assert_eq!((new.unwrap(&after), old.unwrap(&after)), (Some([7; 32]), None));
        let stolen = WrappedKey { name: "p/eve".to_owned(), ..after };
        assert_eq!(new.unwrap(&stolen), None, "a wrapped key belongs to its name");
    }
}
