//! Proves the caller again in their session, and answers a token that says so.

use pavise_kernel::{Call, Error, Result};

use super::Identities;
use super::support::challenge_answer::limit_wrong_answers;
use super::support::passwords::check_own_password;
use crate::contract::actions::identity_audit::MULTIFACTOR_USED;
use crate::contract::v1::{
    AccessToken, Challenge, ChallengePurpose, ErrorReason, Factor, FactorSet, FactorStatus, Identity,
    ProveSessionRequest,
};
use crate::factors::support::challenge;
use crate::factors::support::passkey_sign_in::{UsedPasskey, finish_sign_in};
use crate::factors::{Answer, Place, Set, build_proof, has_second_factor};
use crate::sessions::{mark_proved, own_session};
use crate::shared::tools::Tools as _;

pub(crate) async fn prove_session(call: &Call, request: ProveSessionRequest) -> Result<AccessToken> {
    let service = &*call.identities()?;
    let Some(session) = own_session(call).await? else {
        return Err(proof_needed_error("this token belongs to no session: sign in"));
    };
    let identity = call.find_unscoped::<Identity>(&session.owner_id).await?;
    let identity = identity.ok_or_else(|| Error::not_found("identity", &session.owner_id))?;
    let given = check_proof(service, call, &identity, request).await?;
    let mut unit = call.unit();
    given.write(call, &mut unit)?;
    let session = mark_proved(call, &mut unit, &session)?;
    let answer = service.sessions.renew_token(call, &identity, &session).await?;
    // No answer is stored for a repeat: it would hold the token.
    unit.commit().await?;
    Ok(answer)
}

/// A right proof.
enum ValidProof {
    Password,
    /// A factor: as it was, and as it is afterwards.
    Factor(Box<Factor>, Box<Factor>),
    /// A passkey, its ceremony, and the set that stores the proof.
    Passkey(Box<UsedPasskey>, Box<Challenge>, Box<Set>),
}

impl ValidProof {
    /// Adds the use of the proof to a commit.
    fn write(self, call: &Call, unit: &mut pavise_kernel::Unit<'_>) -> Result<()> {
        match self {
            Self::Password => {}
            Self::Factor(before, proven) => {
                unit.update_as(&*before, Factor { last_proof: Some(build_proof(call)), ..*proven }, MULTIFACTOR_USED)?;
            }
            Self::Passkey(used, challenge, mut set) => {
                unit.update_as(&used.before, used.after, MULTIFACTOR_USED)?;
                set.after.last_proof = Some(build_proof(call));
                set.write(unit, MULTIFACTOR_USED)?;
                challenge::end_challenge(unit, *challenge)?;
            }
        }
        Ok(())
    }
}

/// Checks the one proof that the request names.
async fn check_proof(
    service: &Identities,
    call: &Call,
    identity: &Identity,
    request: ProveSessionRequest,
) -> Result<ValidProof> {
    let ways = [&request.password, &request.factor_id, &request.credential_json];
    if ways.iter().filter(|way| !way.is_empty()).count() != 1 {
        return Err(Error::field("password", "give one proof: a password, a factor or a passkey"));
    }
    if !request.password.is_empty() {
        let set = call.find_unscoped::<FactorSet>(&identity.id).await?.unwrap_or_default();
        if has_second_factor(call, &FactorSet { id: identity.id.clone(), ..set }).await? {
            return Err(proof_needed_error("this account has a second factor: prove yourself with it"));
        }
        check_own_password(service, call, &identity.id, request.password, "the password is wrong").await?;
        return Ok(ValidProof::Password);
    }
    if request.factor_id.is_empty() {
        return limit_wrong_answers(service, call, false, check_passkey(service, call, identity, &request)).await;
    }
    let factor = call.find_unscoped::<Factor>(&request.factor_id).await?;
    let is_own = |factor: &Factor| factor.owner_id == identity.id && factor.status() == FactorStatus::Active;
    let factor = factor.filter(is_own).ok_or_else(|| Error::not_found("factor", &request.factor_id))?;
    if !factor.signs_in() {
        return Err(proof_needed_error("this factor completes no sign-in, so it is no proof here"));
    }
    let answer = Answer { code: request.code, answer: request.answer, ..Answer::default() };
    let proven = service.factors.prove_factor(call, &factor, &answer, Place::Session).await?;
    Ok(ValidProof::Factor(Box::new(factor), Box::new(proven)))
}

async fn check_passkey(
    service: &Identities,
    call: &Call,
    identity: &Identity,
    request: &ProveSessionRequest,
) -> Result<ValidProof> {
    let challenge = challenge::load_held(call, &request.challenge_id, ChallengePurpose::PasskeySignIn).await?;
    let used = finish_sign_in(&service.factors, call, &challenge, &request.credential_json).await?;
    if used.before.owner_id != identity.id {
        return Err(Error::new(ErrorReason::PasskeyRefused, "this passkey belongs to another account"));
    }
    let set = Set::load(call, &identity.id).await?;
    Ok(ValidProof::Passkey(Box::new(used), Box::new(challenge), Box::new(set)))
}

fn proof_needed_error(message: &str) -> Error {
    Error::new(ErrorReason::ProofNeeded, message)
}
