//! The signature of an event: `t=SECONDS,v1=HEX` and possibly further `v1`, each the HMAC-SHA-256 of the time, a full stop and
//! the bytes of the body.

use hmac::{Hmac, Mac as _};
use pavise_kernel::time::Micros;
use pavise_kernel::{Error, Result};
use sha2::Sha256;

use crate::contract::v1::ErrorReason;

/// A second.
const SECOND: Micros = 1_000_000;
/// How old a signature may be.
const OLDEST: Micros = 300 * SECOND;
/// The most signatures that are looked at.
const MOST: usize = 8;

/// Checks that one of the secrets signed the body within the last 300 seconds.
///
/// # Errors
/// `WEBHOOK_SIGNATURE_WRONG`.
pub(crate) fn check_signature(secrets: &[String], header: &str, body: &[u8], now: Micros) -> Result<()> {
    let (mut signed_at, mut signatures) = (None, Vec::new());
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", seconds)) => signed_at = Some(seconds),
            Some(("v1", hex)) if signatures.len() < MOST => signatures.extend(read_hex(hex)),
            _ => {}
        }
    }
    let signed_at = signed_at.ok_or_else(wrong_signature_error)?;
    let seconds = signed_at.parse::<i64>().map_err(|_| wrong_signature_error())?;
    let mut is_signed = false;
    for secret in secrets {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(Error::internal)?;
        mac.update(signed_at.as_bytes());
        mac.update(b".");
        mac.update(body);
        for signature in &signatures {
            // It compares in constant time.
            is_signed |= mac.clone().verify_slice(signature).is_ok();
        }
    }
    if !is_signed {
        return Err(wrong_signature_error());
    }
    if now.saturating_sub(seconds.saturating_mul(SECOND)).saturating_abs() > OLDEST {
        return Err(Error::new(ErrorReason::WebhookSignatureWrong, "the signature is older than 300 seconds"));
    }
    Ok(())
}

fn wrong_signature_error() -> Error {
    Error::new(ErrorReason::WebhookSignatureWrong, "the signature is not that of this request")
}

/// Reads 32 bytes in hexadecimal.
fn read_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        let digits = text.get(place * 2..place * 2 + 2).filter(|digits| !digits.contains('+'))?;
        *byte = u8::from_str_radix(digits, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::hex::to_hex;

    use super::*;

    const BODY: &[u8] = br#"{"id":"evt_1"}"#;
    const NOW: Micros = 1_768_478_400_000_000;

    fn sign(secret: &str, seconds: i64, body: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{seconds}.").as_bytes());
        mac.update(body);
        to_hex(&mac.finalize().into_bytes())
    }

    #[test]
    fn the_scheme_is_that_of_the_documentation() {
        // Computed with `printf '1768478400.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test`.
        let hex = "70081cf22b758bcde77d8fb8eb865a64650d4a36c8e2f1dab65e2e2b4cc7974f";
        assert_eq!(sign("whsec_test", 1_768_478_400, BODY), hex);
        check_signature(&["whsec_test".to_owned()], &format!("t=1768478400,v1={hex},v0=00"), BODY, NOW).unwrap();
    }

    #[test]
    fn each_of_several_secrets_counts_and_no_other() {
        let secrets = ["one".to_owned(), "two".to_owned()];
        let at = NOW / SECOND;
        for secret in ["one", "two"] {
            let header = format!("t={at},v1={},v1={}", "00".repeat(32), sign(secret, at, BODY));
            check_signature(&secrets, &header, BODY, NOW).unwrap();
        }
        for (secret, seconds, body) in [("three", at, BODY), ("one", at, b"{}".as_slice()), ("one", at + 1, BODY)] {
            let header = format!("t={at},v1={}", sign(secret, seconds, body));
            assert!(check_signature(&secrets, &header, BODY, NOW).unwrap_err().is(ErrorReason::WebhookSignatureWrong));
        }
        for header in ["", "t=1", "v1=00", "t=x,v1=00", "t=,v1=", "t=1,v1=é", "nonsense"] {
            assert!(check_signature(&secrets, header, BODY, NOW).is_err(), "{header}");
        }
        let header = format!("t={at},v1={}", sign("one", at, BODY));
        assert!(check_signature(&[], &header, BODY, NOW).is_err(), "without a secret nobody signs");
    }

    #[test]
    fn a_signature_lives_for_five_minutes_in_both_directions() {
        let secrets = ["one".to_owned()];
        for (age, taken) in [(300, true), (301, false), (-300, true), (-301, false)] {
            let at = NOW / SECOND - age;
            let header = format!("t={at},v1={}", sign("one", at, BODY));
            assert_eq!(check_signature(&secrets, &header, BODY, NOW).is_ok(), taken, "{age}");
        }
    }
}
