//! Begins to answer a challenge with a passkey of its identity.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{BeginChallengePasskeyRequest, Challenge, ChallengePurpose, PasskeyCeremony};
use crate::factors::support::challenge;
use crate::factors::support::passkeys::{decode_key, passkeys_of, refused_error};
use crate::shared::tools::Tools as _;

pub(crate) async fn begin_challenge_passkey(
    call: &Call,
    request: BeginChallengePasskeyRequest,
) -> Result<PasskeyCeremony> {
    let factors = &call.identities()?.factors;
    let challenge = challenge::load_held(call, &request.challenge_id, ChallengePurpose::SecondFactor).await?;
    let keys = passkeys_of(call, &challenge.owner_id).await?.iter().map(decode_key).collect::<Result<Vec<_>>>()?;
    if keys.is_empty() {
        return Err(refused_error("the identity has no passkey"));
    }
    let (options, state) =
        factors.site.load_webauthn()?.start_passkey_authentication(&keys).map_err(Error::internal)?;
    let options = serde_json::to_string(&options).map_err(Error::internal)?;
    let sealed_ceremony = factors.seal_ceremony(call, &challenge.id, &state)?;
    let mut unit = call.unit();
    let after = unit.update(&challenge, Challenge { sealed_ceremony, ..challenge.clone() })?;
    unit.commit().await?;
    Ok(PasskeyCeremony { challenge_id: request.challenge_id, options_json: options, expires_at: after.expires_at })
}
