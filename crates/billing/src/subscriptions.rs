//! Subscriptions: one file per call with behaviour, and the billing dates in [`cycle`].

mod activate;
mod arrears;
mod cancel;
mod create;
mod cycle;
mod days;
mod ending;
mod payment;
mod schedule;
mod terms;

use pavise_kernel::{Call, Result};

use crate::contract::v1::{
    ActivateSubscriptionRequest, AdvanceSubscriptionNextBillOnRequest, CanSubscriptionBeDeletedRequest,
    CanSubscriptionBeDeletedResponse, CancelSubscriptionRequest, CatchUpSubscriptionRequest, CreateSubscriptionRequest,
    DeleteSubscriptionRequest, EndSubscriptionRequest, ListOutstandingInvoicesRequest, ListOutstandingInvoicesResponse,
    MigrateScheduledSubscriptionCancellationRequest, PendingCancelSubscriptionRequest, RemovePendingCancelSubscriptionRequest,
    RemoveSubscriptionPaymentMethodRequest, ScheduleSubscriptionCancellationRequest, Subscription,
    UpdateSubscriptionIdempotentKeyRequest, UpdateSubscriptionNextBillOnRequest, UpdateSubscriptionOfferRequest,
    UpdateSubscriptionPaidToDateRequest, UpdateSubscriptionPaymentMethodRequest, UpdateSubscriptionRetryScheduleRequest,
    UpdateSubscriptionStartedOnRequest,
};

pub(crate) use ending::text;

pub(crate) async fn create_subscription(call: &Call, request: CreateSubscriptionRequest) -> Result<Subscription> {
    create::create(call, request).await
}

pub(crate) async fn cancel_subscription(call: &Call, request: CancelSubscriptionRequest) -> Result<Subscription> {
    cancel::cancel(call, &request).await
}

pub(crate) async fn activate_subscription(call: &Call, request: ActivateSubscriptionRequest) -> Result<Subscription> {
    activate::activate(call, &request.subscription_id).await
}

pub(crate) async fn pending_cancel_subscription(call: &Call, request: PendingCancelSubscriptionRequest) -> Result<Subscription> {
    ending::end(call, &request).await
}

pub(crate) async fn remove_pending_cancel_subscription(
    call: &Call,
    request: RemovePendingCancelSubscriptionRequest,
) -> Result<Subscription> {
    ending::keep(call, &request).await
}

pub(crate) async fn end_subscription(call: &Call, request: EndSubscriptionRequest) -> Result<Subscription> {
    ending::end_due(call, &request.subscription_id).await
}

pub(crate) async fn delete_subscription(call: &Call, request: DeleteSubscriptionRequest) -> Result<Subscription> {
    arrears::delete(call, &request.subscription_id).await
}

pub(crate) async fn can_subscription_be_deleted(
    call: &Call,
    request: CanSubscriptionBeDeletedRequest,
) -> Result<CanSubscriptionBeDeletedResponse> {
    arrears::can_be_deleted(call, &request.subscription_id).await
}

pub(crate) async fn list_outstanding_invoices(
    call: &Call,
    request: ListOutstandingInvoicesRequest,
) -> Result<ListOutstandingInvoicesResponse> {
    arrears::outstanding(call, &request.subscription_id).await
}

pub(crate) async fn catch_up_subscription(call: &Call, request: CatchUpSubscriptionRequest) -> Result<Subscription> {
    arrears::catch_up(call, &request.subscription_id).await
}

pub(crate) async fn update_subscription_offer(call: &Call, request: UpdateSubscriptionOfferRequest) -> Result<Subscription> {
    terms::offer(call, &request).await
}

pub(crate) async fn update_subscription_retry_schedule(
    call: &Call,
    request: UpdateSubscriptionRetryScheduleRequest,
) -> Result<Subscription> {
    terms::retry_schedule(call, &request).await
}

pub(crate) async fn update_subscription_idempotent_key(
    call: &Call,
    request: UpdateSubscriptionIdempotentKeyRequest,
) -> Result<Subscription> {
    terms::idempotent_key(call, &request.subscription_id).await
}

pub(crate) async fn update_subscription_payment_method(
    call: &Call,
    request: UpdateSubscriptionPaymentMethodRequest,
) -> Result<Subscription> {
    payment::update(call, &request).await
}

pub(crate) async fn remove_subscription_payment_method(
    call: &Call,
    request: RemoveSubscriptionPaymentMethodRequest,
) -> Result<Subscription> {
    payment::remove(call, &request).await
}

pub(crate) async fn update_subscription_started_on(
    call: &Call,
    request: UpdateSubscriptionStartedOnRequest,
) -> Result<Subscription> {
    days::started_on(call, &request).await
}

pub(crate) async fn update_subscription_next_bill_on(
    call: &Call,
    request: UpdateSubscriptionNextBillOnRequest,
) -> Result<Subscription> {
    days::next_bill_on(call, &request).await
}

pub(crate) async fn update_subscription_paid_to_date(
    call: &Call,
    request: UpdateSubscriptionPaidToDateRequest,
) -> Result<Subscription> {
    days::paid_to_date(call, &request).await
}

pub(crate) async fn advance_subscription_next_bill_on(
    call: &Call,
    request: AdvanceSubscriptionNextBillOnRequest,
) -> Result<Subscription> {
    days::advance(call, &request.subscription_id).await
}

pub(crate) async fn schedule_subscription_cancellation(
    call: &Call,
    request: ScheduleSubscriptionCancellationRequest,
) -> Result<Subscription> {
    schedule::set(call, &request).await
}

pub(crate) async fn migrate_scheduled_subscription_cancellation(
    call: &Call,
    request: MigrateScheduledSubscriptionCancellationRequest,
) -> Result<Subscription> {
    schedule::migrate(call, &request).await
}
