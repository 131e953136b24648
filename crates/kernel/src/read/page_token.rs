//! Page tokens: the place at which a list goes on, sealed so that a token tells its reader nothing.
//!
//! A token is bound to its caller, its call and its filter. It opens for the same three only. Its length is that of a
//! multiple of 64 bytes, so that the length tells little of the place. The same place has the same token, so that a
//! token needs no randomness.

use std::fmt;

use aes_gcm::aead::{Aead as _, KeyInit as _};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use crate::error::{Common, Error};
use crate::time::Ids;

const NONCE: usize = 12;
/// Places are filled up to multiples of this many bytes.
const BLOCK: usize = 64;
/// The bytes before a place that hold its length.
const HEAD: usize = 2;

/// The use of the keys.
const PURPOSE: &str = "pavise page tokens v1";

type Digest = [u8; 32];

/// Seals and opens page tokens.
#[derive(Clone)]
pub(crate) struct PageTokens {
    secret: Digest,
    /// A second secret that opens, too, while the first one is being changed.
    also: Option<Digest>,
}

impl fmt::Debug for PageTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageTokens")
    }
}

impl PageTokens {
    /// The tokens of all processes with this secret.
    pub(crate) fn new(secret: &[u8]) -> Self {
        Self { secret: digest(secret, &[PURPOSE]), also: None }
    }

    /// The same, which also opens the tokens of a second secret.
    pub(crate) fn with(self, also: &[u8]) -> Self {
        Self { also: Some(digest(also, &[PURPOSE])), ..self }
    }

    /// Tokens that no other process opens.
    pub(crate) fn of_one_process() -> Self {
        let mut secret = [0; 32];
        Ids::random().fill_random(&mut secret);
        Self::new(&secret)
    }

    /// The token of a place, for readers with the same context.
    pub(crate) fn seal(&self, context: &[&str], place: &str) -> String {
        let key = digest(&self.secret, context);
        let Some(padded) = padded(place) else { return String::new() };
        // The nonce depends on the key and the whole text, so that no nonce is used for two texts.
        let mut nonce = [0; NONCE];
        nonce.iter_mut().zip(digest(&key, &["nonce", place])).for_each(|(to, from)| *to = from);
        let sealed = cipher(&key).encrypt(&Nonce::from(nonce), padded.as_slice()).unwrap_or_default();
        URL_SAFE_NO_PAD.encode([nonce.as_slice(), &sealed].concat())
    }

    /// The place of a token; `None` unless the token was sealed with one of the secrets for this context.
    pub(crate) fn open(&self, context: &[&str], token: &str) -> Option<String> {
        let opened = open(&self.secret, context, token);
        opened.or_else(|| open(self.also.as_ref()?, context, token))
    }
}

/// Opens a token with one secret.
fn open(secret: &Digest, context: &[&str], token: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (nonce, sealed) = bytes.split_at_checked(NONCE)?;
    let nonce = Nonce::from(<[u8; NONCE]>::try_from(nonce).ok()?);
    let padded = cipher(&digest(secret, context)).decrypt(&nonce, sealed).ok()?;
    let (length, place) = padded.split_first_chunk::<HEAD>()?;
    let place = place.get(..usize::from(u16::from_be_bytes(*length)))?;
    String::from_utf8(place.to_vec()).ok().filter(|place| !place.is_empty())
}

/// The refusal of a page token that this list did not make.
pub(crate) fn of_no_list() -> Error {
    let why = "was not made by this list";
    Error::new(Common::InvalidPageToken, format!("page_token {why}")).violation("page_token", why)
}

fn cipher(key: &Digest) -> Aes256Gcm {
    Aes256Gcm::new(&Key::<Aes256Gcm>::from(*key))
}

