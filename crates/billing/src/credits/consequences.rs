//! Consequences of a change of a credit: a new one for money of an invoice belongs to the payer of the invoice.

use pavise_kernel::{Call, Consequences, Result, Step};

use crate::contract::v1::{Credit, CreditReason, Invoice};
use crate::subscriptions::support::payer::find_group_of;

impl Consequences for Credit {
    /// A credit that stands for money which a group paid is the group's. Goodwill is for the member.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Step { before: None, after: Some(credit), .. } = step else { return Ok(()) };
        if credit.reason() == CreditReason::Goodwill || credit.invoice_id.is_empty() {
            return Ok(());
        }
        if let Some(invoice) = call.find_unscoped::<Invoice>(&credit.invoice_id).await? {
            credit.group_id = find_group_of(call, std::slice::from_ref(&invoice)).await?;
        }
        Ok(())
    }
}
