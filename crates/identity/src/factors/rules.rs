//! Who may change factors, and what he has to prove before.

use pavise_kernel::time::{MINUTE, Micros, micros};
use pavise_kernel::{Call, Error, Result};

use super::passkeys::passkeys_of;
use super::set::factors_of;
use crate::contract::roles;
use crate::contract::v1::{ErrorReason, FactorSet, Identity, SessionProof};

/// How long a proof is good for calls that need one.
pub(crate) const PROOF_LIFETIME: Micros = 10 * MINUTE;

/// Refuses who has not proved himself in this session for ten minutes, with what completes a sign-in: a number that is
/// printed on cards proves only who has nothing else.
///
/// # Errors
/// `PROOF_NEEDED`.
pub(crate) async fn recently_proven(call: &Call, identity_id: &str) -> Result<()> {
    let recent = |proof: Option<&SessionProof>| proof.is_some_and(|proof| is_recent(call, proof));
    let set = call.find::<FactorSet>(identity_id).await?.unwrap_or_default();
    if recent(set.last_proof.as_ref()) {
        return Ok(());
    }
    let has_nothing_else = set.sign_in_factors == 0 && passkeys_of(call, identity_id).await?.is_empty();
    let mut factors = factors_of(call, identity_id).await?;
    factors.retain(|factor| has_nothing_else || factor.signs_in());
    if factors.iter().any(|factor| recent(factor.last_proof.as_ref())) {
        return Ok(());
    }
    Err(Error::new(ErrorReason::ProofNeeded, "prove yourself with a factor first"))
}

/// Refuses that somebody with second factors gets one more before he has proved himself: whoever has his session alone
/// would have one of his own, and with it prove himself for whatever asks for a proof.
///
/// # Errors
/// `PROOF_NEEDED`.
pub(super) async fn may_add(call: &Call, set: &FactorSet) -> Result<()> {
    if set.sign_in_factors > 0 { recently_proven(call, &set.id).await } else { Ok(()) }
}

/// Refuses who may not remove what an identity proves itself with: its owner proves himself first, unless it proves
/// nothing yet; others need a permission of their own.
///
/// # Errors
/// `PROOF_NEEDED`, `PERMISSION_MISSING`.
pub(super) async fn may_remove(call: &Call, owner_id: &str, is_active: bool) -> Result<()> {
    if call.caller().identity != owner_id {
        return call.require_role(roles::REMOVER);
    }
    if is_active { recently_proven(call, owner_id).await } else { Ok(()) }
}

/// Refuses that an owner whose settings require a second factor keeps none; `left` are his factors and passkeys.
///
/// # Errors
/// `LAST_FACTOR`.
pub(super) async fn keeps_one(call: &Call, owner_id: &str, left: usize) -> Result<()> {
    if left > 0 || call.caller().identity != owner_id {
        return Ok(());
    }
    let settings = call.find::<Identity>(owner_id).await?.and_then(|identity| identity.settings).unwrap_or_default();
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
