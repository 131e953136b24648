//! BeginPasskeyRegistration and CreatePasskey.

use pavise_kernel::{Call, Error, Result};
use serde_json::{Value, json};
use webauthn_rs::prelude::{PasskeyRegistration, RegisterPublicKeyCredential};

use super::{MOST, handle, key, passkeys_of, read, refused, text_of};
use crate::contract::v1::{
    BeginPasskeyRegistrationRequest, ChallengePurpose, CreatePasskeyRequest, ErrorReason, Identity, Passkey, PasskeyCeremony,
};
use crate::factors::prove::proof;
use crate::factors::rules::may_add;
use crate::factors::set::Set;
use crate::factors::{Factors, challenge, told};

pub(in crate::factors) async fn begin_passkey_registration(
    service: &Factors,
    call: &Call,
    request: &BeginPasskeyRegistrationRequest,
) -> Result<PasskeyCeremony> {
    let identity: Identity = call.get(&request.identity_id).await?;
    // A passkey signs in alone: who has a second factor is not to be bypassed by whoever has his session.
    may_add(call, &Set::load(call, &identity.id).await?.after).await?;
    let known = passkeys_of(call, &identity.id).await?;
    if known.len() >= usize::try_from(MOST).unwrap_or(usize::MAX) {
        let message = format!("an identity has at most {MOST} passkeys; delete one first");
        return Err(Error::new(ErrorReason::TooManyFactors, message));
    }
    let exclude = known.iter().map(|passkey| key(passkey).map(|key| key.cred_id().clone())).collect::<Result<Vec<_>>>()?;
    let name = identity.names().next().unwrap_or(&identity.id);
    let began = service.site.ready()?.start_passkey_registration(handle(&identity.id), name, name, Some(exclude));
    let (options, state) = began.map_err(Error::internal)?;
    let mut options = serde_json::to_value(options).map_err(Error::internal)?;
    // Kept in the device where it can be, so that it signs in without a name.
    if let Some(selection) = options.pointer_mut("/publicKey/authenticatorSelection").and_then(Value::as_object_mut) {
        selection.insert("residentKey".to_owned(), json!("preferred"));
    }
    let mut made = challenge::Made::new(call, &identity.id, ChallengePurpose::PasskeyRegistration);
    made.challenge.sealed_ceremony = service.seal_ceremony(call, &made.challenge.id, &state)?;
    made.ceremony(call, &options).await
}

pub(in crate::factors) async fn create_passkey(service: &Factors, call: &Call, request: CreatePasskeyRequest) -> Result<Passkey> {
    let challenge = challenge::held(call, &request.challenge_id, ChallengePurpose::PasskeyRegistration).await?;
    if challenge.owner_id != request.identity_id {
        return Err(challenge::over());
    }
    let credential: RegisterPublicKeyCredential = read(&request.credential_json)?;
    let state: PasskeyRegistration = service.open_ceremony(&challenge)?;
    let made = service.site.ready()?.finish_passkey_registration(&credential, &state).map_err(refused)?;
    let mut set = Set::load(call, &request.identity_id).await?;
    set.after.last_proof = Some(proof(call));
    let mut unit = call.unit();
    challenge::end(&mut unit, challenge)?;
    set.write(&mut unit, call.method().action)?;
    told::changed(service, call, &mut unit, &request.identity_id).await?;
    let passkey = unit.create(Passkey {
        owner_id: request.identity_id,
        name: if request.name.is_empty() { "Passkey".to_owned() } else { request.name },
        credential_id: text_of(made.cred_id()),
        credential: serde_json::to_vec(&made).map_err(Error::internal)?,
        ..Passkey::default()
    })?;
    unit.answer(passkey).await
}
