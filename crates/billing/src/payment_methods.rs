//! Payment methods and transactions: one file per call with behaviour.

pub(crate) mod cooldown;
pub(crate) mod create;
mod defaults;
mod delete;
mod details;
mod list;
pub(crate) mod owner;
mod update;

use pavise_kernel::{Call, Result};

use crate::contract::v1::{
    AssignPaymentMethodOwnerRequest, ChangePaymentMethodOwnerRequest, CheckCooldownRequest, CheckCooldownResponse,
    CreateAnonymousPaymentMethodRequest, CreateAuthorizationRequest, CreateChargeRequest, CreateGroupPaymentMethodRequest,
    CreatePaymentMethodRequest, CreateRefundRequest, CreateSaleRequest, CreateVerificationRequest,
    DeletePaymentMethodByImpersonatorRequest, DeletePaymentMethodRequest, ListGroupPaymentMethodsRequest,
    ListPaymentMethodsRequest, ListPaymentMethodsResponse, PaymentMethod, RecordTransactionRequest, ResolveTransactionRequest,
    Transaction, UpdateBankAccountDetailsRequest, UpdateCardPaymentDetailsRequest, UpdatePaymentMethodRequest,
};
use crate::transactions;
use crate::vendor::Vendors;

pub(crate) async fn create_payment_method(call: &Call, request: CreatePaymentMethodRequest) -> Result<PaymentMethod> {
    create::for_member(call, request.payment_method.unwrap_or_default()).await
}

pub(crate) async fn create_group_payment_method(call: &Call, request: CreateGroupPaymentMethodRequest) -> Result<PaymentMethod> {
    create::by_group(call, request.payment_method.unwrap_or_default(), request.group_id).await
}

pub(crate) async fn create_anonymous_payment_method(
    call: &Call,
    request: CreateAnonymousPaymentMethodRequest,
) -> Result<PaymentMethod> {
    create::for_nobody(call, request.payment_method.unwrap_or_default()).await
}

pub(crate) async fn list_payment_methods(call: &Call, request: ListPaymentMethodsRequest) -> Result<ListPaymentMethodsResponse> {
    list::of_member(call, &request).await
}

pub(crate) async fn list_group_payment_methods(
    call: &Call,
    request: ListGroupPaymentMethodsRequest,
) -> Result<ListPaymentMethodsResponse> {
    list::of_group(call, &request).await
}

pub(crate) async fn update_payment_method(call: &Call, request: UpdatePaymentMethodRequest) -> Result<PaymentMethod> {
    update::update(call, &request).await
}

pub(crate) async fn delete_payment_method(call: &Call, request: DeletePaymentMethodRequest) -> Result<PaymentMethod> {
    delete::delete(call, &request.payment_method_id).await
}

pub(crate) async fn delete_payment_method_by_impersonator(
    call: &Call,
    request: DeletePaymentMethodByImpersonatorRequest,
) -> Result<PaymentMethod> {
    delete::by_impersonator(call, &request.payment_method_id).await
}

pub(crate) async fn update_card_payment_details(call: &Call, request: UpdateCardPaymentDetailsRequest) -> Result<PaymentMethod> {
    details::card(call, &request).await
}

pub(crate) async fn update_bank_account_details(call: &Call, request: UpdateBankAccountDetailsRequest) -> Result<PaymentMethod> {
    details::bank_account(call, &request).await
}

pub(crate) async fn assign_payment_method_owner(call: &Call, request: AssignPaymentMethodOwnerRequest) -> Result<PaymentMethod> {
    owner::assign(call, &request).await
}

pub(crate) async fn change_payment_method_owner(call: &Call, request: ChangePaymentMethodOwnerRequest) -> Result<PaymentMethod> {
    owner::change(call, &request).await
}

pub(crate) async fn check_cooldown(call: &Call, _request: CheckCooldownRequest) -> Result<CheckCooldownResponse> {
    cooldown::check(call).await
}

pub(crate) async fn create_charge(call: &Call, request: CreateChargeRequest) -> Result<Transaction> {
    let vendors = call.provided::<Vendors>()?;
    transactions::perform(&vendors, call, request.into()).await
}

pub(crate) async fn create_authorization(call: &Call, request: CreateAuthorizationRequest) -> Result<Transaction> {
    let vendors = call.provided::<Vendors>()?;
    transactions::perform(&vendors, call, request.into()).await
}

pub(crate) async fn create_sale(call: &Call, request: CreateSaleRequest) -> Result<Transaction> {
    let vendors = call.provided::<Vendors>()?;
    transactions::perform(&vendors, call, request.into()).await
}

pub(crate) async fn create_verification(call: &Call, request: CreateVerificationRequest) -> Result<Transaction> {
    let vendors = call.provided::<Vendors>()?;
    transactions::perform(&vendors, call, request.into()).await
}

pub(crate) async fn create_refund(call: &Call, request: CreateRefundRequest) -> Result<Transaction> {
    let vendors = call.provided::<Vendors>()?;
    transactions::perform(&vendors, call, request.into()).await
}

pub(crate) async fn record_transaction(call: &Call, request: RecordTransactionRequest) -> Result<Transaction> {
    transactions::record(call, &request).await
}

pub(crate) async fn resolve_transaction(call: &Call, request: ResolveTransactionRequest) -> Result<Transaction> {
    let vendors = call.provided::<Vendors>()?;
    transactions::resolve(&vendors, call, &request.transaction_id).await
}
