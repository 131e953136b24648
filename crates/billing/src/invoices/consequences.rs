//! Consequences of a change of an invoice: a new one names its parties, what a voided one took from credits goes back, and a
//! hold puts off the dunning of the subscription.

use pavise_kernel::{Call, Consequences, Result, Step};

use super::support::holds::day_after_hold;
use super::support::parties::fill_parties;
use crate::contract::v1::{Invoice, InvoiceStatus, Subscription};
use crate::credits::support::taking::return_taken;
use crate::subscriptions::support::dunning::put_dunning_off;

impl Consequences for Invoice {
    /// A new invoice names its seller and its buyer as they are now. Later changes of either do not change it.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        match step {
            Step { before: None, after: Some(after), .. } => {
                let billed: Option<Subscription> = call.find_unscoped(&after.subscription_id).await?;
                fill_parties(call, after, billed.as_ref()).await
            }
            Step { unit, before: Some(before), after: Some(after), .. } => {
                if before.held_until != after.held_until
                    && let Some(next) = day_after_hold(after)
                {
                    put_dunning_off(call, unit, &after.subscription_id, next).await?;
                }
                let is_voided = |invoice: &Invoice| invoice.status() == InvoiceStatus::Voided;
                if is_voided(before) || !is_voided(after) {
                    return Ok(());
                }
                return_taken(call, unit, before).await
            }
            _ => Ok(()),
        }
    }
}
