//! Signs the owner of a passkey in, without a name and a password.

use pavise_kernel::{Call, Result};

use super::Identities;
use super::support::challenge_answer::{limit_wrong_answers, load_passkey_answer, open_session};
use crate::contract::v1::{AccessToken, Challenge, ChallengePurpose, FinishPasskeySignInRequest, Identity};
use crate::factors::support::challenge;
use crate::factors::support::passkey_sign_in::{UsedPasskey, finish_sign_in};
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

pub(crate) async fn finish_passkey_sign_in(call: &Call, request: FinishPasskeySignInRequest) -> Result<AccessToken> {
    let service = &*call.identities()?;
    let (challenge, used) = limit_wrong_answers(service, call, false, check_passkey(service, call, &request)).await?;
    let identity =
        call.find_unscoped::<Identity>(&used.before.owner_id).await?.ok_or_else(challenge::challenge_over_error)?;
    let challenge = Challenge { cookie: request.cookie, ..challenge };
    let answer = open_session(service, call, &identity, challenge, load_passkey_answer(call, used).await?).await?;
    service.ceremonies.withdraw_attempt(&Throttle::key(Kind::Address, call.address()), call.machine_now());
    Ok(answer)
}

async fn check_passkey(
    service: &Identities,
    call: &Call,
    request: &FinishPasskeySignInRequest,
) -> Result<(Challenge, UsedPasskey)> {
    let challenge = challenge::load_held(call, &request.challenge_id, ChallengePurpose::PasskeySignIn).await?;
    let used = finish_sign_in(&service.factors, call, &challenge, &request.credential_json).await?;
    Ok((challenge, used))
}
