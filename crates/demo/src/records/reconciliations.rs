//! A day of a vendor's movements with two differences. They are written as documents: no vendor of the demonstration has
//! movements that differ.

use anyhow::Context as _;
use pavise_billing_client::v1::reconciliation_service_client::ReconciliationServiceClient;
use pavise_billing_client::v1::{FinishReconciliationRequest, ReconciliationOutcome, ReconciliationRowStatus, Vendor};
use pavise_kernel::range::SortKey as _;
use pavise_kernel::store::{StoredRow, Write};
use pavise_kernel::table::Table;
use pavise_kernel::time::{Ids, add_days, to_date, to_timestamp};
use pavise_kernel::worker::Work;
use serde_json::{Value, json};

use super::super::bulk;

/// The table of the differences.
const ROW_TABLE: &str = "reconciliation_rows";
/// The movements of the day.
const MOVEMENTS: i32 = 48;
/// The vendor's references of the differences, their outcomes, and the amounts there and here in minor units.
const ROWS: [(&str, ReconciliationOutcome, Option<i64>, Option<i64>); 2] = [
    ("pi_demo_unknown", ReconciliationOutcome::MissingHere, Some(2_995), None),
    ("pi_demo_smaller", ReconciliationOutcome::AmountDiffers, Some(2_595), Some(2_995)),
];

/// Writes what was compared of the day before.
pub(super) async fn load(work: &Work) -> anyhow::Result<()> {
    let day = add_days(to_date(work.now()), -1);
    let different = i32::try_from(ROWS.len())?;
    // A movement that is missing here is one of the vendor's, too.
    let compared = FinishReconciliationRequest {
        vendor: Vendor::Stripe.into(),
        day: Some(day),
        movements: MOVEMENTS,
        matched: MOVEMENTS - different,
        different,
    };
    let mut client = ReconciliationServiceClient::new(work.peer_channel("billing"));
    let compared = client.finish_reconciliation(work.new_request(compared, "a day of movements")).await;
    work.skip_refused(compared, "a day of movements")?;
    let tables = work.kernel().tables();
    let table =
        tables.iter().find(|entry| entry.table.name == ROW_TABLE).context("there is no table of differences")?;
    let (at, status) = (work.now(), ReconciliationRowStatus::Open.spelling());
    let moment = to_timestamp(at).to_string();
    let money = |amount: Option<i64>| amount.map(|amount| json!({"currency": "USD", "amount": amount.to_string()}));
    for (place, (reference, outcome, there, here)) in (1_u64..).zip(ROWS) {
        let id = Ids::from_seed(place).next(at);
        let mut doc = json!({
            "id": id, "status": status, "version": "1", "createdAt": moment, "updatedAt": moment,
            "vendor": Vendor::Stripe.spelling(), "day": day.key(), "outcome": outcome.spelling(), "vendorReference": reference,
        });
        for (name, amount) in [("vendorAmount", money(there)), ("amount", money(here))] {
            if let (Some(doc), Some(amount)) = (doc.as_object_mut(), amount) {
                doc.insert(name.to_owned(), amount);
            }
        }
        commit(work, table.table, id, &doc).await?;
    }
    Ok(())
}

async fn commit(work: &Work, table: &'static Table, id: String, doc: &Value) -> anyhow::Result<()> {
    let (at, status) = (work.now(), ReconciliationRowStatus::Open.spelling().to_owned());
    let doc = doc.to_string();
    let row = StoredRow { id, status, version: 1, created_at: at, updated_at: at, doc, ..StoredRow::default() };
    let action = pavise_billing_client::actions::reconciliation::DIFFERENCE_FOUND.to_owned();
    let write = Write { table, row, expected: None, removed: false, action, lookups: Vec::new() };
    bulk::commit(work.kernel(), table.journal, vec![write]).await?;
    Ok(())
}
