//! The access code of a visitor's answer, and its stored digest.

use data_encoding::BASE32_NOPAD;
use pavise_kernel::Call;
use pavise_kernel::hex::to_hex;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::contract::v1::Answer;

/// A code that nobody has seen yet: 160 random bits.
pub(crate) fn new_code(call: &Call) -> String {
    let mut bytes = [0; 20];
    call.kernel().ids().fill_random(&mut bytes);
    BASE32_NOPAD.encode(&bytes)
}

/// The stored digest of a code. The code is random, so the digest needs neither salt nor cost.
pub(crate) fn digest_code(code: &str) -> String {
    to_hex(&Sha256::digest(code.trim().to_ascii_uppercase()))
}

impl Answer {
    /// Whether a visitor made it with that code. It takes the same time whichever it is.
    pub(crate) fn is_opened_by(&self, code: &str) -> bool {
        let is_code: bool = self.code_digest.as_bytes().ct_eq(digest_code(code).as_bytes()).into();
        is_code && self.of_visitor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_code_opens_an_answer() {
        let answer = Answer { of_visitor: true, code_digest: digest_code("ABC"), ..Answer::default() };
        assert!(answer.is_opened_by(" abc "));
        assert!(!answer.is_opened_by("ABD"));
        assert!(!Answer { of_visitor: true, ..Answer::default() }.is_opened_by(""), "without a digest");
        assert!(!Answer { of_visitor: false, ..answer }.is_opened_by("ABC"), "an account has it by now");
    }
}
