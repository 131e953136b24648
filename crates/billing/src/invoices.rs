//! Invoices.
//!
//! PayInvoice, RefundInvoice and SettleInvoice read in one direction: the call, `finish`, `charge`, the ledger of
//! `payments`, the sums.

mod rules;

mod add_invoice_item;
mod change_invoice_owner;
mod collect_invoice;
mod create_invoice;
mod export_invoices;
mod forgive_invoice;
mod pay_invoice;
mod refund_invoice;
mod register_invoice_item_tax;
mod remove_invoice_item;
mod settle_invoice;
pub(crate) mod support;
mod update_invoice_payment_method;
mod void_invoice;

#[cfg(test)]
mod tests;

pub(crate) use collect_invoice::collect_invoice;
pub(crate) use export_invoices::export_invoices;
pub(crate) use pay_invoice::pay_invoice;
pub(crate) use refund_invoice::refund_invoice;
pub(crate) use settle_invoice::settle_invoice;
