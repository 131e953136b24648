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

use crate::Config;
use crate::contract::PaymentMethodHandler;
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

/// The service.
#[derive(Debug)]
pub(crate) struct PaymentMethods {
    vendors: Vendors,
}

impl PaymentMethods {
    /// With the vendors of the settings.
    pub(crate) fn new(config: &Config) -> Self {
        Self { vendors: Vendors::new(config) }
    }
}

impl PaymentMethodHandler for PaymentMethods {
    async fn create_payment_method(&self, call: &Call, request: CreatePaymentMethodRequest) -> Result<PaymentMethod> {
        create::for_member(call, request.payment_method.unwrap_or_default()).await
    }

    async fn create_group_payment_method(&self, call: &Call, request: CreateGroupPaymentMethodRequest) -> Result<PaymentMethod> {
        create::by_group(call, request.payment_method.unwrap_or_default(), request.group_id).await
    }

    async fn create_anonymous_payment_method(
        &self,
        call: &Call,
        request: CreateAnonymousPaymentMethodRequest,
    ) -> Result<PaymentMethod> {
        create::for_nobody(call, request.payment_method.unwrap_or_default()).await
    }

    async fn list_payment_methods(&self, call: &Call, request: ListPaymentMethodsRequest) -> Result<ListPaymentMethodsResponse> {
        list::of_member(call, &request).await
    }

    async fn list_group_payment_methods(
        &self,
        call: &Call,
        request: ListGroupPaymentMethodsRequest,
    ) -> Result<ListPaymentMethodsResponse> {
        list::of_group(call, &request).await
    }

    async fn update_payment_method(&self, call: &Call, request: UpdatePaymentMethodRequest) -> Result<PaymentMethod> {
        update::update(call, &request).await
    }

    async fn delete_payment_method(&self, call: &Call, request: DeletePaymentMethodRequest) -> Result<PaymentMethod> {
        delete::delete(call, &request.payment_method_id).await
    }

    async fn delete_payment_method_by_impersonator(
        &self,
        call: &Call,
        request: DeletePaymentMethodByImpersonatorRequest,
    ) -> Result<PaymentMethod> {
        delete::by_impersonator(call, &request.payment_method_id).await
    }

    async fn update_card_payment_details(&self, call: &Call, request: UpdateCardPaymentDetailsRequest) -> Result<PaymentMethod> {
        details::card(call, &request).await
    }

    async fn update_bank_account_details(&self, call: &Call, request: UpdateBankAccountDetailsRequest) -> Result<PaymentMethod> {
        details::bank_account(call, &request).await
    }

    async fn assign_payment_method_owner(&self, call: &Call, request: AssignPaymentMethodOwnerRequest) -> Result<PaymentMethod> {
        owner::assign(call, &request).await
    }

    async fn change_payment_method_owner(&self, call: &Call, request: ChangePaymentMethodOwnerRequest) -> Result<PaymentMethod> {
        owner::change(call, &request).await
    }

    async fn check_cooldown(&self, call: &Call, _request: CheckCooldownRequest) -> Result<CheckCooldownResponse> {
        cooldown::check(call).await
    }

    async fn create_charge(&self, call: &Call, request: CreateChargeRequest) -> Result<Transaction> {
        transactions::perform(&self.vendors, call, request.into()).await
    }

    async fn create_authorization(&self, call: &Call, request: CreateAuthorizationRequest) -> Result<Transaction> {
        transactions::perform(&self.vendors, call, request.into()).await
    }

    async fn create_sale(&self, call: &Call, request: CreateSaleRequest) -> Result<Transaction> {
        transactions::perform(&self.vendors, call, request.into()).await
    }

    async fn create_verification(&self, call: &Call, request: CreateVerificationRequest) -> Result<Transaction> {
        transactions::perform(&self.vendors, call, request.into()).await
    }

    async fn create_refund(&self, call: &Call, request: CreateRefundRequest) -> Result<Transaction> {
        transactions::perform(&self.vendors, call, request.into()).await
    }

    async fn record_transaction(&self, call: &Call, request: RecordTransactionRequest) -> Result<Transaction> {
        transactions::record(call, &request).await
    }

    async fn resolve_transaction(&self, call: &Call, request: ResolveTransactionRequest) -> Result<Transaction> {
        transactions::resolve(&self.vendors, call, &request.transaction_id).await
    }
}
