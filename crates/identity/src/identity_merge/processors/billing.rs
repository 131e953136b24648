//! Payment methods, subscriptions and invoices, which change their owner and stay what they are.

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::worker::Work;

use super::{Handover, PAGE, Processor, every};
use crate::contract::billing::invoice_service_client::InvoiceServiceClient;
use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{
    ChangeInvoiceOwnerRequest, ChangePaymentMethodOwnerRequest, ChangeSubscriptionOwnerRequest, ListInvoicesRequest,
    ListPaymentMethodsRequest, ListSubscriptionsRequest, PaymentMethodStatus,
};

#[derive(Debug)]
pub(super) struct PaymentMethods;

#[async_trait]
impl Processor for PaymentMethods {
    fn name(&self) -> &'static str {
        "payment_methods"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        let mut ids = Vec::new();
        // Those that are not used any more go along: what was paid with them refers to them.
        for status in [PaymentMethodStatus::Active, PaymentMethodStatus::Inactive] {
            let listed = every(|page_token| async move {
                let request = ListPaymentMethodsRequest {
                    identity_id: identity.to_owned(),
                    status: status.into(),
                    page_size: PAGE,
                    page_token,
                };
                let mut client = PaymentMethodServiceClient::new(work.peer("billing"));
                let page = client.list_payment_methods(request).await?.into_inner();
                Ok((page.payment_methods.into_iter().map(|method| method.id).collect(), page.next_page_token))
            });
            ids.extend(listed.await?);
        }
        Ok(ids)
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        let request = ChangePaymentMethodOwnerRequest {
            identity_id: thing.from.to_owned(),
            payment_method_id: thing.id.to_owned(),
            new_owner_id: thing.to.to_owned(),
        };
        let request = work.request(request, &format!("payment_methods {}", thing.id));
        PaymentMethodServiceClient::new(work.peer("billing")).change_payment_method_owner(request).await?;
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct Subscriptions;

#[async_trait]
impl Processor for Subscriptions {
    fn name(&self) -> &'static str {
        "subscriptions"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        every(|page_token| async move {
            let request =
                ListSubscriptionsRequest { identity_id: identity.to_owned(), page_size: PAGE, page_token, ..Default::default() };
            let page = SubscriptionServiceClient::new(work.peer("billing")).list_subscriptions(request).await?.into_inner();
            Ok((page.subscriptions.into_iter().map(|subscription| subscription.id).collect(), page.next_page_token))
        })
        .await
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        let request = ChangeSubscriptionOwnerRequest {
            identity_id: thing.from.to_owned(),
            subscription_id: thing.id.to_owned(),
            new_owner_id: thing.to.to_owned(),
        };
        let request = work.request(request, &format!("subscriptions {}", thing.id));
        SubscriptionServiceClient::new(work.peer("billing")).change_subscription_owner(request).await?;
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct Invoices;

#[async_trait]
impl Processor for Invoices {
    fn name(&self) -> &'static str {
        "invoices"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        every(|page_token| async move {
            let request =
                ListInvoicesRequest { identity_id: identity.to_owned(), page_size: PAGE, page_token, ..Default::default() };
            let page = InvoiceServiceClient::new(work.peer("billing")).list_invoices(request).await?.into_inner();
            Ok((page.invoices.into_iter().map(|invoice| invoice.id).collect(), page.next_page_token))
        })
        .await
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        let request = ChangeInvoiceOwnerRequest {
            identity_id: thing.from.to_owned(),
            invoice_id: thing.id.to_owned(),
            new_owner_id: thing.to.to_owned(),
        };
        let request = work.request(request, &format!("invoices {}", thing.id));
        InvoiceServiceClient::new(work.peer("billing")).change_invoice_owner(request).await?;
        Ok(())
    }
}
