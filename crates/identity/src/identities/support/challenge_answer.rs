//! The second half of a sign-in: an answer to a challenge, and the session that it opens.

use pavise_kernel::{Call, Result};

use crate::contract::actions;
use crate::contract::v1::{AccessToken, Challenge, ErrorReason, Factor, Identity};
use crate::factors::support::challenge;
use crate::factors::support::passkey_sign_in::UsedPasskey;
use crate::factors::{Set, build_proof_in};
use crate::identities::Identities;
use crate::sessions::{SignIn, remove_old};
use crate::shared::throttle::{Kind, Throttle};

/// An answer to a challenge.
pub(crate) enum ChallengeAnswer {
    /// A factor: as it was, and as it is afterwards.
    Factor(Box<Factor>, Box<Factor>),
    /// A recovery code, which is used up in the set.
    RecoveryCode(Box<Set>),
    /// A passkey, and the set that stores the proof.
    Passkey(Box<UsedPasskey>, Box<Set>),
}

/// Limits wrong answers per address, except at an address that the owner is known at.
pub(crate) async fn limit_wrong_answers<T>(
    service: &Identities,
    call: &Call,
    known: bool,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let address = Throttle::key(Kind::Address, call.address());
    if !known {
        service.throttle.check_wait(&address, call.machine_now())?;
    }
    let answered = work.await;
    let wrong = [ErrorReason::WrongCode, ErrorReason::ChallengeOver, ErrorReason::PasskeyRefused];
    // Calls without a known address are not counted together.
    if let Err(error) = &answered
        && wrong.into_iter().any(|reason| error.is(reason))
        && !call.address().is_empty()
    {
        service.throttle.count_failure(&address, call.machine_now());
    }
    answered
}

/// Opens the session in one commit with the end of the challenge and the use of its answer.
pub(crate) async fn open_session(
    service: &Identities,
    call: &Call,
    identity: &Identity,
    challenge: Challenge,
    given: ChallengeAnswer,
) -> Result<AccessToken> {
    let besides = match &given {
        ChallengeAnswer::Factor(factor, _) => factor.r#type().method(),
        ChallengeAnswer::RecoveryCode(_) => "recovery",
        ChallengeAnswer::Passkey(..) => "passkey",
    };
    let method =
        if challenge.method.is_empty() { besides.to_owned() } else { format!("{}+{besides}", challenge.method) };
    let mut unit = call.unit();
    let sign_in = SignIn { method: &method, cookie: challenge.cookie };
    let answer = service.sessions.open_in(call, &mut unit, identity, sign_in).await?;
    // A second factor at the sign-in is also the proof of this session.
    let proof = Some(build_proof_in(&answer.session_id, call.machine_timestamp()));
    match given {
        ChallengeAnswer::Factor(before, proven) => {
            unit.update_as(
                &*before,
                Factor { last_proof: proof, ..*proven },
                actions::identity_audit::MULTIFACTOR_USED,
            )?;
        }
        ChallengeAnswer::RecoveryCode(mut set) => {
            set.after.last_proof = proof;
            set.write(&mut unit, actions::identity_audit::MULTIFACTOR_USED)?;
        }
        ChallengeAnswer::Passkey(used, mut set) => {
            unit.update_as(&used.before, used.after, actions::identity_audit::MULTIFACTOR_USED)?;
            set.after.last_proof = proof;
            set.write(&mut unit, actions::identity_audit::MULTIFACTOR_USED)?;
        }
    }
    challenge::end_challenge(&mut unit, challenge)?;
    // No answer is stored for a repeat: it would hold the token, and the challenge is over.
    unit.commit().await?;
    service.factors.remember_known(call, &identity.id);
    remove_old(call, &identity.id).await;
    Ok(answer)
}

pub(crate) async fn load_passkey_answer(call: &Call, used: UsedPasskey) -> Result<ChallengeAnswer> {
    let set = Set::load(call, &used.before.owner_id).await?;
    Ok(ChallengeAnswer::Passkey(Box::new(used), Box::new(set)))
}
