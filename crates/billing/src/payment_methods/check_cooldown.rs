//! Answers the payment methods of a member that are cooling down.

use pavise_kernel::{Call, Result};

use super::support::cooldown::cooldown_end;
use super::support::defaults;
use crate::contract::v1::{CheckCooldownRequest, CheckCooldownResponse, PaymentMethodCooldown};

/// Answers the active methods in cooldown, and when the last cooldown ends.
pub(crate) async fn check_cooldown(call: &Call, _request: CheckCooldownRequest) -> Result<CheckCooldownResponse> {
    let mut methods = defaults::load_active(call).await?;
    methods.retain(|method| cooldown_end(method, call.now()).is_some());
    let last = methods.iter().max_by_key(|method| cooldown_end(method, call.now()));
    Ok(CheckCooldownResponse {
        in_cooldown: last.is_some(),
        cooldown_until: last.and_then(|method| method.cooldown_until),
        payment_methods: methods
            .iter()
            .map(|method| PaymentMethodCooldown {
                payment_method_id: method.id.clone(),
                cooldown_until: method.cooldown_until,
            })
            .collect(),
    })
}
