//! Takes a new proof of a factor from its owner.

use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Call, Result};

use super::rules::PROOF_LIFETIME;
use super::support::prove::{Answer, Place, build_proof};
use crate::contract::v1::{Factor, FactorProof, ValidateFactorRequest};
use crate::sessions::{mark_proved, own_session};
use crate::shared::tools::Tools as _;

pub(crate) async fn validate_factor(call: &Call, request: ValidateFactorRequest) -> Result<FactorProof> {
    let service = &*call.factors()?;
    let factor: Factor = call.get(&request.factor_id).await?;
    call.check_transition(&factor)?;
    let answer = Answer {
        code: request.code,
        answer: request.answer,
        account_number: request.account_number,
        ..Answer::default()
    };
    let proven = service.prove_factor(call, &factor, &answer, Place::Session).await?;
    let mut unit = call.unit();
    // The owner's proof is one of their session: its next token says so.
    if factor.signs_in()
        && call.caller().identity == factor.owner_id
        && let Some(session) = own_session(call).await?
    {
        mark_proved(call, &mut unit, &session)?;
    }
    let after = unit.update(&factor, Factor { last_proof: Some(build_proof(call)), ..proven })?;
    let proof = FactorProof {
        identity_id: after.owner_id,
        factor_id: after.id,
        r#type: after.r#type,
        proof_type: after.proof_type,
        proven_at: Some(call.machine_timestamp()),
        good_until: Some(to_timestamp(call.machine_now().saturating_add(PROOF_LIFETIME))),
    };
    unit.commit_answer(proof).await
}
