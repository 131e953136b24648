//! A payment that its member disputes at their bank. It is written as documents: the test vendor has no disputes.

use anyhow::Context as _;
use pavise_billing_client::actions::{invoice as invoice_actions, payment_method as method_actions};
use pavise_billing_client::v1::{DisputeStatus, Invoice};
use pavise_kernel::store::{StoredRow, Write};
use pavise_kernel::table::{Lookup, Table};
use pavise_kernel::time::to_timestamp;
use pavise_kernel::worker::Work;
use serde_json::{Map, Value};

use super::super::bulk;

/// The field that says how far a dispute is.
const STATE: &str = "disputeStatus";

/// Lets a member dispute what they paid on an invoice. The transaction and the invoice say so.
pub(super) async fn load(work: &Work, invoice: &Invoice) -> anyhow::Result<()> {
    let Some(transaction) = invoice.transaction_ids.first() else { return Ok(()) };
    let now = to_timestamp(work.now()).to_string();
    let open = (STATE, DisputeStatus::Open.spelling().to_owned());
    let news = [open.clone(), ("disputedAt", now)];
    change(work, "transactions", transaction, method_actions::TRANSACTION_DISPUTED, &news).await?;
    change(work, "invoices", &invoice.id, invoice_actions::PAYMENT_UPDATED, &[open]).await
}

/// Sets fields of a stored entity, unless a run before did.
async fn change(
    work: &Work,
    table: &str,
    id: &str,
    action: &str,
    news: &[(&'static str, String)],
) -> anyhow::Result<()> {
    let entry = work.kernel().tables().iter().find(|entry| entry.table.name == table);
    let table = entry.with_context(|| format!("there is no table {table}"))?.table;
    let before = work.kernel().store().get(table, id).await?;
    let before = before.with_context(|| format!("{}/{id} is not there", table.name))?;
    let mut doc: Map<String, Value> = serde_json::from_str(&before.doc)?;
    if doc.get(STATE).and_then(Value::as_str) == Some(DisputeStatus::Open.spelling()) {
        return Ok(());
    }
    let (at, version) = (work.now(), before.version + 1);
    let head = [("version", version.to_string()), ("updatedAt", to_timestamp(at).to_string())];
    for (name, value) in head.into_iter().chain(news.iter().cloned()) {
        doc.insert(name.to_owned(), Value::from(value));
    }
    let lookups = read_lookups(work, table, id).await?;
    let (expected, doc) = (Some(before.version), serde_json::to_string(&doc)?);
    let row = StoredRow { version, updated_at: at, doc, ..before };
    let write = Write { table, row, expected, removed: false, action: action.to_owned(), lookups };
    bulk::commit(work.kernel(), table.journal, vec![write]).await?;
    Ok(())
}

/// The values of the repeated lookups of an entity, which a change writes anew. No dispute changes them.
async fn read_lookups(work: &Work, table: &'static Table, id: &str) -> anyhow::Result<Vec<(&'static Lookup, String)>> {
    if !table.lookups.iter().any(|lookup| lookup.many) {
        return Ok(Vec::new());
    }
    let values = work.kernel().store().lookup_values(table, &[id.to_owned()]).await?;
    Ok(values.into_iter().filter_map(|(_, name, value)| Some((table.lookup(&name)?, value))).collect())
}
