//! The endings of a story.

use std::time::Instant;

use anyhow::{Context as _, bail};
use pavise_billing_client::v1::invoice_service_client::InvoiceServiceClient;
use pavise_billing_client::v1::subscription_service_client::SubscriptionServiceClient;
use pavise_billing_client::v1::{CancelReason, CancelSubscriptionRequest, RefundInvoiceRequest};
use pavise_fulfillment_client::v1::entitlement_service_client::EntitlementServiceClient;
use pavise_fulfillment_client::v1::provision_service_client::ProvisionServiceClient;
use pavise_fulfillment_client::v1::{
    CancelEntitlementRequest, EntitlementStatusReason, ListProvisionsRequest, ProvisionStatus,
    SuspendEntitlementRequest,
};
use pavise_orders_client::v1::{Order, OrderStatus};

use super::{LOOK, PATIENCE, Story, paying};

/// The ending of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Ending {
    /// A member with a plan.
    Member,
    /// A member with a spouse and a child on the plan.
    Family,
    /// A member with a plan for a business.
    Business,
    /// A member with a plan from an associate.
    Associate,
    /// A member who has not bought yet.
    Open,
    /// A member with a declined card.
    Declined,
    /// A member with a stolen card, which was refused for good and is in cooldown.
    Resting,
    /// A member with a suspended entitlement.
    Suspended,
    /// A member with a cancelled plan and subscription.
    Cancelled,
    /// A member with a cancelled subscription and a running plan.
    Lapsed,
    /// A member with a refund.
    Refunded,
    /// A member who cancelled and bought again: staff must decide whether the old membership comes back.
    Returning,
    /// A member with an employer's plan that begins with its first use.
    Employee,
}

impl Ending {
    /// The ending of a member's story.
    pub(in super::super) fn of(number: u32) -> Self {
        match number {
            0 | 20 | 41 => Self::Family,
            1 | 13 | 33 => Self::Open,
            2 | 14 | 34 => Self::Declined,
            3 | 23 => Self::Suspended,
            4 | 25 => Self::Cancelled,
            6 | 24 => Self::Lapsed,
            7 | 27 => Self::Refunded,
            8 => Self::Returning,
            // Only one such member exists: a card in cooldown stays so for every member who adds it.
            10 => Self::Resting,
            11 | 32 | 51 => Self::Employee,
            17 | 29 | 48 => Self::Business,
            16 | 36 | 56 => Self::Associate,
            _ => Self::Member,
        }
    }

    /// The payment method of the story.
    pub(super) fn token(self, number: u32) -> &'static str {
        match self {
            Self::Declined => "test_4000000000000002",
            Self::Resting => "test_4000000000000004",
            _ => paying(number),
        }
    }

    /// The status to which the workers bring the order.
    pub(super) fn status(self) -> OrderStatus {
        match self {
            Self::Open => OrderStatus::Open,
            Self::Declined | Self::Resting => OrderStatus::PaymentFailed,
            Self::Employee => OrderStatus::Funded,
            _ => OrderStatus::Provisioned,
        }
    }

    /// Whether similar members can be made from its image: nothing in it concerns other members.
    pub(in super::super) fn is_common(self) -> bool {
        matches!(
            self,
            Self::Member
                | Self::Associate
                | Self::Open
                | Self::Declined
                | Self::Suspended
                | Self::Cancelled
                | Self::Lapsed
                | Self::Refunded
        )
    }
}

impl Story<'_> {
    /// Changes the entities after the purchase.
    pub(super) async fn end(&self, order: Order, method: &str) -> anyhow::Result<()> {
        match self.ending {
            Ending::Suspended => self.suspend(&order).await.context("the suspension"),
            Ending::Cancelled => self.cancel(&order).await.context("the cancellation"),
            Ending::Lapsed => self.cancel_subscriptions(&order).await.context("the cancellation"),
            Ending::Refunded => self.refund(&order).await.context("the refund"),
            Ending::Returning => {
                self.cancel(&order).await.context("the cancellation")?;
                let again = self.order("order again").await?;
                self.purchase(&again, method, "purchase again").await?;
                self.waiting(&again, ProvisionStatus::ReinstateChecked).await
            }
            Ending::Employee => self.waiting(&order, ProvisionStatus::Created).await,
            _ => Ok(()),
        }
    }

    async fn suspend(&self, order: &Order) -> anyhow::Result<()> {
        let mut entitlements = EntitlementServiceClient::new(self.work.peer_channel("fulfillment"));
        for id in order.offers.iter().flat_map(|offer| &offer.entitlement_ids) {
            let request = SuspendEntitlementRequest {
                identity_id: self.identity.clone(),
                entitlement_id: id.clone(),
                reason: EntitlementStatusReason::Payment.into(),
            };
            entitlements.suspend_entitlement(self.request(request, &format!("suspend {id}"))).await?;
        }
        Ok(())
    }

    async fn cancel(&self, order: &Order) -> anyhow::Result<()> {
        let mut entitlements = EntitlementServiceClient::new(self.work.peer_channel("fulfillment"));
        for id in order.offers.iter().flat_map(|offer| &offer.entitlement_ids) {
            let request = CancelEntitlementRequest {
                identity_id: self.identity.clone(),
                entitlement_id: id.clone(),
                reason: EntitlementStatusReason::MemberRequest.into(),
                ends_on: None,
            };
            entitlements.cancel_entitlement(self.request(request, &format!("cancel {id}"))).await?;
        }
        self.cancel_subscriptions(order).await
    }

    async fn cancel_subscriptions(&self, order: &Order) -> anyhow::Result<()> {
        let mut subscriptions = SubscriptionServiceClient::new(self.work.peer_channel("billing"));
        for id in order.offers.iter().map(|offer| &offer.subscription_id).filter(|id| !id.is_empty()) {
            let request = CancelSubscriptionRequest {
                identity_id: self.identity.clone(),
                subscription_id: id.clone(),
                reason: CancelReason::MemberRequestedCancel.into(),
                ..CancelSubscriptionRequest::default()
            };
            subscriptions.cancel_subscription(self.request(request, &format!("cancel {id}"))).await?;
        }
        Ok(())
    }

    async fn refund(&self, order: &Order) -> anyhow::Result<()> {
        let request = RefundInvoiceRequest {
            identity_id: self.identity.clone(),
            invoice_id: order.invoice_id.clone(),
            ..RefundInvoiceRequest::default()
        };
        InvoiceServiceClient::new(self.work.peer_channel("billing"))
            .refund_invoice(self.request(request, "refund"))
            .await?;
        Ok(())
    }

    /// Waits until the order's provision waits for a decision.
    async fn waiting(&self, order: &Order, status: ProvisionStatus) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            let find = ListProvisionsRequest {
                identity_id: self.identity.clone(),
                order_id: order.id.clone(),
                ..ListProvisionsRequest::default()
            };
            let found = ProvisionServiceClient::new(self.work.peer_channel("fulfillment"))
                .list_provisions(find)
                .await?
                .into_inner()
                .provisions;
            if found.iter().any(|provision| provision.status() == status) {
                return Ok(());
            }
            if began.elapsed() > PATIENCE {
                let is: Vec<&str> = found.iter().map(|provision| provision.status().spelling()).collect();
                bail!(
                    "the provision of order {} is {is:?} instead of {} after {} s",
                    order.id,
                    status.spelling(),
                    PATIENCE.as_secs()
                );
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}
