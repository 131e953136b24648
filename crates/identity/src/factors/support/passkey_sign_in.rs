//! The proof of an identity with a passkey: alone, or to answer a challenge.

use pavise_kernel::{Call, Error, Result};
use webauthn_rs::prelude::{
    AuthenticationResult, DiscoverableAuthentication, DiscoverableKey, PasskeyAuthentication, PublicKeyCredential,
};

use super::passkeys::{decode_key, read_credential, refused_error, text_of, user_handle};
use crate::contract::lookups;
use crate::contract::v1::{Challenge, Passkey};
use crate::factors::Factors;

/// A passkey that proved its owner: before and after. The caller commits it together with the end of the challenge,
/// which makes an answer good once.
#[derive(Debug)]
pub(crate) struct UsedPasskey {
    pub(crate) before: Passkey,
    pub(crate) after: Passkey,
}

/// The passkey that completed a sign-in without a name.
///
/// # Errors
/// `PASSKEY_REFUSED`, `CHALLENGE_OVER`, `INVALID_FIELD`.
pub(crate) async fn finish_sign_in(
    service: &Factors,
    call: &Call,
    challenge: &Challenge,
    credential_json: &str,
) -> Result<UsedPasskey> {
    let credential: PublicKeyCredential = read_credential(credential_json)?;
    let state: DiscoverableAuthentication = service.open_ceremony(challenge)?;
    let site = service.site.load_webauthn()?;
    let (owner, credential_id) = site.identify_discoverable_authentication(&credential).map_err(refused_error)?;
    let passkey = call.find_unscoped_by::<Passkey>(lookups::passkey::CREDENTIAL_ID, &text_of(credential_id)).await?;
    let passkey = passkey
        .filter(|passkey| user_handle(&passkey.owner_id) == owner)
        .ok_or_else(|| refused_error("nobody has it"))?;
    let known = DiscoverableKey::from(decode_key(&passkey)?);
    let result = site.finish_discoverable_authentication_v2(&credential, state, &known).map_err(refused_error)?;
    use_passkey(call, passkey, &result)
}

/// The passkey that answered a challenge.
///
/// # Errors
/// As [`finish_sign_in`].
pub(crate) async fn finish_challenge(
    service: &Factors,
    call: &Call,
    challenge: &Challenge,
    credential_json: &str,
) -> Result<UsedPasskey> {
    let credential: PublicKeyCredential = read_credential(credential_json)?;
    let state: PasskeyAuthentication = service.open_ceremony(challenge)?;
    let result =
        service.site.load_webauthn()?.finish_passkey_authentication(&credential, &state).map_err(refused_error)?;
    let passkey = call.find_unscoped_by::<Passkey>(lookups::passkey::CREDENTIAL_ID, &text_of(result.cred_id())).await?;
    // A passkey that was deleted since the ceremony began proves nothing.
    let passkey =
        passkey.filter(|passkey| passkey.owner_id == challenge.owner_id).ok_or_else(|| refused_error("it is gone"))?;
    use_passkey(call, passkey, &result)
}

fn use_passkey(call: &Call, before: Passkey, result: &AuthenticationResult) -> Result<UsedPasskey> {
    if !result.user_verified() {
        return Err(refused_error("its owner did not show himself to the device"));
    }
    let mut known = decode_key(&before)?;
    known.update_credential(result).ok_or_else(|| refused_error("it is another"))?;
    let credential = serde_json::to_vec(&known).map_err(Error::internal)?;
    let after = Passkey { credential, last_used_at: Some(call.timestamp()), ..before.clone() };
    Ok(UsedPasskey { before, after })
}
