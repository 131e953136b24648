//! AnswerChallenge, SendChallengeCode and FinishPasskeySignIn: the second half of a sign-in.

use pavise_kernel::time::micros;
use pavise_kernel::{Call, Error, Result};
use prost_types::Timestamp;

use super::Identities;
use crate::contract::v1::{
    AccessToken, AnswerChallengeRequest, Challenge, ChallengePurpose, Credential, ErrorReason, Factor,
    FinishPasskeySignInRequest, Identity, PasskeyCeremony, SendChallengeCodeRequest, SendFactorCodeResponse,
};
use crate::factors::passkeys::Used;
use crate::factors::{Answer, Place, Set, challenge, create_recovery_codes, passkeys, proof_in, send, wrong};
use crate::sessions::{SignIn, tidy};
use crate::throttle::{Kind, Throttle};

/// What answered a challenge.
enum Given {
    /// A factor: as it was, and as it is afterwards.
    Factor(Box<Factor>, Box<Factor>),
    /// A recovery code, which is used up in the set.
    RecoveryCode(Box<Set>),
    /// A passkey, and the set in which the proof is written down.
    Passkey(Box<Used>, Box<Set>),
}

pub(super) async fn answer_challenge(service: &Identities, call: &Call, request: AnswerChallengeRequest) -> Result<AccessToken> {
    let challenge = challenge::held(call, &request.challenge_id, ChallengePurpose::SecondFactor).await;
    let known = challenge.as_ref().is_ok_and(|challenge| service.factors.knows(call, &challenge.owner_id));
    let (challenge, given) = watched(service, call, known, answered(service, call, challenge, known, request)).await?;
    let identity = call.find::<Identity>(&challenge.owner_id).await?.ok_or_else(challenge::over)?;
    same_password(call, &challenge).await?;
    open(service, call, &identity, challenge, given).await
}

/// Whoever asks has something written down: who begins often and finishes seldom waits.
pub(super) async fn begin_passkey_sign_in(service: &Identities, call: &Call) -> Result<PasskeyCeremony> {
    if !call.address().is_empty() {
        let address = Throttle::key(Kind::Address, call.address());
        service.ceremonies.admit(&address, call.now())?;
        service.ceremonies.failed(Kind::Address, &address, call.now());
    }
    passkeys::begin_passkey_sign_in(&service.factors, call).await
}

pub(super) async fn finish_passkey_sign_in(
    service: &Identities,
    call: &Call,
    request: &FinishPasskeySignInRequest,
) -> Result<AccessToken> {
    let (challenge, used) = watched(service, call, false, signed_in(service, call, request)).await?;
    let identity = call.find::<Identity>(&used.before.owner_id).await?.ok_or_else(challenge::over)?;
    let challenge = Challenge { cookie: request.cookie, ..challenge };
    let answer = open(service, call, &identity, challenge, with_passkey(call, used).await?).await?;
    service.ceremonies.withdraw(&Throttle::key(Kind::Address, call.address()), call.now());
    Ok(answer)
}

/// Makes an address wait from which wrong answers come, but for the owner where he is known.
async fn watched<T>(service: &Identities, call: &Call, known: bool, work: impl Future<Output = Result<T>>) -> Result<T> {
    let address = Throttle::key(Kind::Address, call.address());
    if !known {
        service.throttle.admit(&address, call.now())?;
    }
    let answered = work.await;
    let wrong = [ErrorReason::WrongCode, ErrorReason::ChallengeOver, ErrorReason::PasskeyRefused];
    // Calls whose address nobody knows have nothing in common.
    if let Err(error) = &answered
        && wrong.into_iter().any(|reason| error.is(reason))
        && !call.address().is_empty()
    {
        service.throttle.failed(Kind::Address, &address, call.now());
    }
    answered
}

