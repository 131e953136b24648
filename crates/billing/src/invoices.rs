//! Invoices.
//!
//! PayInvoice, RefundInvoice and SettleInvoice read in one direction: the call, `finish`, `charge`, the ledger of
//! `payments`, the sums.

mod consequences;
mod rules;

mod add_invoice_item;
mod change_invoice_owner;
mod collect_invoice;
mod create_invoice;
mod download_invoice_pdf;
mod download_statement;
mod end_invoice_hold;
mod export_invoices;
mod forgive_invoice;
mod get_balance;
mod get_billing_day;
mod get_statement;
mod give_back_invoice;
mod hold_invoice;
mod pay_invoice;
mod refund_invoice;
mod register_invoice_item_tax;
mod remove_invoice_item;
mod settle_invoice;
pub(crate) mod support;
mod try_invoice_now;
mod update_invoice_payment_method;
mod void_invoice;

#[cfg(test)]
mod tests;

pub(crate) use collect_invoice::collect_invoice;
pub(crate) use download_invoice_pdf::download_invoice_pdf;
pub(crate) use download_statement::download_statement;
pub(crate) use export_invoices::export_invoices;
pub(crate) use get_balance::get_balance;
pub(crate) use get_billing_day::get_billing_day;
pub(crate) use get_statement::get_statement;
pub(crate) use give_back_invoice::give_back_invoice;
pub(crate) use pay_invoice::pay_invoice;
pub(crate) use refund_invoice::refund_invoice;
pub(crate) use settle_invoice::settle_invoice;
pub(crate) use try_invoice_now::try_invoice_now;
