//! Who may change factors, and what he has to prove before.

use pavise_kernel::time::{MINUTE, Micros, micros};
use pavise_kernel::{Call, Common, Error, Result};

use super::set::factors_of;
use crate::contract::v1::{ErrorReason, FactorSet, SessionProof};

/// How long a proof is good for calls that need one.
pub(crate) const PROOF_LIFETIME: Micros = 10 * MINUTE;

/// Refuses whoever is not the owner, whatever he may do besides.
pub(super) fn owner_only(call: &Call, identity_id: &str) -> Result<()> {
    if call.caller().identity == identity_id {
        return Ok(());
    }
    Err(Error::new(Common::NotTheOwner, "you can only do this for yourself"))
}

/// Refuses who has not proved himself in this session for ten minutes.
///
/// # Errors
/// `PROOF_NEEDED`.
pub(crate) async fn recently_proven(call: &Call, identity_id: &str) -> Result<()> {
    let recent = |proof: Option<&SessionProof>| proof.is_some_and(|proof| is_recent(call, proof));
    let set = call.find::<FactorSet>(identity_id).await?.unwrap_or_default();
    if recent(set.last_proof.as_ref()) {
        return Ok(());
    }
    if factors_of(call, identity_id).await?.iter().any(|factor| recent(factor.last_proof.as_ref())) {
        return Ok(());
    }
    Err(Error::new(ErrorReason::ProofNeeded, "prove yourself with a factor first"))
}

fn is_recent(call: &Call, proof: &SessionProof) -> bool {
    let session = &call.caller().session;
    let until = proof.at.as_ref().map_or(0, micros).saturating_add(PROOF_LIFETIME);
    !session.is_empty() && *session == proof.session_id && call.now() < until
}
