//! Requests to reset passwords: what is sealed in them, and their codes.

use pavise_kernel::hex::to_hex;
use pavise_kernel::store::Filter;
use pavise_kernel::time::{Ids, MINUTE, Micros};
use pavise_kernel::{Aggregate as _, Call, Kernel, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::keys::Seal;
use crate::config::Config;
use crate::contract::v1::{PasswordReset, PasswordResetStatus};

/// How long a code is good.
pub(crate) const GOOD_FOR: Micros = 30 * MINUTE;
/// How many letters a code has: fifty bits, too many to guess.
const LENGTH: usize = 10;
/// The letters of codes: none that is taken for another.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// How many good codes of one identity are looked for; there is one.
const MOST: u32 = 10;

/// The requested name and language.
#[derive(Serialize, Deserialize)]
pub(crate) struct WantedReset {
    pub(crate) email: String,
    pub(crate) username: String,
    pub(crate) locale: String,
}

/// Seals names and makes codes.
#[derive(Debug)]
pub(crate) struct Resets {
    seal: Seal,
    ids: Ids,
}

impl Resets {
    pub(crate) fn new(kernel: &Kernel, config: &Config) -> Self {
        Self { seal: Seal::of(config), ids: kernel.ids().clone() }
    }

    /// The sealed request.
    pub(crate) fn close(&self, id: &str, wanted: &WantedReset) -> Option<Vec<u8>> {
        self.seal.close(&bound(id), &serde_json::to_vec(wanted).ok()?, &self.ids)
    }

    /// The opened request; `None` when it was sealed with another secret.
    pub(crate) fn open(&self, reset: &PasswordReset) -> Option<WantedReset> {
        serde_json::from_slice(&self.seal.open(&bound(&reset.id), &reset.sealed_name)?).ok()
    }

    /// A new code.
    pub(crate) fn new_code(&self) -> String {
        let mut random = [0; LENGTH];
        self.ids.fill_random(&mut random);
        random.iter().filter_map(|byte| LETTERS.get(usize::from(byte % 32))).map(|letter| char::from(*letter)).collect()
    }
}

fn bound(id: &str) -> String {
    format!("password reset {id}")
}

/// A code as it is written: in two halves.
pub(crate) fn format_code(code: &str) -> String {
    code.split_at_checked(LENGTH / 2).map_or_else(|| code.to_owned(), |(one, two)| format!("{one}-{two}"))
}

/// The digest of a code, however it is written.
pub(crate) fn digest_code(id: &str, code: &str) -> String {
    let plain = |letter: char| match letter.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    };
    let code: String = code.chars().filter(|letter| letter.is_ascii_alphanumeric()).map(plain).collect();
    to_hex(
        &Sha256::new_with_prefix("pavise password reset v1\0")
            .chain_update(id)
            .chain_update("\0")
            .chain_update(code)
            .finalize(),
    )
}

/// Whether a code has that digest. An empty digest is nobody's.
pub(crate) fn has_digest(id: &str, hash: &str, code: &str) -> bool {
    !hash.is_empty() && bool::from(digest_code(id, code).as_bytes().ct_eq(hash.as_bytes()))
}

/// Whether that is the code of the reset. Without a reset it is false after the same work.
pub(crate) fn is_code(reset: Option<&PasswordReset>, code: &str) -> bool {
    let (id, hash) = reset.map_or(("", ""), |reset| (reset.id.as_str(), reset.code_hash.as_str()));
    bool::from(digest_code(id, code).as_bytes().ct_eq(hash.as_bytes()))
}

/// The codes that were sent to an identity and not used or replaced, newest first.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_good(call: &Call, owner: &str) -> Result<Vec<PasswordReset>> {
    let statuses = vec![PasswordResetStatus::Sent.spelling().to_owned()];
    let filter = Filter { owner: Some(owner.to_owned()), statuses, limit: MOST, ..Filter::default() };
    let rows = call.kernel().store().list(PasswordReset::TABLE, &filter).await?;
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
}

/// A reset in a final status, without its code.
pub(crate) fn close_reset(reset: &PasswordReset, status: PasswordResetStatus) -> PasswordReset {
    PasswordReset { status: status.into(), code_hash: String::new(), ..reset.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_its_own_however_it_is_written() {
        let resets = Resets { seal: Seal::new("secret"), ids: Ids::from_seed(1) };
        let code = resets.new_code();
        assert_eq!(code.len(), LENGTH);
        assert_ne!(code, resets.new_code());
        let reset =
            PasswordReset { id: "one".into(), code_hash: digest_code("one", &code), ..PasswordReset::default() };
        for written in [
            code.clone(),
            format_code(&code),
            code.to_lowercase(),
            format!(" {} ", format_code(&code).replace('-', " ")),
        ] {
            assert!(is_code(Some(&reset), &written), "{written}");
        }
        assert!(is_code(Some(&PasswordReset { code_hash: digest_code("one", "0O1lI"), ..reset.clone() }), "00111"));
        for wrong in ["", "0000000000", &code[1..]] {
            assert!(!is_code(Some(&reset), wrong), "{wrong}");
        }
        assert!(!is_code(None, &code));
        assert!(
            !is_code(Some(&PasswordReset { id: "two".into(), ..reset.clone() }), &code),
            "a code is of one request"
        );
        assert!(!is_code(Some(&close_reset(&reset, PasswordResetStatus::Used)), &code));
    }

    #[test]
    fn a_name_is_opened_by_who_sealed_it() {
        let resets = Resets { seal: Seal::new("secret"), ids: Ids::from_seed(1) };
        let wanted = WantedReset { email: "ada@example.com".into(), username: String::new(), locale: "fr-CA".into() };
        let sealed_name = resets.close("one", &wanted).unwrap();
        assert!(!String::from_utf8_lossy(&sealed_name).contains("ada"));
        let reset = PasswordReset { id: "one".into(), sealed_name, ..PasswordReset::default() };
        assert_eq!(resets.open(&reset).unwrap().email, "ada@example.com");
        assert!(resets.open(&PasswordReset { id: "two".into(), ..reset }).is_none());
    }
}
