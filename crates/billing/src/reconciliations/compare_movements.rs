//! Compares a page of a vendor's movements of a day.

use pavise_kernel::time::{DAY, is_real, start_of};
use pavise_kernel::{Call, Error, Result};

use super::support::compare::{compare, moves_money};
use super::support::ids::{row_id, row_reference};
use super::support::rows::{Comparison, record_compared};
use crate::contract::v1::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::v1::{
    CompareMovementsRequest, CompareMovementsResponse, ReconciliationOutcome, ReconciliationRow,
    ResolveTransactionRequest, Transaction, TransactionStatus, Vendor,
};
use crate::shared::tools::Tools as _;
use crate::shared::transactions::find::list_by_vendor_reference;
use crate::shared::vendor::Movement;

/// Asks for the page, and writes a row for each difference. A repeat finds the rows of the run before.
pub(crate) async fn compare_movements(
    call: &Call,
    request: CompareMovementsRequest,
) -> Result<CompareMovementsResponse> {
    let day = request.day.filter(|day| is_real(*day));
    let day = day.ok_or_else(|| Error::field("day", "must be a day of the calendar"))?;
    let (vendors, vendor) = (call.vendors()?, request.vendor());
    let from = start_of(day);
    let page = vendors.get(vendor)?.list_movements((from, from.saturating_add(DAY)), &request.cursor).await?;
    let references: Vec<String> = page.movements.iter().map(row_reference).collect();
    let ids: Vec<String> = references.iter().map(|reference| row_id(vendor, reference)).collect();
    let rows: Vec<ReconciliationRow> = call.find_many(&ids).await?;
    let mut response =
        CompareMovementsResponse { next_cursor: page.next_cursor, ..CompareMovementsResponse::default() };
    for ((movement, vendor_reference), id) in page.movements.iter().zip(&references).zip(&ids) {
        let ours = find_ours(call, vendor, movement).await?;
        let outcome = compare(Some(movement), ours.as_ref());
        response.movements += 1;
        response.matched += i32::from(outcome == ReconciliationOutcome::Matched);
        // Most movements match and have no row: those need no commit.
        if outcome != ReconciliationOutcome::Matched || rows.iter().any(|row| row.id == *id) {
            let (ours, movement) = (ours.as_ref(), Some(movement));
            record_compared(call, Comparison { vendor, day, vendor_reference, movement, ours, outcome }).await?;
        }
        response.transaction_ids.extend(ours.map(|ours| ours.id));
    }
    Ok(response)
}

/// Finds our transaction of a movement, and resolves it if it has no outcome.
async fn find_ours(call: &Call, vendor: Vendor, movement: &Movement) -> Result<Option<Transaction>> {
    let mut known = list_by_vendor_reference(call, vendor, &movement.vendor_reference).await?;
    known.retain(|one| moves_money(one.r#type()));
    // Of two charges of one authorization, the vendor took one.
    known.sort_by_key(|one| one.status() != TransactionStatus::Approved);
    let mut ours = known.into_iter().next();
    if ours.is_none() && !movement.reference.is_empty() {
        // The vendor's reference of a refund is recorded with its outcome alone.
        let named: Option<Transaction> = call.find_unscoped(&movement.reference).await?;
        ours = named.filter(|one| one.vendor() == vendor && moves_money(one.r#type()));
    }
    let Some(open) = ours.as_ref().filter(|one| !one.is_final()) else { return Ok(ours) };
    let resolve = ResolveTransactionRequest { transaction_id: open.id.clone(), ..ResolveTransactionRequest::default() };
    let resolved = PaymentMethodServiceClient::new(call.peer_channel("billing")).resolve_transaction(resolve).await?;
    Ok(Some(resolved.into_inner()))
}
