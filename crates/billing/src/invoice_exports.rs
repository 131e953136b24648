//! Exports of invoices as files.

mod create_invoice_export;
mod download_invoice_export;
pub(crate) mod support;

pub(crate) use download_invoice_export::download_invoice_export;
