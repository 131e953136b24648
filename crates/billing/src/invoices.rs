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

use crate::contract::InvoiceHandler;
use crate::contract::v1::{
    AddInvoiceItemRequest, ChangeInvoiceOwnerRequest, CreateInvoiceRequest, ForgiveInvoiceRequest, Invoice, PayInvoiceRequest,
    RefundInvoiceRequest, RegisterInvoiceItemTaxRequest, RemoveInvoiceItemRequest, SettleInvoiceRequest,
    UpdateInvoicePaymentMethodRequest, VoidInvoiceRequest,
};
pub(crate) use ledger::in_progress;

/// The service.
#[derive(Debug)]
pub(crate) struct Invoices;

impl InvoiceHandler for Invoices {
    async fn create_invoice(&self, call: &Call, request: CreateInvoiceRequest) -> Result<Invoice> {
        create::create(call, request).await
    }

    async fn pay_invoice(&self, call: &Call, request: PayInvoiceRequest) -> Result<Invoice> {
        pay::pay(call, &request).await
    }

    async fn refund_invoice(&self, call: &Call, request: RefundInvoiceRequest) -> Result<Invoice> {
        refund::refund(call, &request).await
    }

    async fn settle_invoice(&self, call: &Call, request: SettleInvoiceRequest) -> Result<Invoice> {
        settle::settle(call, &request.invoice_id).await
    }

    async fn forgive_invoice(&self, call: &Call, request: ForgiveInvoiceRequest) -> Result<Invoice> {
        close::forgive(call, &request).await
    }

    async fn void_invoice(&self, call: &Call, request: VoidInvoiceRequest) -> Result<Invoice> {
        close::void(call, &request.invoice_id).await
    }

    async fn add_invoice_item(&self, call: &Call, request: AddInvoiceItemRequest) -> Result<Invoice> {
        items::add(call, request).await
    }

    async fn remove_invoice_item(&self, call: &Call, request: RemoveInvoiceItemRequest) -> Result<Invoice> {
        items::remove(call, &request).await
    }

    async fn register_invoice_item_tax(&self, call: &Call, request: RegisterInvoiceItemTaxRequest) -> Result<Invoice> {
        items::register_tax(call, &request).await
    }

    async fn update_invoice_payment_method(&self, call: &Call, request: UpdateInvoicePaymentMethodRequest) -> Result<Invoice> {
        owner::payment_method(call, &request).await
    }

    async fn change_invoice_owner(&self, call: &Call, request: ChangeInvoiceOwnerRequest) -> Result<Invoice> {
        owner::change(call, &request).await
    }
}
