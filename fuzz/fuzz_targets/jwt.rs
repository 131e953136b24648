//! A token: no unsigned claim is believed.
#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use pavise_kernel::Caller;
use pavise_kernel::caller::Realm;
use pavise_kernel::token::{AUDIENCE, TokenKey, UnverifiedToken, issue_token};

const NOW: i64 = 1_767_258_000_000_000;

static KEY: LazyLock<TokenKey> = LazyLock::new(|| TokenKey::new("fuzz", &[7; 32]));
static GOOD: LazyLock<String> = LazyLock::new(|| {
    let caller = Caller { identity: "member".to_owned(), realm: Realm::User, ..Caller::default() };
    issue_token(&caller, Duration::from_secs(3600), &KEY, NOW)
});

fn believed(token: &str) -> bool {
    UnverifiedToken::read(token).and_then(|token| token.verify(&KEY.public(), AUDIENCE, NOW)).is_ok()
}

fuzz_target!(|data: (usize, &[u8])| {
    let (at, bytes) = data;
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert!(!believed(text) || *GOOD == text, "{text}");
        // A valid token with one part replaced.
        let at = at % GOOD.len();
        let mut forged = GOOD.clone();
        forged.replace_range(at..forged.len().min(at + text.len()), text);
        assert!(!believed(&forged) || forged == *GOOD, "{forged}");
    }
});
