//! Stores the request for a password reset, and no more.

use pavise_kernel::time::MINUTE;
use pavise_kernel::{Call, Error, Result};

use super::support::name::one_name;
use crate::contract::v1::{PasswordReset, SendPasswordResetEmailRequest, SendPasswordResetEmailResponse};
use crate::shared::notices::{Channel, check_ready};
use crate::shared::resets::{GOOD_FOR, WantedReset};
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

/// A worker looks the name up afterwards, so that neither the answer nor its time shows whether it exists.
pub(crate) async fn send_password_reset_email(
    call: &Call,
    request: SendPasswordResetEmailRequest,
) -> Result<SendPasswordResetEmailResponse> {
    let service = &*call.identities()?;
    let (_, name) = one_name(&request.email, &request.username)?;
    check_ready(call, Channel::Email, "").await?;
    let account = Throttle::key(Kind::Account, name);
    let address = Throttle::key(Kind::Address, call.address());
    service.questions.check_wait(&address, call.machine_now())?;
    service.questions.count_attempt(&account, call.machine_now())?;
    if !call.address().is_empty() {
        service.questions.count_failure(&address, call.machine_now());
    }
    let id = call.new_id();
    let locale = request.locale().spelling().to_owned();
    let wanted = WantedReset { email: request.email, username: request.username, locale };
    let sealed_name =
        service.resets.close(&id, &wanted).ok_or_else(|| Error::internal("a name could not be sealed"))?;
    let mut unit = call.unit();
    unit.create(PasswordReset { id, sealed_name, ..PasswordReset::default() })?;
    let minutes = i32::try_from(GOOD_FOR / MINUTE).unwrap_or(i32::MAX);
    unit.commit_answer(SendPasswordResetEmailResponse { minutes }).await
}
