//! Collects an invoice whose day has come.

use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Result};

use super::support::collecting::record_refused_try;
use super::support::finish::{Commit, finish_payment};
use super::support::payments::add_payment;
use super::support::sums::{Sums, amount_on, is_in_progress, is_pending, write_sums};
use crate::contract::actions::invoice as actions;
use crate::contract::v1::{
    CollectInvoiceRequest, Collection, DisputeStatus, ErrorReason, Invoice, InvoicePayment, InvoiceStatus,
    PaymentMethod, Subscription, TransactionStatus,
};
use crate::payment_methods::support::defaults;
use crate::shared::admission::check_invoice;
use crate::shared::retry::retry_contention;

/// The methods that are asked on one day, when each is refused for good.
const MOST_METHODS: usize = 3;

/// Charges the invoice, or records that it was not paid. A charge that an earlier run began is finished first, and counts
/// for its day. So nothing is charged twice, wherever a run was killed.
///
/// # Errors
/// `VENDOR_NOT_CONFIGURED`: that is the platform's fault, and not the member's. `PAYMENT_IN_PROGRESS` while a refund is.
pub(crate) async fn collect_invoice(call: &Call, request: CollectInvoiceRequest) -> Result<Invoice> {
    let mut invoice: Invoice = call.get(&request.invoice_id).await?;
    let begun: Vec<String> =
        invoice.payments.iter().filter(|one| is_pending(one.status())).map(|one| one.id.clone()).collect();
    for id in begun {
        let Some(after) = finish(call, &invoice, &id).await? else { return call.answer_unchanged(invoice).await };
        invoice = after;
    }
    if !is_due(call, &invoice) {
        return call.answer_unchanged(invoice).await;
    }
    if invoice.collection() == Collection::ByInvoice {
        let invoice = commit(call, &invoice.id, |invoice| {
            invoice.set_status(InvoiceStatus::Delinquent);
            Ok(())
        })
        .await?;
        return call.answer_unchanged(invoice).await;
    }
    for tried in 0..MOST_METHODS {
        let Some(method) = choose_method(call, &invoice).await? else {
            if tried == 0 {
                let refuse = |invoice: &mut Invoice| {
                    record_refused_try(invoice, call.today());
                    Ok(())
                };
                invoice = commit(call, &invoice.id, refuse).await?;
            }
            break;
        };
        let id = call.new_id();
        invoice = begin_charge(call, &invoice, &method, &id).await?;
        let Some(after) = finish(call, &invoice, &id).await? else { break };
        invoice = after;
        let refused_for_good = invoice
            .payments
            .iter()
            .any(|payment| payment.id == id && payment.status() == TransactionStatus::HardDeclined);
        if !refused_for_good {
            break;
        }
    }
    call.answer_unchanged(invoice).await
}

/// Whether its day has come, nothing is under way, and no dispute about it waits for a decision.
fn is_due(call: &Call, invoice: &Invoice) -> bool {
    let today = to_days(call.today());
    let has_come = invoice.due_to_collect_on.is_some_and(|day| to_days(day) <= today);
    has_come && !is_in_progress(invoice) && invoice.dispute_status() != DisputeStatus::Open
}

/// The invoice with the outcome of a charge; none while there is no outcome.
async fn finish(call: &Call, invoice: &Invoice, id: &str) -> Result<Option<Invoice>> {
    match finish_payment(call, invoice, id, Commit::Interim).await {
        Ok(finished) => Ok(Some(finished.invoice)),
        Err(error) if error.is(ErrorReason::PaymentPending) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reserves what is open for a charge of the schedule. Where another run, or the member, was faster, nothing is begun.
async fn begin_charge(call: &Call, seen: &Invoice, method: &str, id: &str) -> Result<Invoice> {
    let payment = |invoice: &Invoice| InvoicePayment {
        id: id.to_owned(),
        amount: Some(amount_on(invoice, Sums::of(invoice).payable_amount())),
        status: TransactionStatus::Created.into(),
        payment_method_id: method.to_owned(),
        at: Some(call.timestamp()),
        by_schedule: true,
        ..InvoicePayment::default()
    };
    commit(call, &seen.id, |invoice| {
        let payment = payment(invoice);
        if invoice.payments != seen.payments || Sums::of(invoice).payable_amount() == 0 {
            return Ok(());
        }
        add_payment(invoice, payment)
    })
    .await
}

/// Commits a change of the invoice as it is by now, unless it is settled meanwhile.
async fn commit(call: &Call, id: &str, change: impl Fn(&mut Invoice) -> Result<()> + Sync) -> Result<Invoice> {
    retry_contention(call, || async {
        let before: Invoice = call.get(id).await?;
        let is_open =
            [InvoiceStatus::Active, InvoiceStatus::Failed, InvoiceStatus::PartiallyFunded, InvoiceStatus::Delinquent]
                .contains(&before.status());
        let mut after = before.clone();
        if is_open {
            change(&mut after)?;
            write_sums(&mut after)?;
        }
        if after == before {
            return Ok(before);
        }
        let action = if after.status == before.status { actions::PAYMENT_UPDATED } else { actions::STATUS_CHANGED };
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, action)?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

/// The method to ask: that of the invoice, that of the subscription, the member's default. None that cannot be used now,
/// and none that was refused for good. After a lost dispute nobody is charged by the schedule.
async fn choose_method(call: &Call, invoice: &Invoice) -> Result<Option<String>> {
    if invoice.dispute_status() == DisputeStatus::Lost {
        return Ok(None);
    }
    let subscription: Option<Subscription> = call.find_unscoped(&invoice.subscription_id).await?;
    let named = subscription.map(|subscription| subscription.payment_method_id).unwrap_or_default();
    let named = [invoice.payment_method_id.clone(), named];
    for id in named.into_iter().filter(|id| !id.is_empty()) {
        if can_be_asked(call, invoice, &id).await? {
            return Ok(Some(id));
        }
    }
    // Read only: no commit relies on it.
    let mut unit = call.unit();
    let methods = defaults::load_active_of(call, &mut unit, &invoice.owner_id).await?;
    let Some(default) = methods.into_iter().find(|method| method.is_default) else { return Ok(None) };
    Ok(if can_be_asked(call, invoice, &default.id).await? { Some(default.id) } else { None })
}

/// Whether the vendor may be asked about a method for this invoice.
async fn can_be_asked(call: &Call, invoice: &Invoice, id: &str) -> Result<bool> {
    let method: Option<PaymentMethod> = call.find_unscoped(id).await?;
    if method.is_none_or(|method| method.refused_for_good) {
        return Ok(false);
    }
    match check_invoice(call, invoice, id).await {
        Ok(()) => Ok(true),
        Err(error) if error.is_transient() || error.is(ErrorReason::VendorNotConfigured) => Err(error),
        Err(_) => Ok(false),
    }
}
