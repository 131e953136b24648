//! Which payment methods are not asked about for now.

use std::time::Duration;

use pavise_kernel::time::{Micros, micros};
use pavise_kernel::{Call, Error, Result};

use super::defaults;
use crate::contract::v1::{CheckCooldownResponse, ErrorReason, PaymentMethod, PaymentMethodCooldown};

/// How long a payment method rests after a hard decline: 24 hours, in microseconds.
pub(crate) const COOLDOWN: Micros = pavise_kernel::time::DAY;

/// Until when a method rests, if it does at `now`.
pub(crate) fn resting(method: &PaymentMethod, now: Micros) -> Option<Micros> {
    method.cooldown_until.as_ref().map(micros).filter(|until| *until > now)
}

/// Refuses a method that rests; `instead` says what to do.
///
/// # Errors
/// `PAYMENT_METHOD_COOLING_DOWN` with the time after which it does not rest any more.
pub(crate) fn awake(method: &PaymentMethod, now: Micros, instead: &str) -> Result<()> {
    let Some(until) = resting(method, now) else { return Ok(()) };
    let seconds = u64::try_from(until.saturating_sub(now) / 1_000_000).unwrap_or(0).saturating_add(1);
    let message = format!("the payment method was refused for good; {instead} in {seconds} s");
    Err(Error::new(ErrorReason::PaymentMethodCoolingDown, message).retry_after(Duration::from_secs(seconds)))
}

/// The member's methods in cooldown.
pub(super) async fn check(call: &Call) -> Result<CheckCooldownResponse> {
    let mut resting_methods: Vec<PaymentMethod> = defaults::active(call).await?;
    resting_methods.retain(|method| resting(method, call.now()).is_some());
    let last = resting_methods.iter().max_by_key(|method| resting(method, call.now()));
    Ok(CheckCooldownResponse {
        in_cooldown: last.is_some(),
        cooldown_until: last.and_then(|method| method.cooldown_until),
        payment_methods: resting_methods
            .iter()
            .map(|method| PaymentMethodCooldown { payment_method_id: method.id.clone(), cooldown_until: method.cooldown_until })
            .collect(),
    })
}
