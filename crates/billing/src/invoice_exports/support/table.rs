//! The table in the file of an export: comma-separated values (RFC 4180).

use std::fmt::Write as _;

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::money::currency_code;

use crate::contract::v1::{ExportedInvoice, InvoiceExport};
use crate::shared::csv::write_cell;

/// The content type of the file.
pub(crate) const CONTENT_TYPE: &str = "text/csv; charset=utf-8";

/// The names of the columns.
pub(crate) const HEADING: &str = "number,invoiceId,ownerId,orderId,subscriptionId,status,issuedOn,dueOn,currency,total,credited,paid,refunded,forgiven,open\r\n";

/// The name under which the file is saved.
pub(crate) fn file_name(export: &InvoiceExport) -> String {
    format!("invoices-{}-{}.csv", day(export.due_from.as_ref()), day(export.due_until.as_ref()))
}

/// Appends the line of an invoice. Amounts are in minor units.
pub(crate) fn write_row(row: &ExportedInvoice, out: &mut String) {
    let currency = row.total.as_ref().map_or("", |total| currency_code(total.currency));
    for text in [&row.number, &row.invoice_id, &row.owner_id, &row.order_id, &row.subscription_id] {
        write_cell(text, out);
        out.push(',');
    }
    let _ = write!(out, "{},{},", row.status().spelling(), day(row.issued_on.as_ref()));
    let _ = write!(out, "{},{currency}", day(row.due_on.as_ref()));
    let amounts = [
        &row.total,
        &row.credited_amount,
        &row.paid_amount,
        &row.refunded_amount,
        &row.forgiven_amount,
        &row.open_amount,
    ];
    for money in amounts {
        let _ = write!(out, ",{}", amount(money.as_ref()));
    }
    out.push_str("\r\n");
}

fn amount(money: Option<&Money>) -> i64 {
    money.map_or(0, |money| money.amount)
}

fn day(date: Option<&Date>) -> String {
    date.map_or_else(String::new, |date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_as_many_cells_as_the_heading() {
        let mut out = String::new();
        let money = |amount| Some(Money { amount, currency: 1 });
        let row = ExportedInvoice { total: money(700), open_amount: money(-5), ..ExportedInvoice::default() };
        write_row(&row, &mut out);
        assert_eq!(out.matches(',').count(), HEADING.matches(',').count(), "{out}");
        assert!(out.ends_with(",USD,700,0,0,0,0,-5\r\n"), "{out}");
    }
}
