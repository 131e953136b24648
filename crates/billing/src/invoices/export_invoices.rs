//! Answers all invoices that are due in a range of days, as rows for accounting.

use std::collections::VecDeque;

use futures::{Stream, stream};
use pavise_kernel::range::{ListRange, SortKey as _};
use pavise_kernel::time;
use pavise_kernel::{Call, Page, Result};

use super::support::sums::{Sums, amount_on};
use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::{ExportInvoicesRequest, ExportedInvoice, Invoice, InvoiceStatus};
use crate::shared::{export_days, money};

/// Invoices that are read at once.
const PAGE: i32 = 200;

/// Streams the rows. A page is read when the caller has taken the rows before it, so that a slow caller holds neither
/// memory nor a connection to the database.
pub(crate) async fn export_invoices(
    call: &Call,
    request: ExportInvoicesRequest,
) -> Result<impl Stream<Item = Result<ExportedInvoice>> + Send + use<>> {
    let (from, until) = export_days::check_days(request.due_from, request.due_until)?;
    let export = Export {
        call: call.clone(),
        from: from.key(),
        until: until.key(),
        status: request.status,
        rows: VecDeque::new(),
        token: None,
    };
    Ok(stream::try_unfold(export, |mut export| async move { Ok(export.next().await?.map(|row| (row, export))) }))
}

/// An export in progress.
struct Export {
    call: Call,
    from: String,
    until: String,
    status: i32,
    /// Rows that were read and not taken.
    rows: VecDeque<ExportedInvoice>,
    /// The token of the next page: none before the first page, and empty after the last one.
    token: Option<String>,
}

impl Export {
    async fn next(&mut self) -> Result<Option<ExportedInvoice>> {
        while self.rows.is_empty() && self.token.as_deref() != Some("") {
            self.read().await?;
        }
        Ok(self.rows.pop_front())
    }

    /// Reads a page. It holds each status, so that a rare one never makes a read longer than a page.
    async fn read(&mut self) -> Result<()> {
        let range = ListRange {
            lookup: lookups::DUE_ON,
            from: self.from.clone(),
            until: self.until.clone(),
            ascending: true,
            ..ListRange::default()
        };
        let token = self.token.take().unwrap_or_default();
        let page = Page { size: PAGE, token: &token, filters: Vec::new() };
        let (invoices, next) = self.call.page_in_order::<Invoice>(None, range, page).await?;
        let wanted = |invoice: &&Invoice| self.status == 0 || self.status == invoice.status;
        self.rows.extend(invoices.iter().filter(wanted).map(ExportedInvoice::from));
        self.token = Some(next);
        Ok(())
    }
}

impl From<&Invoice> for ExportedInvoice {
    fn from(invoice: &Invoice) -> Self {
        let sums = Sums::of(invoice);
        let forgiven = if invoice.status() == InvoiceStatus::Forgiven { sums.payable_amount() } else { 0 };
        let amounts = invoice.items.iter().map(|item| money::to_minor_units(item.amount.as_ref()));
        let credited = amounts.filter(|amount| *amount < 0).fold(0_i64, i64::saturating_sub);
        Self {
            invoice_id: invoice.id.clone(),
            number: invoice.number.clone(),
            owner_id: invoice.owner_id.clone(),
            order_id: invoice.order_id.clone(),
            subscription_id: invoice.subscription_id.clone(),
            status: invoice.status,
            issued_on: invoice.created_at.as_ref().map(|at| time::to_date(time::to_micros(at))),
            due_on: invoice.due_on,
            total: invoice.total,
            credited_amount: Some(amount_on(invoice, credited)),
            paid_amount: invoice.paid_amount,
            refunded_amount: invoice.refunded_amount,
            forgiven_amount: Some(amount_on(invoice, forgiven)),
            open_amount: invoice.open_amount,
        }
    }
}
