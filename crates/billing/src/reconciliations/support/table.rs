//! The table of differences: comma-separated values (RFC 4180).

use std::fmt::Write as _;

use pavise_kernel::common::v1::Money;
use pavise_kernel::money::currency_code;
use pavise_kernel::range::SortKey as _;

use crate::contract::v1::ReconciliationRow;
use crate::shared::csv::write_cell;

/// The names of the columns.
pub(in crate::reconciliations) const HEADING: &str =
    "day,vendor,outcome,status,vendorReference,vendorCurrency,vendorAmount,transactionId,currency,amount,note\r\n";

/// Appends the line of a difference. Amounts are in minor units, and empty where there is none.
pub(in crate::reconciliations) fn write_row(row: &ReconciliationRow, out: &mut String) {
    let (day, vendor) = (row.day.key(), row.vendor().spelling());
    let _ = write!(out, "{day},{vendor},{},{},", row.outcome().spelling(), row.status().spelling());
    write_cell(&row.vendor_reference, out);
    write_money(row.vendor_amount.as_ref(), out);
    out.push(',');
    write_cell(&row.transaction_id, out);
    write_money(row.amount.as_ref(), out);
    out.push(',');
    write_cell(&row.note, out);
    out.push_str("\r\n");
}

fn write_money(money: Option<&Money>, out: &mut String) {
    let _ = match money {
        Some(money) => write!(out, ",{},{}", currency_code(money.currency), money.amount),
        None => write!(out, ",,"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_as_many_cells_as_the_heading() {
        let mut out = String::new();
        let row = ReconciliationRow {
            vendor_amount: Some(Money { currency: 1, amount: -7 }),
            note: "=1,2".to_owned(),
            ..ReconciliationRow::default()
        };
        write_row(&row, &mut out);
        assert!(out.ends_with(",USD,-7,,,,\"'=1,2\"\r\n"), "{out}");
        assert_eq!(out.matches(',').count(), HEADING.matches(',').count() + 1, "one comma is in the note: {out}");
    }
}
