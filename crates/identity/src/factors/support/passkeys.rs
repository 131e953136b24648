//! Passkeys (WebAuthn): their records, and their form in the library.
//!
//! The library draws the challenges that devices sign.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate as _, Call, Error, Result, Unit};
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use webauthn_rs::prelude::{Passkey as Key, Uuid};

use crate::contract::v1::{ErrorReason, Passkey};

/// How many passkeys an identity has at most.
pub(crate) const MOST: u32 = 10;

/// The passkeys of an identity, newest first. The caller's access is not checked.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn passkeys_of(call: &Call, identity_id: &str) -> Result<Vec<Passkey>> {
    let filter = Filter { owner: Some(identity_id.to_owned()), limit: MOST.saturating_mul(2), ..Filter::default() };
    let rows = call.kernel().store().list(Passkey::TABLE, &filter).await?;
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
}

/// Adds to the commit that removes an identity that its passkeys go with it.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn remove_all(call: &Call, unit: &mut Unit<'_>, identity_id: &str) -> Result<()> {
    for passkey in passkeys_of(call, identity_id).await? {
        unit.remove(passkey)?;
    }
    Ok(())
}

/// The key of a passkey, as the library knows it.
pub(crate) fn decode_key(passkey: &Passkey) -> Result<Key> {
    serde_json::from_slice(&passkey.credential).map_err(|_| Error::internal("a passkey cannot be read"))
}

/// The handle of an identity on devices: its id, which is no secret.
pub(crate) fn user_handle(identity_id: &str) -> Uuid {
    Uuid::parse_str(identity_id).unwrap_or_else(|_| {
        let digest = Sha256::digest(identity_id);
        let mut bytes = [0; 16];
        for (to, from) in bytes.iter_mut().zip(digest) {
            *to = from;
        }
        Uuid::from_bytes(bytes)
    })
}

/// A credential's id as it is kept.
pub(crate) fn text_of(credential_id: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(credential_id)
}

/// Reads the answer of a browser.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn read_credential<C: DeserializeOwned>(credential_json: &str) -> Result<C> {
    serde_json::from_str(credential_json)
        .map_err(|_| Error::field("credential_json", "is not what navigator.credentials answers, as JSON"))
}

/// The refusal of a passkey.
pub(crate) fn refused_error(cause: impl fmt::Display) -> Error {
    Error::new(ErrorReason::PasskeyRefused, "this passkey does not sign in here").because(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_identity_has_a_handle_of_its_own() {
        assert_eq!(
            user_handle("01900000-0000-7000-8000-000000000001").to_string(),
            "01900000-0000-7000-8000-000000000001"
        );
        assert_ne!(user_handle("ada"), user_handle("eve"));
        assert_eq!(user_handle("ada"), user_handle("ada"));
    }
}
