//! Completes a sign-in with a factor, a recovery code or a passkey.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Call, Error, Result};
use prost_types::Timestamp;

use super::Identities;
use super::support::challenge_answer::{ChallengeAnswer, limit_wrong_answers, load_passkey_answer, open_session};
use crate::contract::v1::{AccessToken, AnswerChallengeRequest, Challenge, ChallengePurpose, Credential, Identity};
use crate::factors::support::passkey_sign_in::finish_challenge;
use crate::factors::support::{challenge, recovery_codes};
use crate::factors::{Answer, Place, Set, wrong_answer_error};
use crate::shared::tools::Tools as _;

pub(crate) async fn answer_challenge(call: &Call, request: AnswerChallengeRequest) -> Result<AccessToken> {
    let service = &*call.identities()?;
    let challenge = challenge::load_held(call, &request.challenge_id, ChallengePurpose::SecondFactor).await;
    let known = challenge.as_ref().is_ok_and(|challenge| service.factors.is_known(call, &challenge.owner_id));
    let (challenge, given) =
        limit_wrong_answers(service, call, known, check_answer(service, call, challenge, known, request)).await?;
    let identity =
        call.find_unscoped::<Identity>(&challenge.owner_id).await?.ok_or_else(challenge::challenge_over_error)?;
    check_same_password(call, &challenge).await?;
    open_session(service, call, &identity, challenge, given).await
}

/// A challenge is void after a change of the password: the former one may have been stolen.
async fn check_same_password(call: &Call, challenge: &Challenge) -> Result<()> {
    let at = |time: Option<&Timestamp>| time.map_or(0, to_micros);
    let credential = call.find_unscoped::<Credential>(&challenge.owner_id).await?.unwrap_or_default();
    let changed = at(credential.password_set_at.as_ref()) > at(challenge.created_at.as_ref());
    if changed || credential.password_hash.is_empty() { Err(challenge::challenge_over_error()) } else { Ok(()) }
}

async fn check_answer(
    service: &Identities,
    call: &Call,
    challenge: Result<Challenge>,
    known: bool,
    request: AnswerChallengeRequest,
) -> Result<(Challenge, ChallengeAnswer)> {
    let challenge = challenge?;
    let with_factor = [&request.factor_id, &request.code, &request.answer].iter().any(|value| !value.is_empty());
    if !request.credential_json.is_empty() {
        if with_factor || !request.recovery_code.is_empty() {
            return Err(Error::field("credential_json", "stands in for a factor: leave the others out"));
        }
        let used = finish_challenge(&service.factors, call, &challenge, &request.credential_json).await?;
        return Ok((challenge, load_passkey_answer(call, used).await?));
    }
    if !request.recovery_code.is_empty() {
        if with_factor {
            return Err(Error::field("recovery_code", "stands in for a factor: leave the others out"));
        }
        let mut set = Set::load(call, &challenge.owner_id).await?;
        if !recovery_codes::take_code(&mut set.after, &request.recovery_code, call.timestamp()) {
            return Err(wrong_answer_error());
        }
        return Ok((challenge, ChallengeAnswer::RecoveryCode(Box::new(set))));
    }
    let factor = challenge::load_factor(call, &challenge, &request.factor_id).await?;
    let place = if known { Place::KnownSignIn } else { Place::SignIn };
    let challenge_id = challenge.id.clone();
    let answer = Answer { code: request.code, answer: request.answer, challenge_id, ..Answer::default() };
    let proven = service.factors.prove_factor(call, &factor, &answer, place).await?;
    Ok((challenge, ChallengeAnswer::Factor(Box::new(factor), Box::new(proven))))
}
