//! Invoices: one file per call with behaviour, and the sums in [`ledger`].

mod charge;
mod close;
mod create;
mod items;
mod ledger;
mod owner;
mod pay;
mod refund;
mod settle;

use pavise_kernel::{Call, Result};

use crate::contract::v1::{
    AddInvoiceItemRequest, ChangeInvoiceOwnerRequest, CreateInvoiceRequest, ForgiveInvoiceRequest, Invoice, PayInvoiceRequest,
    RefundInvoiceRequest, RegisterInvoiceItemTaxRequest, RemoveInvoiceItemRequest, SettleInvoiceRequest,
    UpdateInvoicePaymentMethodRequest, VoidInvoiceRequest,
};
pub(crate) use ledger::in_progress;

pub(crate) async fn create_invoice(call: &Call, request: CreateInvoiceRequest) -> Result<Invoice> {
    create::create(call, request).await
}

pub(crate) async fn pay_invoice(call: &Call, request: PayInvoiceRequest) -> Result<Invoice> {
    pay::pay(call, &request).await
}

pub(crate) async fn refund_invoice(call: &Call, request: RefundInvoiceRequest) -> Result<Invoice> {
    refund::refund(call, &request).await
}

pub(crate) async fn settle_invoice(call: &Call, request: SettleInvoiceRequest) -> Result<Invoice> {
    settle::settle(call, &request.invoice_id).await
}

pub(crate) async fn forgive_invoice(call: &Call, request: ForgiveInvoiceRequest) -> Result<Invoice> {
    close::forgive(call, &request).await
}

pub(crate) async fn void_invoice(call: &Call, request: VoidInvoiceRequest) -> Result<Invoice> {
    close::void(call, &request.invoice_id).await
}

pub(crate) async fn add_invoice_item(call: &Call, request: AddInvoiceItemRequest) -> Result<Invoice> {
    items::add(call, request).await
}

pub(crate) async fn remove_invoice_item(call: &Call, request: RemoveInvoiceItemRequest) -> Result<Invoice> {
    items::remove(call, &request).await
}

pub(crate) async fn register_invoice_item_tax(call: &Call, request: RegisterInvoiceItemTaxRequest) -> Result<Invoice> {
    items::register_tax(call, &request).await
}

pub(crate) async fn update_invoice_payment_method(call: &Call, request: UpdateInvoicePaymentMethodRequest) -> Result<Invoice> {
    owner::payment_method(call, &request).await
}

pub(crate) async fn change_invoice_owner(call: &Call, request: ChangeInvoiceOwnerRequest) -> Result<Invoice> {
    owner::change(call, &request).await
}
