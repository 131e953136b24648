//! The forms of hashes that passwords may be imported with: argon2, PBKDF2 and scrypt in PHC or modular form, bcrypt.
//!
//! A hash decides how much work its check is, so the parameters are bounded. Our own hash replaces it at the first
//! sign-in.

use std::ops::RangeInclusive;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, Params, PasswordVerifier as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use pavise_kernel::{Error, Result};
use pbkdf2::pbkdf2_hmac;
use pbkdf2::sha2::{Sha256, Sha512};
use subtle::ConstantTimeEq as _;

use crate::contract::v1::ErrorReason;

/// How much work a check may be.
const BCRYPT_COSTS: RangeInclusive<u8> = 4..=14;
const PBKDF2_ROUNDS: RangeInclusive<u32> = 1_000..=2_000_000;
const SCRYPT_LOG_N: RangeInclusive<u8> = 10..=18;
const LARGEST_MEMORY_KIB: u32 = 128 * 1024;
const MOST_PASSES: u32 = 12;
const MOST_LANES: u32 = 8;
/// How many bytes a hash has.
const LENGTH: RangeInclusive<usize> = 16..=64;

/// A hash that can be checked.
#[derive(Debug)]
enum Format<'h> {
    Argon2(Box<PasswordHash>),
    Bcrypt(&'h str),
    Pbkdf2 { long: bool, rounds: u32, salt: Vec<u8>, hash: Vec<u8> },
    Scrypt { params: scrypt::Params, salt: Vec<u8>, hash: Vec<u8> },
}

/// Refuses a hash that could not be checked.
///
/// # Errors
/// `PASSWORD_HASH_NOT_SUPPORTED`; the text never shows the hash.
pub(crate) fn check_hash(field: &str, hash: &str) -> Result<()> {
    if Format::of(hash).is_some() {
        return Ok(());
    }
    let why = "is not argon2, bcrypt, PBKDF2 or scrypt in PHC or modular form, or takes too much work to check";
    Err(Error::new(ErrorReason::PasswordHashNotSupported, format!("{field}: {why}")).violation(field, why))
}

/// Whether the password has that hash.
///
/// # Errors
/// When the hash cannot be read.
pub(super) fn verify_hash(password: &str, hash: &str) -> Result<bool> {
    let format = Format::of(hash).ok_or_else(|| Error::internal("a password's hash cannot be read"))?;
    Ok(format.verify(password.as_bytes()))
}

impl<'h> Format<'h> {
    fn of(text: &'h str) -> Option<Self> {
        let name = text.strip_prefix('$')?.split('$').next()?;
        match name {
            "argon2id" | "argon2i" | "argon2d" => {
                let hash = PasswordHash::new(text).ok()?;
                let params = Params::try_from(&hash).ok()?;
                let bounded = params.m_cost() <= LARGEST_MEMORY_KIB
                    && params.t_cost() <= MOST_PASSES
                    && params.p_cost() <= MOST_LANES
                    && hash.hash.is_some_and(|hash| LENGTH.contains(&hash.len()))
                    && hash.salt.is_some();
                bounded.then_some(Self::Argon2(Box::new(hash)))
            }
            "2a" | "2b" | "2y" => {
                let cost = text.get(4..6)?.parse().ok()?;
                let rest = text.get(6..)?.strip_prefix('$')?;
                let spelt = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'/');
                (BCRYPT_COSTS.contains(&cost) && rest.len() == 53 && spelt).then_some(Self::Bcrypt(text))
            }
            "pbkdf2-sha256" | "pbkdf2-sha512" => {
                let (params, salt, hash) = parts(text)?;
                let rounds = params.parse().ok().or_else(|| parameter(params, "i"))?;
                let long = name == "pbkdf2-sha512";
                PBKDF2_ROUNDS.contains(&rounds).then_some(Self::Pbkdf2 { long, rounds, salt, hash })
            }
            "scrypt" => {
                let (params, salt, hash) = parts(text)?;
                let log_n = u8::try_from(parameter(params, "ln")?).ok()?;
                let (r, p) = (parameter(params, "r")?, parameter(params, "p")?);
                let memory_kib = 1_u32.checked_shl(u32::from(log_n))?.checked_mul(r)?.checked_div(8)?;
                let bounded = SCRYPT_LOG_N.contains(&log_n) && memory_kib <= LARGEST_MEMORY_KIB && p <= MOST_LANES;
                let params = scrypt::Params::new(log_n, r, p).ok().filter(|_| bounded)?;
                Some(Self::Scrypt { params, salt, hash })
            }
            _ => None,
        }
    }

    fn verify(&self, password: &[u8]) -> bool {
        let same = |made: &[u8], hash: &[u8]| bool::from(made.ct_eq(hash));
        match self {
            Self::Argon2(hash) => Argon2::default().verify_password(password, hash.as_ref()).is_ok(),
            Self::Bcrypt(hash) => bcrypt::verify(password, hash).unwrap_or(false),
            Self::Pbkdf2 { long, rounds, salt, hash } => {
                let mut made = vec![0; hash.len()];
                if *long {
                    pbkdf2_hmac::<Sha512>(password, salt, *rounds, &mut made);
                } else {
                    pbkdf2_hmac::<Sha256>(password, salt, *rounds, &mut made);
                }
                same(&made, hash)
            }
            Self::Scrypt { params, salt, hash } => {
                let mut made = vec![0; hash.len()];
                scrypt::scrypt(password, salt, params, &mut made).is_ok() && same(&made, hash)
            }
        }
    }
}

