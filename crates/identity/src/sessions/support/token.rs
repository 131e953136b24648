//! Refresh tokens: the session, what all of its refresh tokens have in common, and what this one alone has.
//!
//! The common part shows that a token was once good. Only such a token ends the session when it comes again, so a guess
//! cannot end another's session.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_kernel::hex::to_hex;
use pavise_kernel::time::Ids;
use sha2::{Digest as _, Sha256};

/// The longest text that is looked at.
const LONGEST: usize = 200;

/// A refresh token; its text is never kept.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct RefreshToken {
    session: String,
    family: [u8; 16],
    secret: [u8; 32],
}

impl RefreshToken {
    /// The first token of a session.
    pub(crate) fn new(session: &str, ids: &Ids) -> Self {
        let mut family = [0; 16];
        ids.fill_random(&mut family);
        Self { session: session.to_owned(), family, secret: [0; 32] }.next(ids)
    }

    /// Another token of the same session.
    pub(crate) fn next(&self, ids: &Ids) -> Self {
        let mut secret = [0; 32];
        ids.fill_random(&mut secret);
        Self { secret, ..self.clone() }
    }

    /// The token of that text, if it can be one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut parts = text.split('.');
        let (session, family, secret) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || session.is_empty() {
            return None;
        }
        let family = URL_SAFE_NO_PAD.decode(family).ok()?.try_into().ok()?;
        let secret = URL_SAFE_NO_PAD.decode(secret).ok()?.try_into().ok()?;
        Some(Self { session: session.to_owned(), family, secret })
    }

    /// The text that its bearer gets.
    pub(crate) fn text(&self) -> String {
        format!("{}.{}.{}", self.session, URL_SAFE_NO_PAD.encode(self.family), URL_SAFE_NO_PAD.encode(self.secret))
    }

    /// The session that it belongs to, as it says.
    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// Digest of what the session's tokens have in common.
    pub(crate) fn family_hash(&self) -> String {
        digest("pavise refresh family v1\0", &self.family)
    }

    /// Digest of what this token alone has.
    pub(crate) fn hash(&self) -> String {
        digest("pavise refresh token v1\0", &self.secret)
    }
}

impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RefreshToken({})", self.session)
    }
}

/// The parts are random, so that a digest without salt and without cost keeps them.
fn digest(purpose: &str, secret: &[u8]) -> String {
    to_hex(&Sha256::new_with_prefix(purpose).chain_update(secret).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_written_and_nothing_else_is_one() {
        let ids = Ids::from_seed(1);
        let first = RefreshToken::new("01900000-0000-7000-8000-000000000001", &ids);
        assert_eq!(RefreshToken::read(&first.text()).as_ref(), Some(&first));
        let next = first.next(&ids);
        assert_eq!((next.session(), next.family_hash()), (first.session(), first.family_hash()));
        assert_ne!(next.hash(), first.hash());
        assert_ne!(RefreshToken::new(first.session(), &ids).family_hash(), first.family_hash());
        let text = first.text();
        for wrong in
            ["", "..", "a.b.c", &text[1..][..40], &text[..text.len() - 1], &format!("{text}."), &"a".repeat(5000)]
        {
            assert_eq!(RefreshToken::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn neither_the_digests_nor_the_debug_text_show_the_token() {
        let token = RefreshToken::new("s", &Ids::from_seed(1));
        let shown = format!("{token:?} {} {}", token.family_hash(), token.hash());
        for part in token.text().split('.').skip(1) {
            assert!(!shown.contains(part));
        }
    }
}
