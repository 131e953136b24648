//! Passkeys (WebAuthn): begun and finished, with what happens in between kept on this side.
//!
//! The challenges that devices sign come from the library, which draws them itself.

mod delete;
mod register;
mod sign_in;

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate as _, Call, Common, Error, Result, Unit};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use webauthn_rs::prelude::{Passkey as Key, Url, Uuid, Webauthn, WebauthnBuilder};

pub(super) use delete::goes;
pub(super) use register::{begin_passkey_registration, create_passkey};
pub(crate) use sign_in::{Used, begin_challenge_passkey, begin_passkey_sign_in, finish_challenge, finish_sign_in};

use super::Factors;
use crate::config::Config;
use crate::contract::v1::{Challenge, ErrorReason, Passkey};

/// The platform's name, as devices show it.
const NAME: &str = "Pavise";
/// How many passkeys an identity has at most.
const MOST: u32 = 10;

/// Who devices make passkeys for; `None` where no site is configured that they could belong to.
#[derive(Clone)]
pub(super) struct Site(Option<Arc<Webauthn>>);

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Site")
    }
}

impl Site {
    pub(super) fn new(config: &Config) -> Self {
        let site = Self::build(config);
        if site.is_none() {
            tracing::warn!("there are no passkeys: the public URL names no domain, or not the passkeys' own");
        }
        Self(site.map(Arc::new))
    }

    fn build(config: &Config) -> Option<Webauthn> {
        let origin = Url::parse(&config.public_url).ok()?;
        let domain = if config.passkey_domain.is_empty() { origin.domain()? } else { &config.passkey_domain };
        let mut builder = WebauthnBuilder::new(domain, &origin).ok()?.rp_name(NAME).allow_any_port(domain == "localhost");
        for further in &config.passkey_origins {
            builder = builder.append_allowed_origin(&Url::parse(further).ok()?);
        }
        builder.build().ok()
    }

    fn ready(&self) -> Result<&Webauthn> {
        self.0.as_deref().ok_or_else(|| {
            let message = "there are no passkeys before public-url names the site that they belong to";
            Error::new(Common::NotConfigured, message).with("setting", "public-url")
        })
    }
}

impl Factors {
    /// What a device's answer is checked against, sealed for the challenge that it belongs to.
    fn seal_ceremony(&self, call: &Call, challenge_id: &str, state: &impl Serialize) -> Result<Vec<u8>> {
        let text = serde_json::to_vec(state).map_err(Error::internal)?;
        let sealed = self.seal.close(&bound(challenge_id), &text, call.kernel().ids());
        sealed.ok_or_else(|| Error::internal("a ceremony could not be sealed"))
    }

    /// The same, opened.
    ///
    /// # Errors
    /// `CHALLENGE_OVER` when it was not begun, or under another key-encryption secret.
    fn open_ceremony<S: DeserializeOwned>(&self, challenge: &Challenge) -> Result<S> {
        let opened = self.seal.open(&bound(&challenge.id), &challenge.sealed_ceremony);
        let state = opened.and_then(|opened| serde_json::from_slice(&opened).ok());
        state.ok_or_else(super::challenge::over)
    }
}

/// What a ceremony's seal is bound to.
fn bound(challenge_id: &str) -> String {
    format!("challenge {challenge_id}")
}

/// The passkeys of an identity, newest first, whoever calls.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn passkeys_of(call: &Call, identity_id: &str) -> Result<Vec<Passkey>> {
    let filter = Filter { owner: Some(identity_id.to_owned()), limit: MOST.saturating_mul(2), ..Filter::default() };
    let rows = call.kernel().store().list(Passkey::TABLE, &filter).await?;
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
}

/// Adds to the commit that removes an identity that its passkeys go with it.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn remove_all(call: &Call, unit: &mut Unit<'_>, identity_id: &str) -> Result<()> {
    for passkey in passkeys_of(call, identity_id).await? {
        unit.remove(passkey)?;
    }
    Ok(())
}

/// The key of a passkey, as the library knows it.
fn key(passkey: &Passkey) -> Result<Key> {
    serde_json::from_slice(&passkey.credential).map_err(|_| Error::internal("a passkey cannot be read"))
}

/// An identity as devices know it: its id, which is no secret and says nothing of who it is.
fn handle(identity_id: &str) -> Uuid {
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
fn text_of(credential_id: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(credential_id)
}

/// What a browser answered, read.
///
/// # Errors
/// `INVALID_FIELD`.
fn read<C: DeserializeOwned>(credential_json: &str) -> Result<C> {
    serde_json::from_str(credential_json)
        .map_err(|_| Error::field("credential_json", "is not what navigator.credentials answers, as JSON"))
}

/// The refusal of whatever does not fit.
fn refused(cause: impl fmt::Display) -> Error {
    Error::new(ErrorReason::PasskeyRefused, "this passkey does not sign in here").because(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(public_url: &str, domain: &str) -> bool {
        let config = Config { public_url: public_url.into(), passkey_domain: domain.into(), ..Config::for_tests() };
        Site::build(&config).is_some()
    }

    #[test]
    fn a_site_has_a_domain_that_is_its_own() {
        assert!(site("https://pavise.example", "") && site("http://localhost:8080", ""));
        assert!(site("https://app.pavise.example", "pavise.example"));
        assert!(!site("https://pavise.example", "evil.example"));
        assert!(!site("http://127.0.0.1:8080", "") && !site("nonsense", "") && !site("", ""));
    }

    #[test]
    fn every_identity_has_a_handle_of_its_own() {
        assert_eq!(handle("01900000-0000-7000-8000-000000000001").to_string(), "01900000-0000-7000-8000-000000000001");
        assert_ne!(handle("ada"), handle("eve"));
        assert_eq!(handle("ada"), handle("ada"));
    }
}
