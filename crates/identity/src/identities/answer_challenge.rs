//! AnswerChallenge and SendChallengeCode: the second half of a sign-in.

use pavise_kernel::time::micros;
use pavise_kernel::{Call, Error, Result};
use prost_types::Timestamp;

use super::Identities;
use crate::contract::v1::{
    AccessToken, AnswerChallengeRequest, Challenge, ChallengePurpose, Credential, ErrorReason, Factor, Identity,
    SendChallengeCodeRequest, SendFactorCodeResponse,
};
use crate::factors::{Answer, Place, Set, challenge, proof_in, recovery, send, wrong};
use crate::sessions::{SignIn, tidy};
use crate::throttle::{Kind, Throttle};

/// What answered a challenge.
enum Given {
    /// A factor: as it was, and as it is afterwards.
    Factor(Box<Factor>, Box<Factor>),
    /// A recovery code, which is used up in the set.
    RecoveryCode(Box<Set>),
}

pub(super) async fn answer_challenge(service: &Identities, call: &Call, request: AnswerChallengeRequest) -> Result<AccessToken> {
    let address = Throttle::key(Kind::Address, call.address());
    service.throttle.admit(&address, call.now())?;
    let answered = answered(service, call, request).await;
    if let Err(error) = &answered
        && (error.is(ErrorReason::WrongCode) || error.is(ErrorReason::ChallengeOver))
        && !call.address().is_empty()
    {
        service.throttle.failed(Kind::Address, &address, call.now());
    }
    let (challenge, given) = answered?;
    let identity = call.find::<Identity>(&challenge.owner_id).await?.ok_or_else(challenge::over)?;
    same_password(call, &challenge).await?;
    let besides = match &given {
        Given::Factor(factor, _) => factor.r#type().method(),
        Given::RecoveryCode(_) => "recovery",
    };
    let method = format!("{}+{besides}", challenge.method);
    let mut unit = call.unit();
    let sign_in = SignIn { method: &method, cookie: challenge.cookie };
    let answer = service.sessions.open_in(call, &mut unit, &identity, sign_in).await?;
    // Who just signed in with a second factor has proved himself in this session.
    let proof = Some(proof_in(&answer.session_id, call.timestamp()));
    match given {
        Given::Factor(before, proven) => {
            unit.update_as(&*before, Factor { last_proof: proof, ..*proven }, "MULTIFACTOR_USED")?;
        }
        Given::RecoveryCode(mut set) => {
            set.after.last_proof = proof;
            set.write(&mut unit, "MULTIFACTOR_USED")?;
        }
    }
    challenge::end(&mut unit, challenge)?;
    // No answer is kept for a repeat: it would be the token, and the challenge is over.
    unit.commit().await?;
    tidy(call, &identity.id).await;
    Ok(answer)
}

/// Who has changed his password because somebody else knew it does not find him signed in a minute later.
async fn same_password(call: &Call, challenge: &Challenge) -> Result<()> {
    let at = |time: Option<&Timestamp>| time.map_or(0, micros);
    let set_at = call.find::<Credential>(&challenge.owner_id).await?.and_then(|credential| credential.password_set_at);
    if at(set_at.as_ref()) > at(challenge.created_at.as_ref()) { Err(challenge::over()) } else { Ok(()) }
}

async fn answered(service: &Identities, call: &Call, request: AnswerChallengeRequest) -> Result<(Challenge, Given)> {
    let challenge = challenge::held(call, &request.challenge_id, ChallengePurpose::SecondFactor).await?;
    if !request.recovery_code.is_empty() {
        if [&request.factor_id, &request.code, &request.answer].iter().any(|value| !value.is_empty()) {
            return Err(Error::field("recovery_code", "stands in for a factor: leave the others out"));
        }
        let mut set = Set::load(call, &challenge.owner_id).await?;
        if !recovery::take(&mut set.after, &request.recovery_code, call.timestamp()) {
            return Err(wrong());
        }
        return Ok((challenge, Given::RecoveryCode(Box::new(set))));
    }
    let factor = challenge::factor(call, &challenge, &request.factor_id).await?;
    let answer = Answer { code: request.code, answer: request.answer, account_number: String::new() };
    let proven = service.factors.prove(call, &factor, &answer, Place::SignIn).await?;
    Ok((challenge, Given::Factor(Box::new(factor), Box::new(proven))))
}

pub(super) async fn send_challenge_code(
    service: &Identities,
    call: &Call,
    request: &SendChallengeCodeRequest,
) -> Result<SendFactorCodeResponse> {
    let challenge = challenge::held(call, &request.challenge_id, ChallengePurpose::SecondFactor).await?;
    let factor = challenge::factor(call, &challenge, &request.factor_id).await?;
    let (mut unit, mut after) = (call.unit(), factor.clone());
    let sent = send(&service.factors, call, &mut unit, &mut after)?;
    unit.update(&factor, after)?;
    // No answer is kept for a repeat: callers without a token have their keys in common.
    unit.commit().await?;
    Ok(sent)
}
