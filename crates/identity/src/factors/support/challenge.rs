//! Challenges: made when a password was right and the identity has second factors, answered once.

use std::cmp::Reverse;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_kernel::hex::to_hex;
use pavise_kernel::store::Filter;
use pavise_kernel::time::{MINUTE, Micros, to_micros, to_timestamp};
use pavise_kernel::{Aggregate as _, Call, Error, Result, Unit};
use sha2::{Digest as _, Sha256};

use super::passkeys::passkeys_of;
use super::recovery_codes;
use super::set::factors_of;
use crate::contract::actions;
use crate::contract::v1::{
    AccessToken, Challenge, ChallengeFactor, ChallengePurpose, ErrorReason, Factor, FactorSet, Identity,
    PasskeyCeremony, SignInChallenge,
};
use crate::sessions::SignIn;
use crate::shared::tools::Tools as _;

/// How long a challenge can be answered.
pub(crate) const LIFETIME: Micros = 5 * MINUTE;
/// How many challenges of an identity, at most, are removed with it; others go when their time is over.
const MOST: u32 = 50;

/// The answer of a sign-in that needs a second factor; `None` when it needs none. The call declares the action
/// CHALLENGE_MADE.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn create_challenge(
    call: &Call,
    identity: &Identity,
    sign_in: SignIn<'_>,
) -> Result<Option<AccessToken>> {
    let set = call.find_unscoped::<FactorSet>(&identity.id).await?.unwrap_or_default();
    let settings = identity.settings.unwrap_or_default();
    let service = call.factors()?;
    let required = settings.multifactor_required || service.required_in.contains(&identity.realm());
    if set.sign_in_factors == 0 && !required {
        return Ok(None);
    }
    let passkeys = !passkeys_of(call, &identity.id).await?.is_empty();
    let mut factors = factors_of(call, &identity.id).await?;
    factors.retain(Factor::signs_in);
    // An identity that requires a second factor and has none is let in to add one.
    if factors.is_empty() && !passkeys {
        return Ok(None);
    }
    factors.sort_by_key(|factor| Reverse((factor.r#type() == settings.multifactor_type(), factor.primary)));
    let mut made = NewChallenge::new(call, &identity.id, ChallengePurpose::SecondFactor);
    made.challenge.method = sign_in.method.to_owned();
    made.challenge.cookie = sign_in.cookie;
    let expires_at = made.challenge.expires_at;
    let asked = SignInChallenge {
        id: made.commit(call).await?,
        expires_at,
        factors: factors.iter().map(describe_factor).collect(),
        recovery_codes: recovery_codes::count_left(&set) > 0,
        passkeys,
    };
    Ok(Some(AccessToken {
        identity_id: identity.id.clone(),
        realm: identity.realm,
        challenge: Some(asked),
        ..AccessToken::default()
    }))
}

/// A challenge before its commit, and its caller's token.
pub(crate) struct NewChallenge {
    pub(crate) challenge: Challenge,
    token: String,
}

impl NewChallenge {
    pub(crate) fn new(call: &Call, owner_id: &str, purpose: ChallengePurpose) -> Self {
        let token = new_token(call);
        let challenge = Challenge {
            id: digest(&token),
            owner_id: owner_id.to_owned(),
            purpose: purpose.into(),
            expires_at: Some(to_timestamp(call.machine_now().saturating_add(LIFETIME))),
            ..Challenge::default()
        };
        Self { challenge, token }
    }

    /// Commits the challenge and answers its token. The token is not stored for a repeat. Old challenges are removed by
    /// a worker: removing them here would make commits conflict.
    ///
    /// # Errors
    /// When the database does not answer.
    async fn commit(self, call: &Call) -> Result<String> {
        let mut unit = call.unit();
        unit.create_as(self.challenge, actions::identity_audit::CHALLENGE_MADE)?;
        unit.commit().await?;
        Ok(if call.validate_only() { String::new() } else { self.token })
    }

    /// The same, for a browser that makes or uses a passkey.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn store_ceremony(self, call: &Call, options: &serde_json::Value) -> Result<PasskeyCeremony> {
        let expires_at = self.challenge.expires_at;
        Ok(PasskeyCeremony { challenge_id: self.commit(call).await?, options_json: options.to_string(), expires_at })
    }
}

/// The open challenge that a caller holds.
///
/// # Errors
/// `CHALLENGE_OVER`.
pub(crate) async fn load_held(call: &Call, token: &str, purpose: ChallengePurpose) -> Result<Challenge> {
    let challenge = call.find_unscoped::<Challenge>(&digest(token)).await?;
    let open = challenge.filter(|challenge| challenge.purpose() == purpose && !is_over(challenge, call.machine_now()));
    open.ok_or_else(challenge_over_error)
}

/// The factor of a challenge.
///
/// # Errors
/// `INVALID_FIELD` when it is none.
pub(crate) async fn load_factor(call: &Call, challenge: &Challenge, factor_id: &str) -> Result<Factor> {
    let factor = call.find_unscoped::<Factor>(factor_id).await?;
    let known = factor.filter(|factor| factor.owner_id == challenge.owner_id && factor.signs_in());
    known.ok_or_else(|| Error::field("factor_id", "is none of the challenge's factors"))
}

/// Adds to a commit that a challenge was answered. A commit that meets another answer to it is refused.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn end_challenge(unit: &mut Unit<'_>, challenge: Challenge) -> Result<()> {
    unit.remove_as(challenge, actions::identity_audit::CHALLENGE_ENDED).map(drop)
}

/// The refusal of a challenge that is answered, over, or none.
pub(crate) fn challenge_over_error() -> Error {
    Error::new(ErrorReason::ChallengeOver, "the challenge is over; sign in again")
}

/// Adds to the commit that removes an identity that its challenges go with it.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn remove_all(call: &Call, unit: &mut Unit<'_>, identity_id: &str) -> Result<()> {
    for challenge in of(call, identity_id).await? {
        unit.remove(challenge)?;
    }
    Ok(())
}

async fn of(call: &Call, owner_id: &str) -> Result<Vec<Challenge>> {
    let filter = Filter { owner: Some(owner_id.to_owned()), limit: MOST, ..Filter::default() };
    let rows = call.kernel().store().list(Challenge::TABLE, &filter).await?;
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
}

fn is_over(challenge: &Challenge, now: Micros) -> bool {
    now >= challenge.expires_at.as_ref().map_or(0, to_micros)
}

/// The token of a caller: 256 random bits, so that a plain digest hides it.
fn new_token(call: &Call) -> String {
    let mut bytes = [0; 32];
    call.kernel().ids().fill_random(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

fn digest(token: &str) -> String {
    to_hex(&Sha256::new_with_prefix("challenge\n").chain_update(token).finalize())
}

fn describe_factor(factor: &Factor) -> ChallengeFactor {
    let question = factor.question.as_ref();
    ChallengeFactor {
        factor_id: factor.id.clone(),
        r#type: factor.r#type,
        proof_type: factor.proof_type,
        name: factor.name.clone(),
        sent_to: factor.mask_receiver(),
        question: question.map(|question| question.question.clone()).unwrap_or_default(),
        question_type: question.map_or(0, |question| question.r#type),
        primary: factor.primary,
    }
}
