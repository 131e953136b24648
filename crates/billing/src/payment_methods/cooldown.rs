//! Which payment methods are not asked about for now.

use pavise_kernel::time::{Micros, micros};
use pavise_kernel::{Call, Result};

use super::defaults;
use crate::contract::v1::{CheckCooldownResponse, PaymentMethod, PaymentMethodCooldown};

/// How long a payment method rests after a hard decline: 24 hours, in microseconds.
pub(crate) const COOLDOWN: Micros = pavise_kernel::time::DAY;

/// Until when a method rests, if it does at `now`.
pub(crate) fn resting(method: &PaymentMethod, now: Micros) -> Option<Micros> {
    method.cooldown_until.as_ref().map(micros).filter(|until| *until > now)
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
