//! A page token: a list opens only its own tokens.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|token: &str| {
    if let Some(id) = pavise_kernel::fuzz::page_token(token, "0123456789abcdef") {
        assert!(!id.is_empty());
        assert!(pavise_kernel::fuzz::page_token(token, "fedcba9876543210").is_none());
    }
});
