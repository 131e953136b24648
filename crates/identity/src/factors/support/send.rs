//! The letter with a new code of a factor.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Call, Error, Result, Unit};

use super::sent;
use crate::contract::v1::{ErrorReason, Factor, Identity, NoticeTemplate, SendFactorCodeResponse};
use crate::factors::Factors;
use crate::shared::notices::{Letter, check_ready};
use crate::shared::throttle::{Kind, Throttle};

/// Adds a new code to a factor, and the letter with it to a commit, which also has to write the factor. The code is good
/// for this challenge alone; with an empty id, for sessions.
///
/// # Errors
/// `FACTOR_TYPE_NOT_ALLOWED`, `CODE_SENT_RECENTLY`, `NOT_CONFIGURED`, `RECIPIENT_SUPPRESSED`.
pub(crate) async fn send_code(
    service: &Factors,
    call: &Call,
    unit: &mut Unit<'_>,
    factor: &mut Factor,
    challenge_id: &str,
) -> Result<SendFactorCodeResponse> {
    let kind = factor.r#type();
    let channel = kind.channel().ok_or_else(|| {
        let message = format!("no code is sent for a factor of type {}", kind.spelling());
        Error::new(ErrorReason::FactorTypeNotAllowed, message)
    })?;
    let address = factor.destination.as_ref().map(|destination| destination.address.clone()).unwrap_or_default();
    check_ready(call, channel, &address).await?;
    check_rate_limit(service, call, &factor.owner_id)?;
    let next = service.code_key.next(
        (&factor.id, challenge_id),
        factor.code.as_ref(),
        call.machine_now(),
        call.kernel().ids(),
    );
    let (code, kept) = next.map_err(|at| sent_recently_error(at.saturating_sub(call.machine_now())))?;
    let identity = call.find_unscoped::<Identity>(&factor.owner_id).await?.unwrap_or_default();
    let letter = Letter {
        owner_id: factor.owner_id.clone(),
        channel,
        address,
        template: NoticeTemplate::FactorCode,
        locale: identity.locale().to_owned(),
        values: BTreeMap::new(),
        code: Some(code),
    };
    service.notices.enqueue_letter(call, unit, letter)?;
    let (expires_at, next_at) = (kept.expires_at, Some(to_timestamp(sent::next_at(&kept))));
    factor.code = Some(kept);
    Ok(SendFactorCodeResponse { sent_to: factor.mask_receiver(), expires_at, next_at })
}

/// Limits the codes that are sent for an identity, over all its factors. Without the limit, new factors would let a
/// caller send mail to anybody.
fn check_rate_limit(service: &Factors, call: &Call, owner_id: &str) -> Result<()> {
    let sends = Throttle::key(Kind::Account, &format!("sends {owner_id}"));
    service.throttle.count_attempt(&sends, call.machine_now()).map_err(|_| {
        let error = Error::new(ErrorReason::CodeSentRecently, "codes were sent too often; try again in some minutes");
        error.retry_after(Duration::from_secs(300))
    })
}

fn sent_recently_error(wait: i64) -> Error {
    let seconds = u64::try_from((wait + 999_999) / 1_000_000).unwrap_or(1).max(1);
    let message = format!("a code was sent just now; another one can be in {seconds} s");
    Error::new(ErrorReason::CodeSentRecently, message).retry_after(Duration::from_secs(seconds))
}
