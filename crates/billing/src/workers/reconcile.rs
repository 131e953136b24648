//! `billing.reconcile`: compares the movements of money at the vendors with ours, once a day for each of the last days.

use std::collections::BTreeSet;
use std::time::Duration;

use pavise_kernel::common::v1::Date;
use pavise_kernel::range::SortKey as _;
use pavise_kernel::time::{DAY, HOUR, add_days, start_of, to_date, to_micros, to_timestamp};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};
use tonic::Code;

use crate::contract::lookups::transaction as lookups;
use crate::contract::v1::reconciliation_service_client::ReconciliationServiceClient;
use crate::contract::v1::{
    CompareMovementsRequest, CompareTransactionRequest, FinishReconciliationRequest, GetReconciliationRequest,
    ReconciliationOutcome, Transaction, TransactionStatus, Vendor,
};
use crate::reconciliations::support::compare::moves_money;
use crate::reconciliations::support::ids::reconciliation_id;
use crate::shared::vendor::Vendors;

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(3600);
/// How many days are compared again: a vendor books late, and what was undecided is decided by then.
const DAYS: i64 = 3;
/// The time after midnight (UTC) from which the day before is compared.
const MARGIN: i64 = HOUR;

/// The worker.
#[derive(Debug)]
pub(crate) struct Reconcile;

#[async_trait]
impl Worker for Reconcile {
    fn name(&self) -> &'static str {
        "billing.reconcile"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let vendors = work.kernel().find_provided::<Vendors>()?;
        let today = to_date(work.now().saturating_sub(MARGIN));
        let mut failure = None;
        for vendor in vendors.list_reconciled() {
            for back in (1..=DAYS).rev() {
                // A day that cannot be compared does not stop the others.
                if let Err(error) = compare_day(work, vendor, add_days(today, -back), today).await {
                    failure = Some(error);
                }
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

/// Compares a day, unless that was done today. A run that is killed is repeated from the beginning: rows are found again.
async fn compare_day(work: &Work, vendor: Vendor, day: Date, today: Date) -> Result<()> {
    if is_compared(work, vendor, day, today).await? {
        return Ok(());
    }
    let mut client = ReconciliationServiceClient::new(work.peer_channel("billing"));
    let (mut seen, mut cursor, mut movements, mut matched) = (BTreeSet::new(), String::new(), 0, 0);
    loop {
        let request = CompareMovementsRequest { vendor: vendor.into(), day: Some(day), cursor };
        let page = client.compare_movements(request).await?.into_inner();
        movements += page.movements;
        matched += page.matched;
        seen.extend(page.transaction_ids);
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    let missing = compare_ours(work, vendor, day, &seen).await?;
    let finish = FinishReconciliationRequest {
        vendor: vendor.into(),
        day: Some(day),
        movements,
        matched,
        different: movements.saturating_sub(matched).saturating_add(missing),
    };
    client.finish_reconciliation(finish).await?;
    Ok(())
}

async fn is_compared(work: &Work, vendor: Vendor, day: Date, today: Date) -> Result<bool> {
    let get = GetReconciliationRequest { reconciliation_id: reconciliation_id(vendor, day) };
    match ReconciliationServiceClient::new(work.peer_channel("billing")).get_reconciliation(get).await {
        Ok(known) => {
            let at = known.get_ref().updated_at.as_ref().map_or(0, to_micros);
            Ok(at >= start_of(today).saturating_add(MARGIN))
        }
        Err(status) if status.code() == Code::NotFound => Ok(false),
        Err(status) => Err(Error::from(status)),
    }
}

/// Asks about our approved transactions of the day that are among none of the movements. Answers how many differ.
async fn compare_ours(work: &Work, vendor: Vendor, day: Date, seen: &BTreeSet<String>) -> Result<i32> {
    let (from, until) = (start_of(day), start_of(day).saturating_add(DAY - 1));
    let (from, until) = (to_timestamp(from).key(), to_timestamp(until).key());
    let mut client = ReconciliationServiceClient::new(work.peer_channel("billing"));
    let (mut after, mut missing) = (None, 0_i32);
    loop {
        let page: Vec<Transaction> =
            work.entities_in_range(lookups::SETTLED_AT, (from.as_str(), until.as_str()), after).await?;
        let Some(last) = page.last() else { return Ok(missing) };
        after = Some((last.settled_at.key(), last.id.clone()));
        let ours = page.into_iter().filter(|one| one.vendor() == vendor && !one.recorded);
        let ours = ours.filter(|one| moves_money(one.r#type()) && one.status() == TransactionStatus::Approved);
        for transaction in ours.filter(|one| !seen.contains(&one.id)) {
            let request = CompareTransactionRequest { transaction_id: transaction.id, day: Some(day) };
            let outcome = client.compare_transaction(request).await?.into_inner().outcome();
            missing = missing.saturating_add(i32::from(outcome != ReconciliationOutcome::Matched));
        }
    }
}
