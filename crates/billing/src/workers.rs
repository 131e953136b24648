//! The workers of billing: they bill and collect on the days, tell members of it, finish what calls began, follow what
//! vendors tell, and end subscriptions on their day.

mod activate_after_settlement;
mod activate_without_debt;
mod change_subscriptions;
mod collect_invoices;
mod collect_when_billed;
mod collect_when_named;
mod collect_with_method;
mod collecting;
mod dun_subscriptions;
mod end_subscriptions;
mod expire_cards;
mod expire_credits;
mod finish_payments;
mod handle_vendor_events;
mod post_payments;
mod reconcile;
mod remind_of_cards;
mod remind_of_charges;
mod renewals;
mod reprice;
mod resolve_transactions;
mod review_subscriptions;
mod settle_changes;
mod sweep_invoice_exports;
mod tell_of_changes;
mod tell_of_invoices;
mod tell_of_refunds;
mod tell_of_repricings;
mod tell_of_suspensions;
mod write_invoice_exports;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(resolve_transactions::ResolveTransactions),
        Arc::new(finish_payments::FinishPayments),
        Arc::new(post_payments::PostPayments),
        Arc::new(handle_vendor_events::HandleVendorEvents),
        Arc::new(reconcile::Reconcile),
        Arc::new(activate_after_settlement::ActivateAfterSettlement),
        Arc::new(activate_without_debt::ActivateWithoutDebt),
        Arc::new(end_subscriptions::EndSubscriptions),
        Arc::new(change_subscriptions::ChangeSubscriptions),
        Arc::new(settle_changes::SettleChanges),
        Arc::new(renewals::Renewals),
        Arc::new(reprice::Reprice),
        Arc::new(collect_invoices::CollectInvoices),
        Arc::new(collect_when_billed::CollectWhenBilled),
        Arc::new(collect_with_method::CollectWithMethod),
        Arc::new(collect_when_named::CollectWhenNamed),
        Arc::new(review_subscriptions::ReviewSubscriptions),
        Arc::new(dun_subscriptions::DunSubscriptions),
        Arc::new(tell_of_changes::TellOfChanges),
        Arc::new(tell_of_invoices::TellOfInvoices),
        Arc::new(tell_of_refunds::TellOfRefunds),
        Arc::new(tell_of_repricings::TellOfRepricings),
        Arc::new(tell_of_suspensions::TellOfSuspensions),
        Arc::new(remind_of_charges::RemindOfCharges),
        Arc::new(remind_of_cards::RemindOfCards),
        Arc::new(expire_cards::ExpireCards),
        Arc::new(expire_credits::ExpireCredits),
        Arc::new(write_invoice_exports::WriteInvoiceExports),
        Arc::new(sweep_invoice_exports::SweepInvoiceExports),
    ]
}
