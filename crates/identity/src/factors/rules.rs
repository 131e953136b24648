//! Rules of changes of factors: the proof or the role that they need.

use pavise_kernel::access;
use pavise_kernel::time::{Micros, to_micros};
use pavise_kernel::{Call, Error, Result};

use super::support::set::factors_of;
use crate::contract::roles;
use crate::contract::v1::{ErrorReason, Factor, FactorSet, Identity, SessionProof};

/// How long a proof is good for calls that need one.
pub(crate) const PROOF_LIFETIME: Micros = access::PROOF_LIFETIME;

/// Refuses a caller without a proof of the last ten minutes in this session that is one with a second factor. The access
/// rule of the call has asked for a fresh proof already. A sign-in from before the first second factor was one with a
/// password alone. An account number and a security question prove nothing here.
///
/// # Errors
/// `PROOF_NEEDED`.
pub(crate) async fn check_recent_proof(call: &Call, identity_id: &str) -> Result<()> {
    let recent = |proof: Option<&SessionProof>| proof.is_some_and(|proof| is_recent(call, proof));
    let set = call.find_unscoped::<FactorSet>(identity_id).await?.unwrap_or_default();
    if recent(set.last_proof.as_ref()) {
        return Ok(());
    }
    let factors = factors_of(call, identity_id).await?;
    if factors.iter().any(|factor| factor.signs_in() && recent(factor.last_proof.as_ref())) {
        return Ok(());
    }
    Err(Error::new(ErrorReason::ProofNeeded, "prove yourself with a factor first"))
}

/// Refuses a change of the factors without a proof with one of them, if the identity has second factors. Without this rule
/// a stolen session could add a factor of its own.
///
/// # Errors
/// `PROOF_NEEDED`.
pub(super) async fn check_change(call: &Call, set: &FactorSet) -> Result<()> {
    if has_second_factor(call, set).await? { check_recent_proof(call, &set.id).await } else { Ok(()) }
}

/// Whether the identity has a factor that completes a sign-in.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn has_second_factor(call: &Call, set: &FactorSet) -> Result<bool> {
    Ok(set.sign_in_factors > 0 && factors_of(call, &set.id).await?.iter().any(Factor::signs_in))
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
    let set = call.find_unscoped::<FactorSet>(owner_id).await?.unwrap_or_default();
    if is_active { check_change(call, &set).await } else { Ok(()) }
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
    let until = proof.at.as_ref().map_or(0, to_micros).saturating_add(PROOF_LIFETIME);
    !session.is_empty() && *session == proof.session_id && call.machine_now() < until
}
