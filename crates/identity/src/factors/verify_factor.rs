//! Finishes a new factor when its owner shows that it works.

use pavise_kernel::{Call, Result};

use super::rules::check_change;
use super::support::notice;
use super::support::prove::{Answer, Place, build_proof};
use super::support::set::Set;
use crate::contract::v1::{Factor, FactorStatus, VerifyFactorRequest};
use crate::shared::tools::Tools as _;

pub(crate) async fn verify_factor(call: &Call, request: VerifyFactorRequest) -> Result<Factor> {
    let service = &*call.factors()?;
    let factor: Factor = call.get(&request.factor_id).await?;
    call.check_transition(&factor)?;
    let answer = Answer {
        code: request.code,
        answer: request.answer,
        account_number: request.account_number,
        ..Answer::default()
    };
    // The set as it is now is what the commit writes: a factor that becomes active meanwhile makes it fail.
    let mut set = Set::load(call, &factor.owner_id).await?;
    check_change(call, &set.after).await?;
    let proven = service.prove_factor(call, &factor, &answer, Place::Session).await?;
    let mut after = Factor {
        status: FactorStatus::Active.into(),
        verified_at: Some(call.timestamp()),
        last_proof: Some(build_proof(call)),
        ..proven
    };
    after.primary = set.add_activated(&after);
    let mut unit = call.unit();
    set.write(&mut unit, call.method().action)?;
    notice::add_notice(service, call, &mut unit, &factor.owner_id).await?;
    let after = unit.update(&factor, after)?;
    unit.commit_answer(after).await.map_err(|error| set.contention_error(error))
}
