//! A page token: a list opens only its own tokens, and nobody makes one without the secret.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pavise_kernel::fuzz::{page_place, page_token};

fuzz_target!(|text: &str| {
    assert_eq!(page_place("secret", "filter", text), None, "a token that nobody sealed");
    let token = page_token("secret", "filter", text);
    assert!(token.is_ascii());
    let place = page_place("secret", "filter", &token);
    assert_eq!(place.as_deref(), Some(text).filter(|text| (1..=usize::from(u16::MAX)).contains(&text.len())));
    assert_eq!(page_place("another", "filter", &token), None);
    assert_eq!(page_place("secret", "other", &token), None);
});
