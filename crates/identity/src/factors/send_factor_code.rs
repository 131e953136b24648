//! Sends a new code of a factor in place of the one before.

use pavise_kernel::{Call, Result};

use super::support::send::send_code;
use crate::contract::v1::{Factor, SendFactorCodeRequest, SendFactorCodeResponse};
use crate::shared::tools::Tools as _;

pub(crate) async fn send_factor_code(call: &Call, request: SendFactorCodeRequest) -> Result<SendFactorCodeResponse> {
    let service = call.factors()?;
    let factor: Factor = call.get(&request.factor_id).await?;
    call.check_transition(&factor)?;
    let (mut unit, mut after) = (call.unit(), factor.clone());
    let sent = send_code(&service, call, &mut unit, &mut after, "").await?;
    unit.update(&factor, after)?;
    unit.commit_answer(sent).await
}