/// Opens the session, in the commit in which the challenge ends and what answered it is used.
async fn open(service: &Identities, call: &Call, identity: &Identity, challenge: Challenge, given: Given) -> Result<AccessToken> {
    let besides = match &given {
        Given::Factor(factor, _) => factor.r#type().method(),
        Given::RecoveryCode(_) => "recovery",
        Given::Passkey(..) => "passkey",
    };
    let method = if challenge.method.is_empty() { besides.to_owned() } else { format!("{}+{besides}", challenge.method) };
    let mut unit = call.unit();
    let sign_in = SignIn { method: &method, cookie: challenge.cookie };
    let answer = service.sessions.open_in(call, &mut unit, identity, sign_in).await?;
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
        Given::Passkey(used, mut set) => {
            unit.update_as(&used.before, used.after, "MULTIFACTOR_USED")?;
            set.after.last_proof = proof;
            set.write(&mut unit, "MULTIFACTOR_USED")?;
        }
    }
    challenge::end(&mut unit, challenge)?;
    // No answer is kept for a repeat: it would be the token, and the challenge is over.
    unit.commit().await?;
    service.factors.remember(call, &identity.id);
    tidy(call, &identity.id).await;
    Ok(answer)
}

async fn with_passkey(call: &Call, used: Used) -> Result<Given> {
    let set = Set::load(call, &used.before.owner_id).await?;
    Ok(Given::Passkey(Box::new(used), Box::new(set)))
}

/// Who has changed his password because somebody else knew it does not find him signed in a minute later.
async fn same_password(call: &Call, challenge: &Challenge) -> Result<()> {
    let at = |time: Option<&Timestamp>| time.map_or(0, micros);
    let credential = call.find::<Credential>(&challenge.owner_id).await?.unwrap_or_default();
    let changed = at(credential.password_set_at.as_ref()) > at(challenge.created_at.as_ref());
    if changed || credential.password_hash.is_empty() { Err(challenge::over()) } else { Ok(()) }
}

async fn answered(
    service: &Identities,
    call: &Call,
    challenge: Result<Challenge>,
    known: bool,
    request: AnswerChallengeRequest,
) -> Result<(Challenge, Given)> {
    let challenge = challenge?;
    let with_factor = [&request.factor_id, &request.code, &request.answer].iter().any(|value| !value.is_empty());
    if !request.credential_json.is_empty() {
        if with_factor || !request.recovery_code.is_empty() {
            return Err(Error::field("credential_json", "stands in for a factor: leave the others out"));
        }
        let used = passkeys::finish_challenge(&service.factors, call, &challenge, &request.credential_json).await?;
        return Ok((challenge, with_passkey(call, used).await?));
    }
    if !request.recovery_code.is_empty() {
        if with_factor {
            return Err(Error::field("recovery_code", "stands in for a factor: leave the others out"));
        }
        let mut set = Set::load(call, &challenge.owner_id).await?;
        if !create_recovery_codes::take(&mut set.after, &request.recovery_code, call.timestamp()) {
            return Err(wrong());
        }
        return Ok((challenge, Given::RecoveryCode(Box::new(set))));
    }
    let factor = challenge::factor(call, &challenge, &request.factor_id).await?;
    let place = if known { Place::KnownSignIn } else { Place::SignIn };
    let answer = Answer { code: request.code, answer: request.answer, account_number: String::new() };
    let proven = service.factors.prove(call, &factor, &answer, place).await?;
    Ok((challenge, Given::Factor(Box::new(factor), Box::new(proven))))
}

async fn signed_in(service: &Identities, call: &Call, request: &FinishPasskeySignInRequest) -> Result<(Challenge, Used)> {
    let challenge = challenge::held(call, &request.challenge_id, ChallengePurpose::PasskeySignIn).await?;
    let used = passkeys::finish_sign_in(&service.factors, call, &challenge, &request.credential_json).await?;
    Ok((challenge, used))
}

pub(super) async fn send_challenge_code(
    service: &Identities,
    call: &Call,
    request: &SendChallengeCodeRequest,
) -> Result<SendFactorCodeResponse> {
    let challenge = challenge::held(call, &request.challenge_id, ChallengePurpose::SecondFactor).await?;
    let factor = challenge::factor(call, &challenge, &request.factor_id).await?;
    let (mut unit, mut after) = (call.unit(), factor.clone());
    let sent = send(&service.factors, call, &mut unit, &mut after).await?;
    unit.update(&factor, after)?;
    // No answer is kept for a repeat: callers without a token have their keys in common.
    unit.commit().await?;
    Ok(sent)
}
