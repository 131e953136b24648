//! Sends the code that a challenge asks for.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ChallengePurpose, SendChallengeCodeRequest, SendFactorCodeResponse};
use crate::factors::support::challenge;
use crate::factors::support::send::send_code;
use crate::shared::tools::Tools as _;

pub(crate) async fn send_challenge_code(
    call: &Call,
    request: SendChallengeCodeRequest,
) -> Result<SendFactorCodeResponse> {
    let service = call.identities()?;
    let challenge = challenge::load_held(call, &request.challenge_id, ChallengePurpose::SecondFactor).await?;
    let factor = challenge::load_factor(call, &challenge, &request.factor_id).await?;
    let (mut unit, mut after) = (call.unit(), factor.clone());
    let sent = send_code(&service.factors, call, &mut unit, &mut after, &challenge.id).await?;
    unit.update(&factor, after)?;
    // No answer is stored for a repeat: callers without a token share their idempotency keys.
    unit.commit().await?;
    Ok(sent)
}
