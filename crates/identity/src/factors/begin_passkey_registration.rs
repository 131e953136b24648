//! Answers the options with which a browser makes a passkey.

use pavise_kernel::{Call, Error, Result};
use serde_json::{Value, json};

use super::rules::check_change;
use super::support::challenge;
use super::support::passkeys::{MOST, decode_key, passkeys_of, user_handle};
use super::support::set::Set;
use crate::contract::v1::{BeginPasskeyRegistrationRequest, ChallengePurpose, ErrorReason, Identity, PasskeyCeremony};
use crate::shared::tools::Tools as _;

pub(crate) async fn begin_passkey_registration(
    call: &Call,
    request: BeginPasskeyRegistrationRequest,
) -> Result<PasskeyCeremony> {
    let service = call.factors()?;
    let identity: Identity = call.get(&request.identity_id).await?;
    // A passkey signs in alone, so a stolen session must not add one without a proof.
    check_change(call, &Set::load(call, &identity.id).await?.after).await?;
    let known = passkeys_of(call, &identity.id).await?;
    if known.len() >= usize::try_from(MOST).unwrap_or(usize::MAX) {
        let message = format!("an identity has at most {MOST} passkeys; delete one first");
        return Err(Error::new(ErrorReason::TooManyFactors, message));
    }
    let exclude =
        known.iter().map(|passkey| decode_key(passkey).map(|key| key.cred_id().clone())).collect::<Result<Vec<_>>>()?;
    let name = identity.names().next().unwrap_or(&identity.id);
    let began =
        service.site.load_webauthn()?.start_passkey_registration(user_handle(&identity.id), name, name, Some(exclude));
    let (options, state) = began.map_err(Error::internal)?;
    let mut options = serde_json::to_value(options).map_err(Error::internal)?;
    // The device keeps the passkey if it can, so that it signs in without a name.
    if let Some(selection) = options.pointer_mut("/publicKey/authenticatorSelection").and_then(Value::as_object_mut) {
        selection.insert("residentKey".to_owned(), json!("preferred"));
    }
    let mut made = challenge::NewChallenge::new(call, &identity.id, ChallengePurpose::PasskeyRegistration);
    made.challenge.sealed_ceremony = service.seal_ceremony(call, &made.challenge.id, &state)?;
    made.store_ceremony(call, &options).await
}
