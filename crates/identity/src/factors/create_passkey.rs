//! Keeps the passkey that a browser made.

use pavise_kernel::{Call, Error, Result};
use webauthn_rs::prelude::{PasskeyRegistration, RegisterPublicKeyCredential};

use super::support::passkeys::{read_credential, refused_error, text_of};
use super::support::prove::build_proof;
use super::support::set::Set;
use super::support::{challenge, notice};
use crate::contract::v1::{ChallengePurpose, CreatePasskeyRequest, Passkey};
use crate::shared::tools::Tools as _;

pub(crate) async fn create_passkey(call: &Call, request: CreatePasskeyRequest) -> Result<Passkey> {
    let service = call.factors()?;
    let challenge = challenge::load_held(call, &request.challenge_id, ChallengePurpose::PasskeyRegistration).await?;
    if challenge.owner_id != request.identity_id {
        return Err(challenge::challenge_over_error());
    }
    let credential: RegisterPublicKeyCredential = read_credential(&request.credential_json)?;
    let state: PasskeyRegistration = service.open_ceremony(&challenge)?;
    let made = service.site.load_webauthn()?.finish_passkey_registration(&credential, &state).map_err(refused_error)?;
    let mut set = Set::load(call, &request.identity_id).await?;
    set.after.last_proof = Some(build_proof(call));
    let mut unit = call.unit();
    challenge::end_challenge(&mut unit, challenge)?;
    set.write(&mut unit, call.method().action)?;
    notice::add_notice(&service, call, &mut unit, &request.identity_id).await?;
    let passkey = unit.create(Passkey {
        owner_id: request.identity_id,
        name: if request.name.is_empty() { "Passkey".to_owned() } else { request.name },
        credential_id: text_of(made.cred_id()),
        credential: serde_json::to_vec(&made).map_err(Error::internal)?,
        ..Passkey::default()
    })?;
    unit.commit_answer(passkey).await
}
