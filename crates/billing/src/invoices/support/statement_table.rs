//! A statement as comma-separated values (RFC 4180). Amounts are in minor units; those that lower the balance are below
//! zero.

use std::fmt::Write as _;

use pavise_kernel::money::currency_code;
use pavise_kernel::range::SortKey as _;

use super::entries::signed_amount;
use crate::contract::v1::{Statement, StatementPart};
use crate::shared::money;

/// The content type of the file.
pub(crate) const CONTENT_TYPE: &str = "text/csv; charset=utf-8";

/// The names of the columns.
const HEADING: &str = "on,type,number,invoiceId,currency,amount,balance\r\n";

/// Writes a statement. Each currency begins with its opening balance and ends with its closing balance.
pub(crate) fn write_table(statement: &Statement) -> String {
    let mut out = HEADING.to_owned();
    for part in &statement.parts {
        write_part(part, statement, &mut out);
    }
    out
}

fn write_part(part: &StatementPart, statement: &Statement, out: &mut String) {
    let currency = currency_code(part.currency);
    let opening = money::to_minor_units(part.opening.as_ref());
    let _ = write!(out, "{},OPENING,,,{currency},0,{opening}\r\n", statement.from.key());
    for entry in &part.entries {
        let amount = signed_amount(entry.r#type(), money::to_minor_units(entry.amount.as_ref()));
        let balance = money::to_minor_units(entry.balance.as_ref());
        let (kind, number, invoice_id) = (entry.r#type().spelling(), &entry.number, &entry.invoice_id);
        let _ = write!(out, "{},{kind},{number},{invoice_id},{currency},{amount},{balance}\r\n", entry.on.key());
    }
    let closing = money::to_minor_units(part.closing.as_ref());
    let _ = write!(out, "{},CLOSING,,,{currency},0,{closing}\r\n", statement.to.key());
}
