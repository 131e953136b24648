//! Sends a new code for an address in place of the one before.

use std::time::Duration;

use pavise_kernel::{Call, Error, Result};

use super::prove_email::{find_claim, invalid_code_error};
use crate::contract::v1::{ErrorReason, Identity, SendEmailCodeRequest, SendEmailCodeResponse};
use crate::shared::addresses;
use crate::shared::notices::{Channel, check_ready};
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

pub(crate) async fn send_email_code(call: &Call, request: SendEmailCodeRequest) -> Result<SendEmailCodeResponse> {
    let service = &*call.identities()?;
    check_ready(call, Channel::Email, "").await?;
    let caller = Throttle::key(Kind::Account, &format!("codes of {}", request.identity_id));
    service.questions.count_attempt(&caller, call.machine_now()).map_err(|_| sent_recently_error())?;
    let claim = find_claim(call, &request.identity_id, &request.email).await?.ok_or_else(invalid_code_error)?;
    check_ready(call, Channel::Email, &claim.address).await?;
    addresses::check_rate_limit(service.mail(), call, &claim.address).map_err(|_| sent_recently_error())?;
    let identity: Identity = call.get(&request.identity_id).await?;
    let (mut unit, mut after) = (call.unit(), claim.clone());
    addresses::send_claim_code(service.mail(), call, &mut unit, &identity, &mut after)?;
    let after = unit.update(&claim, after)?;
    unit.commit_answer(SendEmailCodeResponse { expires_at: after.code_expires_at }).await
}

fn sent_recently_error() -> Error {
    let error = Error::new(ErrorReason::CodeSentRecently, "codes were sent too often; try again in some minutes");
    error.retry_after(Duration::from_secs(300))
}
