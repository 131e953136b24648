//! The cooldown of a payment method after a hard decline: the vendor is not asked about it.

use std::time::Duration;

use pavise_kernel::time::{Micros, to_micros};
use pavise_kernel::{Error, Result};

use crate::contract::v1::{ErrorReason, PaymentMethod};

/// The length of a cooldown: 24 hours, in microseconds.
pub(crate) const COOLDOWN: Micros = pavise_kernel::time::DAY;

/// The end of the method's cooldown, if it is in one at `now`.
pub(crate) fn cooldown_end(method: &PaymentMethod, now: Micros) -> Option<Micros> {
    method.cooldown_until.as_ref().map(to_micros).filter(|until| *until > now)
}

/// Refuses a method in cooldown; `instead` says what to do.
///
/// # Errors
/// `PAYMENT_METHOD_COOLING_DOWN` with the time until the cooldown ends.
pub(crate) fn check_not_cooling_down(method: &PaymentMethod, now: Micros, instead: &str) -> Result<()> {
    let Some(until) = cooldown_end(method, now) else { return Ok(()) };
    let seconds = u64::try_from(until.saturating_sub(now) / 1_000_000).unwrap_or(0).saturating_add(1);
    let message = format!("the payment method was refused for good; {instead} in {seconds} s");
    Err(Error::new(ErrorReason::PaymentMethodCoolingDown, message).retry_after(Duration::from_secs(seconds)))
}
