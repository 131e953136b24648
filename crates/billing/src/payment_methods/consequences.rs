//! Consequences of a change of a payment method: a member has one default at most.

use pavise_kernel::{Call, Consequences, Result, Step};

use super::defaults;
use crate::contract::v1::PaymentMethod;

impl Consequences for PaymentMethod {
    /// A method that becomes the default replaces the one before. One that ceases to be the default passes it on.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Step { unit, before: Some(before), after: Some(after), .. } = step else { return Ok(()) };
        match (before.is_default, after.is_default) {
            (false, true) => defaults::clear_default(unit, &defaults::load_active(call).await?),
            (true, false) => defaults::pass_on_default(unit, before, &defaults::load_active(call).await?),
            (true, true) | (false, false) => Ok(()),
        }
    }
}
