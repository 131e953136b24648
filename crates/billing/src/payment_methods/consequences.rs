//! Consequences of a change of a payment method: a member has one default at most, and no subscription loses its method.

use pavise_kernel::{Call, Consequences, Result, Step};

use super::support::defaults;
use super::support::successor::check_unused;
use crate::contract::v1::{PaymentMethod, PaymentMethodStatus};

impl Consequences for PaymentMethod {
    /// A method that becomes the default replaces the one before. One that ceases to be the default passes it on. A
    /// method that a subscription is paid with does not become INACTIVE.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Step { unit, before: Some(before), after: Some(after), .. } = step else { return Ok(()) };
        if before.status() == PaymentMethodStatus::Active && after.status() == PaymentMethodStatus::Inactive {
            check_unused(call, unit, before).await?;
        }
        match (before.is_default, after.is_default) {
            (false, true) => {
                let others = defaults::load_active_of(call, unit, &before.owner_id).await?;
                defaults::clear_default(unit, &others)
            }
            (true, false) => {
                let others = defaults::load_active_of(call, unit, &before.owner_id).await?;
                defaults::pass_on_default(unit, before, &others)
            }
            (true, true) | (false, false) => Ok(()),
        }
    }
}
