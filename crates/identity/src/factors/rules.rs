//! Rules of changes of factors: the proof or the role that they need.

use pavise_kernel::time::{MINUTE, Micros, micros};
use pavise_kernel::{Call, Error, Result};

use super::passkeys::passkeys_of;
use super::set::factors_of;
use crate::contract::roles;
use crate::contract::v1::{ErrorReason, Factor, FactorSet, FactorType, Identity, SessionProof};

/// How long a proof is good for calls that need one.
pub(crate) const PROOF_LIFETIME: Micros = 10 * MINUTE;

/// Refuses a caller without a proof of the last ten minutes in this session. The proof needs a factor that completes a
/// sign-in. An account number counts only if the identity has no other factor, because it is printed on cards. A security
/// question proves nothing here.
///
/// # Errors
/// `PROOF_NEEDED`.
pub(crate) async fn check_recent_proof(call: &Call, identity_id: &str) -> Result<()> {
    let recent = |proof: Option<&SessionProof>| proof.is_some_and(|proof| is_recent(call, proof));
    let set = call.find_unscoped::<FactorSet>(identity_id).await?.unwrap_or_default();
    if recent(set.last_proof.as_ref()) {
        return Ok(());
    }
    let mut factors = factors_of(call, identity_id).await?;
    let signs_in = factors.iter().any(Factor::signs_in);
    let has_nothing_else = !signs_in && passkeys_of(call, identity_id).await?.is_empty();
    let is_number = |factor: &Factor| factor.r#type() == FactorType::Account;
    factors.retain(|factor| factor.signs_in() || (has_nothing_else && is_number(factor)));
    if factors.iter().any(|factor| recent(factor.last_proof.as_ref())) {
        return Ok(());
    }
    Err(Error::new(ErrorReason::ProofNeeded, "prove yourself with a factor first"))
}

/// Refuses a new factor without a recent proof, if the identity has second factors. Without this rule a stolen session
/// could add a factor of its own.
///
/// # Errors
/// `PROOF_NEEDED`.
pub(super) async fn check_addition(call: &Call, set: &FactorSet) -> Result<()> {
    let has_one = set.sign_in_factors > 0 && factors_of(call, &set.id).await?.iter().any(Factor::signs_in);
    if has_one { check_recent_proof(call, &set.id).await } else { Ok(()) }
}

/// Refuses the removal of a factor or passkey. The owner needs a recent proof if the factor is active; every other
/// caller needs the role REMOVER.
///
/// # Errors
/// `PROOF_NEEDED`, `PERMISSION_MISSING`.
pub(super) async fn check_removal(call: &Call, owner_id: &str, is_active: bool) -> Result<()> {
    if call.caller().identity != owner_id {
        return call.require_role(roles::REMOVER);
    }
    if is_active { check_recent_proof(call, owner_id).await } else { Ok(()) }
}

/// Refuses that an owner removes the last factor while the settings require one. `left` counts the factors and passkeys
/// that stay.
///
/// # Errors
/// `LAST_FACTOR`.
pub(super) async fn check_keeps_one(call: &Call, owner_id: &str, left: usize) -> Result<()> {
    if left > 0 || call.caller().identity != owner_id {
        return Ok(());
    }
    let settings =
        call.find_unscoped::<Identity>(owner_id).await?.and_then(|identity| identity.settings).unwrap_or_default();
    if settings.multifactor_required {
        return Err(Error::new(ErrorReason::LastFactor, "this is the last second factor; add another one first"));
    }
    Ok(())
}

fn is_recent(call: &Call, proof: &SessionProof) -> bool {
    let session = &call.caller().session;
    let until = proof.at.as_ref().map_or(0, micros).saturating_add(PROOF_LIFETIME);
    !session.is_empty() && *session == proof.session_id && call.now() < until
}
