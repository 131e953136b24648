//! Asks the vendor about the thing that an event names, and records the answer.

use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Aggregate, Call, Error, Result};

use super::support::failed_refund::{credit_failed_refund, is_standing_refund};
use super::support::reversal::reverse_on_invoice;
use crate::contract::actions::payment_method as actions;
use crate::contract::lookups::hosted_entry as entry_lookups;
use crate::contract::v1::hosted_entry_service_client::HostedEntryServiceClient;
use crate::contract::v1::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::v1::{
    DeclineReason, DisputeStatus, FinishHostedEntryRequest, HandleVendorEventRequest, HostedEntry,
    ResolveTransactionRequest, Transaction, TransactionStatus, TransactionType, VendorEvent, VendorEventStatus,
};
use crate::shared::retry::retry_contention;
use crate::shared::tools::Tools as _;
use crate::shared::transactions::find::list_by_vendor_reference;
use crate::shared::vendor::Aftermath;

/// The news to be recorded on an approved payment or refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    /// The bank of the member did not take a refund.
    RefundFailed,
    /// The bank returned the money.
    Returned,
    /// The state of a dispute, and when it was opened.
    Disputed(DisputeStatus, i64),
}

pub(crate) async fn handle_vendor_event(call: &Call, request: HandleVendorEventRequest) -> Result<VendorEvent> {
    let event: VendorEvent = call.get(&request.vendor_event_id).await?;
    if event.status() != VendorEventStatus::Stored || call.validate_only() {
        return Ok(event);
    }
    let vendors = call.vendors()?;
    match vendors.get(event.vendor())?.find_aftermath(&event.object_id).await? {
        Aftermath::Foreign => end_event(call, &event.id, VendorEventStatus::Ignored).await,
        Aftermath::Entry { session_id } => finish_entry(call, &event, &session_id).await,
        Aftermath::Payment { vendor_reference, returned } => {
            let known = list_by_vendor_reference(call, event.vendor(), &vendor_reference).await?;
            resolve_open(call, &known).await?;
            match known.iter().find(|one| is_paid(one)).filter(|_| returned) {
                Some(paid) => record_news(call, &event.id, &paid.id, News::Returned).await,
                None => end_event(call, &event.id, found_or_not(&known)).await,
            }
        }
        Aftermath::Refund { vendor_reference, reference, failed } => {
            let mut known = list_by_vendor_reference(call, event.vendor(), &vendor_reference).await?;
            if known.is_empty() {
                // The vendor's reference of a refund is recorded with its outcome alone.
                let named: Option<Transaction> = call.find_unscoped(&reference).await?;
                known.extend(
                    named.filter(|one| one.vendor() == event.vendor() && one.r#type() == TransactionType::Refund),
                );
            }
            resolve_open(call, &known).await?;
            match known.iter().find(|one| is_standing_refund(one)).filter(|_| failed) {
                Some(refund) => record_news(call, &event.id, &refund.id, News::RefundFailed).await,
                None => end_event(call, &event.id, found_or_not(&known)).await,
            }
        }
        Aftermath::Dispute { vendor_reference, status, opened_at } => {
            let known = list_by_vendor_reference(call, event.vendor(), &vendor_reference).await?;
            match known.iter().find(|one| is_paid(one)) {
                Some(paid) => record_news(call, &event.id, &paid.id, News::Disputed(status, opened_at)).await,
                None => end_event(call, &event.id, found_or_not(&known)).await,
            }
        }
    }
}

/// Asks for the outcomes of those that have none.
async fn resolve_open(call: &Call, known: &[Transaction]) -> Result<()> {
    for open in known.iter().filter(|one| !one.is_final()) {
        let resolve = ResolveTransactionRequest { transaction_id: open.id.clone(), ..Default::default() };
        PaymentMethodServiceClient::new(call.peer_channel("billing")).resolve_transaction(resolve).await?;
    }
    Ok(())
}

fn found_or_not(known: &[Transaction]) -> VendorEventStatus {
    if known.is_empty() { VendorEventStatus::Ignored } else { VendorEventStatus::Handled }
}

/// Whether money of a member came in for it.
fn is_paid(transaction: &Transaction) -> bool {
    matches!(transaction.r#type(), TransactionType::Charge | TransactionType::Sale)
        && transaction.status() == TransactionStatus::Approved
}

/// Finishes the visit to the vendor's page of a member who did not come back.
async fn finish_entry(call: &Call, event: &VendorEvent, session_id: &str) -> Result<VendorEvent> {
    let entry: Option<HostedEntry> = call.find_unscoped_by(entry_lookups::VENDOR_SESSION_ID, session_id).await?;
    let Some(entry) = entry else { return end_event(call, &event.id, VendorEventStatus::Ignored).await };
    let finish = FinishHostedEntryRequest { identity_id: entry.owner_id, hosted_entry_id: entry.id };
    HostedEntryServiceClient::new(call.peer_channel("billing")).finish_hosted_entry(finish).await?;
    end_event(call, &event.id, VendorEventStatus::Handled).await
}

async fn end_event(call: &Call, id: &str, status: VendorEventStatus) -> Result<VendorEvent> {
    retry_contention(call, || async {
        let before = reload(call, id).await?;
        if before.status() != VendorEventStatus::Stored {
            return Ok(before);
        }
        let mut unit = call.unit();
        let ended = unit.update(&before, VendorEvent { status: status.into(), ..before.clone() })?;
        unit.commit().await?;
        Ok(ended)
    })
    .await
}

/// Records news of a payment or a refund on its transaction and its invoice, and ends the event, in one commit.
async fn record_news(call: &Call, event_id: &str, transaction_id: &str, news: News) -> Result<VendorEvent> {
    retry_contention(call, || async {
        let event = reload(call, event_id).await?;
        if event.status() != VendorEventStatus::Stored {
            return Ok(event);
        }
        let found: Option<Transaction> = call.find_unscoped(transaction_id).await?;
        let before = found.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, transaction_id))?;
        let after = with_news(call, &before, news);
        let mut unit = call.unit();
        if after != before {
            if news == News::RefundFailed {
                credit_failed_refund(call, &mut unit, &before).await?;
            } else {
                reverse_on_invoice(call, &mut unit, &before, &after).await?;
            }
            let reversed = after.reversed_at != before.reversed_at;
            let action = if reversed { actions::TRANSACTION_REVERSED } else { actions::TRANSACTION_DISPUTED };
            unit.update_as(&before, after, action)?;
        }
        let handled = VendorEvent { status: VendorEventStatus::Handled.into(), ..event.clone() };
        let handled = unit.update(&event, handled)?;
        unit.commit().await?;
        Ok(handled)
    })
    .await
}

/// The transaction with the news. Money is taken back once.
fn with_news(call: &Call, before: &Transaction, news: News) -> Transaction {
    let mut after = before.clone();
    let reason = match news {
        News::Returned => Some(DeclineReason::Returned),
        News::RefundFailed => Some(DeclineReason::RefundFailed),
        News::Disputed(status, opened_at) => {
            after.set_dispute_status(status);
            after.disputed_at = before.disputed_at.or_else(|| Some(to_timestamp(opened_at)));
            (status == DisputeStatus::Lost).then_some(DeclineReason::DisputeLost)
        }
    };
    if let Some(reason) = reason.filter(|_| before.reversed_at.is_none()) {
        after.reversed_at = Some(call.timestamp());
        after.set_reversal_reason(reason);
    }
    after
}

async fn reload(call: &Call, id: &str) -> Result<VendorEvent> {
    call.find_unscoped(id).await?.ok_or_else(|| Error::not_found(VendorEvent::TABLE.noun, id))
}