/// A digest of some texts. Other texts have another digest, also if they are the same when put together.
fn digest(key: &[u8], texts: &[&str]) -> Digest {
    let Ok(mut hmac) = <Hmac<Sha256> as hmac::Mac>::new_from_slice(key) else { return Digest::default() };
    for text in texts {
        hmac.update(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        hmac.update(text.as_bytes());
    }
    hmac.finalize().into_bytes().into()
}

/// The length of a place, the place, and zeros. `None` for a place that no list has.
fn padded(place: &str) -> Option<Vec<u8>> {
    let length = u16::try_from(place.len()).ok()?;
    let mut padded = Vec::with_capacity((HEAD + place.len()).next_multiple_of(BLOCK));
    padded.extend_from_slice(&length.to_be_bytes());
    padded.extend_from_slice(place.as_bytes());
    padded.resize(padded.len().next_multiple_of(BLOCK), 0);
    Some(padded)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: [&str; 3] = ["/pavise.orders.v1.OrderService/ListOrders", "User", "ada"];

    #[test]
    fn a_token_is_opened_with_the_same_secret_and_context_only() {
        let tokens = PageTokens::new(b"secret");
        let token = tokens.seal(&CONTEXT, "ada@example.com\0id-1");
        assert_eq!(tokens.open(&CONTEXT, &token).as_deref(), Some("ada@example.com\0id-1"));
        assert_eq!(PageTokens::new(b"another").open(&CONTEXT, &token), None);
        assert_eq!(PageTokens::of_one_process().open(&CONTEXT, &token), None);
        let changed = PageTokens::new(b"another").with(b"secret");
        assert_eq!(changed.open(&CONTEXT, &token), tokens.open(&CONTEXT, &token), "the secret is being changed");
        assert_eq!(tokens.open(&CONTEXT, &changed.seal(&CONTEXT, "place")), None);
        for at in 0..CONTEXT.len() {
            let mut other = CONTEXT;
            other[at] = "bob";
            assert_eq!(tokens.open(&other, &token), None, "{other:?}");
        }
        assert_eq!(tokens.open(&["ab", "c"], &tokens.seal(&["a", "bc"], "place")), None);
    }

    #[test]
    fn a_changed_token_opens_nothing() {
        let tokens = PageTokens::new(b"secret");
        let good = URL_SAFE_NO_PAD.decode(tokens.seal(&CONTEXT, "place")).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert_eq!(tokens.open(&CONTEXT, &URL_SAFE_NO_PAD.encode(&bad)), None, "{at}");
            assert_eq!(tokens.open(&CONTEXT, &URL_SAFE_NO_PAD.encode(&good[..at])), None, "{at}");
        }
        for odd in ["", "bogus", "AAAA", ".", "\0"] {
            assert_eq!(tokens.open(&CONTEXT, odd), None, "{odd:?}");
        }
    }

    #[test]
    fn a_token_shows_neither_its_place_nor_its_exact_length() {
        let tokens = PageTokens::new(b"secret");
        let places = ["a".to_owned(), "ada@example.com\0id".to_owned(), "x".repeat(62)];
        let sealed = places.each_ref().map(|place| tokens.seal(&CONTEXT, place));
        assert!(sealed.iter().all(|token| token.len() == 123), "{sealed:?}");
        for (place, token) in places.iter().zip(&sealed) {
            let bytes = URL_SAFE_NO_PAD.decode(token).unwrap();
            assert!(place.len() < 8 || !bytes.windows(4).any(|part| place.as_bytes().windows(4).any(|of| of == part)));
        }
        assert_eq!(tokens.seal(&CONTEXT, "a"), sealed[0], "the same place has the same token");
    }

    #[test]
    fn the_longest_place_has_a_token_that_a_request_may_send() {
        // A way, an address of 254 letters of four bytes, an id, and what the search reads by.
        let longest = format!("9\0{}\0{}\099", "𝒂".repeat(254), "i".repeat(64));
        let tokens = PageTokens::new(b"secret");
        let token = tokens.seal(&CONTEXT, &longest);
        assert!(token.len() <= 1_536, "{}", token.len());
        assert_eq!(tokens.open(&CONTEXT, &token), Some(longest));
    }
}
