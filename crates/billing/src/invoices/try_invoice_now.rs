//! Makes the next charge of the schedule at once.

use pavise_kernel::{Call, Error, Result};

use super::support::choice::choose_method;
use super::support::finish::answer_charge;
use super::support::scheduled::begin_charge;
use super::support::sums::check_at_rest;
use crate::contract::v1::{Collection, DisputeStatus, ErrorReason, Invoice, TryInvoiceNowRequest};

/// Asks one payment method: the one that the schedule would ask. A hold does not keep staff from it.
pub(crate) async fn try_invoice_now(call: &Call, request: TryInvoiceNowRequest) -> Result<Invoice> {
    let mut invoice: Invoice = call.get(&request.invoice_id).await?;
    // A repeat of the call finds the payment that it began.
    let id = call.repeatable_id("payment");
    if !has_payment(&invoice, &id) {
        call.check_transition(&invoice)?;
        check_is_collected(&invoice)?;
        check_at_rest(&invoice)?;
        let method = choose_method(call, &invoice).await?.ok_or_else(no_method_error)?;
        invoice = begin_charge(call, &invoice, &method, &id).await?;
        if call.validate_only() {
            return Ok(invoice);
        }
        if !has_payment(&invoice, &id) {
            return Err(Error::new(ErrorReason::PaymentInProgress, "the invoice was paid or changed meanwhile"));
        }
    }
    answer_charge(call, &invoice, &id).await
}

fn has_payment(invoice: &Invoice, id: &str) -> bool {
    invoice.payments.iter().any(|payment| payment.id == id)
}

/// Refuses an invoice that the schedule would not charge.
fn check_is_collected(invoice: &Invoice) -> Result<()> {
    let why = if invoice.collection() != Collection::Charge {
        "the platform does not charge this invoice by itself"
    } else if invoice.dispute_status() == DisputeStatus::Open {
        "a dispute about the invoice is open"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorReason::NotCollected, why))
}

fn no_method_error() -> Error {
    let why = "no payment method can be asked: there is none, it was refused for good, has expired or rests";
    Error::new(ErrorReason::NoMethodToAsk, why)
}
