//! A change of a subscription at a time that a call names.

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::{Call, Error, Result};

use super::change_plan::{billing_key_of, build_bill_with, check_expected, plan_change};
use super::change_settlement::{begin_change, settle_change};
use super::change_start::{ChangeStart, check_none_in_progress, find_start};
use crate::contract::actions::subscription as actions;
use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::{
    ChangeTime, DeclineReason, ErrorReason, Invoice, InvoiceStatus, Subscription, SubscriptionChange,
};
use crate::invoices::support::charge::declined_error;
use crate::invoices::support::choice::choose_method;
use crate::shared::retry::retry_contention;

/// When a change begins, and what it was shown to cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangeRequest<'r> {
    pub(crate) subscription_id: &'r str,
    pub(crate) time: ChangeTime,
    pub(crate) on: Option<Date>,
    pub(crate) expected_total: Option<Money>,
}

impl ChangeRequest<'_> {
    /// Whether the call changes the subscription at once, and its bills from the next billing day on.
    ///
    /// # Errors
    /// `INVALID_FIELD` for a day or an expected total without a time.
    pub(crate) fn is_without_time(&self) -> Result<bool> {
        if self.time != ChangeTime::Unspecified {
            return Ok(false);
        }
        if self.expected_total.is_some() || self.on.is_some() {
            return Err(Error::field("time", "is required with a day and with an expected total"));
        }
        Ok(true)
    }
}

/// Whether an earlier try of the call raised the invoice of its change.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn is_begun(call: &Call) -> Result<bool> {
    Ok(find_invoice(call, &key_of(call)).await?.is_some())
}

/// The key of the change that the call asks for: the same for each of its tries.
fn key_of(call: &Call) -> String {
    call.repeatable_id("change")
}

/// Makes the change that `complete` makes of the subscription, or lets it wait. A repeat of the call goes on with the change
/// that it began.
///
/// # Errors
/// `PRICE_CHANGED`, `SUBSCRIPTION_NOT_CHANGEABLE`, `CHANGE_IN_PROGRESS`, `PAYMENT_DECLINED`, `PAYMENT_PENDING`, or the
/// error of `complete`.
pub(crate) async fn make_change(
    call: &Call,
    request: ChangeRequest<'_>,
    complete: impl Fn(&Subscription) -> Result<SubscriptionChange> + Sync,
) -> Result<Subscription> {
    let key = key_of(call);
    if find_invoice(call, &key).await?.is_none() {
        let begun = retry_contention(call, || begin(call, request, &complete, &key)).await?;
        if call.validate_only() || find_invoice(call, &key).await?.is_none() {
            return call.answer_unchanged(begun).await;
        }
    }
    let settled = settle_change(call, request.subscription_id).await?;
    let invoice = find_invoice(call, &key).await?;
    match invoice.filter(|invoice| invoice.status() == InvoiceStatus::Voided) {
        Some(declined) => Err(find_refusal(&declined)),
        None => call.answer_unchanged(settled).await,
    }
}

/// Raises the invoice of a change that begins today, or lets one wait that begins later.
async fn begin(
    call: &Call,
    request: ChangeRequest<'_>,
    complete: &(impl Fn(&Subscription) -> Result<SubscriptionChange> + Sync),
    key: &str,
) -> Result<Subscription> {
    let before: Subscription = call.get(request.subscription_id).await?;
    call.check_transition(&before)?;
    check_none_in_progress(&before)?;
    let change = complete(&before)?;
    let start = find_start(&before, request.time, request.on, call.today())?;
    let ChangeStart::Within(on) = start else {
        let total = build_bill_with(call, &before, &change, start.day()).await?.invoice.total;
        check_expected(request.expected_total.as_ref(), &total.unwrap_or_default())?;
        return wait(call, before, change, start).await;
    };
    let plan = plan_change(call, &before, &change, on, key).await?;
    check_expected(request.expected_total.as_ref(), &plan.total())?;
    if on != call.today() {
        return wait(call, before, change, start).await;
    }
    if call.validate_only() {
        return Ok(plan.after);
    }
    if plan.invoice.status() != InvoiceStatus::Paid && choose_method(call, &plan.invoice).await?.is_none() {
        let why = "no payment method of the member can be charged now";
        return Err(Error::new(ErrorReason::SubscriptionNotChangeable, why));
    }
    begin_change(call, &before, &change, plan).await
}

/// Records a change that begins later. It takes the place of one that waited before.
async fn wait(
    call: &Call,
    before: Subscription,
    change: SubscriptionChange,
    start: ChangeStart,
) -> Result<Subscription> {
    let change = SubscriptionChange { effective_on: Some(start.day()), ..change };
    let after = Subscription { change: Some(change), ..before.clone() };
    if after == before {
        return Ok(before);
    }
    let mut unit = call.unit();
    let after = unit.update_as(&before, after, actions::CHANGE_REQUESTED)?;
    unit.commit().await?;
    Ok(after)
}

/// The invoice of the change that was asked for with the key.
async fn find_invoice(call: &Call, key: &str) -> Result<Option<Invoice>> {
    call.find_unscoped_by::<Invoice>(lookups::BILLING_KEY, &billing_key_of(key)).await
}

/// Why the payment of a change was declined.
fn find_refusal(invoice: &Invoice) -> Error {
    match invoice.payments.last() {
        Some(payment) => declined_error(payment.decline_reason().spelling(), &payment.transaction_id),
        None => declined_error(DeclineReason::NotSubmitted.spelling(), ""),
    }
}