/// The parameters, the salt and the hash of `$name$parameters$salt$hash`.
fn parts(text: &str) -> Option<(&str, Vec<u8>, Vec<u8>)> {
    let mut parts = text.split('$').skip(2);
    let (params, salt, hash) = (parts.next()?, parts.next()?, parts.next()?);
    // The modular form writes a dot for a plus.
    let decode = |text: &str| STANDARD_NO_PAD.decode(text.replace('.', "+")).ok();
    let (salt, hash) = (decode(salt)?, decode(hash)?);
    (parts.next().is_none() && !salt.is_empty() && LENGTH.contains(&hash.len())).then_some((params, salt, hash))
}

/// A parameter of `i=310000,l=32`.
fn parameter(params: &str, name: &str) -> Option<u32> {
    params.split(',').find_map(|one| one.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with Python's hashlib, libcrypt and OpenSSL.
    const KNOWN: [(&str, &str); 7] = [
        (
            "PBKDF2 in PHC form",
            "$pbkdf2-sha256$i=1000,l=32$AAECAwQFBgcICQoLDA0ODw$AhaeZ02AwPxykuhhDI8XvhQN8GKvmqM+qF6qvs/98I0",
        ),
        (
            "PBKDF2 in modular form",
            "$pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw$AhaeZ02AwPxykuhhDI8XvhQN8GKvmqM.qF6qvs/98I0",
        ),
        (
            "PBKDF2 with SHA-512, and dots for pluses",
            "$pbkdf2-sha512$1000$..................../w$BIznknMc2ov6WQHv1jspLPyq4EPoxWC1tSIGhxET4.n.y5AfHAR6DWOVK9YeZcLgA0Y8NPPl1GYwP1HhYvT6kg",
        ),
        (
            "the same in PHC form",
            "$pbkdf2-sha512$i=1000,l=64$++++++++++++++++++++/w$BIznknMc2ov6WQHv1jspLPyq4EPoxWC1tSIGhxET4+n+y5AfHAR6DWOVK9YeZcLgA0Y8NPPl1GYwP1HhYvT6kg",
        ),
        ("scrypt", "$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$hKGWL22WtdGfIbxEPAZ06BS2bWyYKuZIKvypfAlYOWk"),
        ("bcrypt", "$2b$05$abcdefghijklmnopqrstuuD3mHdCr44zlIZ.VZCaYRpfQhXMYnEo."),
        (
            "argon2id",
            "$argon2id$v=19$m=1024,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$y2EsH71PG1ZVDWC2noonfvKwpNJH+bZBE4n9zVdS9xo",
        ),
    ];

    #[test]
    fn hashes_that_others_made_are_checked() {
        for (name, hash) in KNOWN {
            check_hash("password_hash", hash).unwrap();
            assert!(verify_hash("correct horse battery", hash).unwrap(), "{name}");
            assert!(!verify_hash("correct horse batterz", hash).unwrap(), "{name}");
            assert!(!verify_hash("", hash).unwrap(), "{name}");
        }
    }

    #[test]
    fn truncated_and_too_dear_hashes_are_refused() {
        for (name, hash) in KNOWN {
            let salt = hash.rsplit_once('$').unwrap().0;
            for wrong in
                ["", "$", &hash[1..], &hash[..hash.len() / 2], salt, &format!("{hash}$AAAA"), &format!("{hash}é")]
            {
                assert!(check_hash("password_hash", wrong).is_err(), "{name}: {wrong}");
            }
        }
        let hash = "AAECAwQFBgcICQoLDA0ODw$6W7GuoxjojaYIg83x/wEKSXUMMf+reyc6wSvA8q7ny8";
        let dear = [
            format!("$scrypt$ln=20,r=8,p=1${hash}"),
            format!("$scrypt$ln=18,r=4294967295,p=1${hash}"),
            format!("$scrypt$ln=14,r=8,p=64${hash}"),
            format!("$pbkdf2-sha256$i=900000000,l=32${hash}"),
            format!("$pbkdf2-sha256$10${hash}"),
            format!("$argon2id$v=19$m=4194304,t=2,p=1${hash}"),
            format!("$argon2id$v=19$m=1024,t=1000000,p=1${hash}"),
            "$2b$31$abcdefghijklmnopqrstuuD3mHdCr44zlIZ.VZCaYRpfQhXMYnEo.".to_owned(),
            "$2b$é5$abcdefghijklmnopqrstuuD3mHdCr44zlIZ.VZCaYRpfQhXMYnE.".to_owned(),
            format!("$md5$${hash}"),
        ];
        for hash in dear {
            let error = check_hash("password_hash", &hash).unwrap_err();
            assert!(error.is(ErrorReason::PasswordHashNotSupported) && !error.to_string().contains(&hash), "{hash}");
            assert!(verify_hash("correct horse battery", &hash).is_err());
        }
    }
}
