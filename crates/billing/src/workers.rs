//! The workers of billing: they finish what calls began, and end subscriptions on their day.

mod activate_after_settlement;
mod activate_without_debt;
mod end_subscriptions;
mod expire_cards;
mod finish_payments;
mod post_payments;
mod resolve_transactions;
mod sweep_invoice_exports;
mod write_invoice_exports;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(resolve_transactions::ResolveTransactions),
        Arc::new(finish_payments::FinishPayments),
        Arc::new(post_payments::PostPayments),
        Arc::new(activate_after_settlement::ActivateAfterSettlement),
        Arc::new(activate_without_debt::ActivateWithoutDebt),
        Arc::new(end_subscriptions::EndSubscriptions),
        Arc::new(expire_cards::ExpireCards),
        Arc::new(write_invoice_exports::WriteInvoiceExports),
        Arc::new(sweep_invoice_exports::SweepInvoiceExports),
    ]
}
