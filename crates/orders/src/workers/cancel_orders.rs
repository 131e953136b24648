//! `orders.cancel_orders`: ends the plans and the subscriptions of a cancelled order, gives all that was paid back, and records it.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::{JournalEntry, Money};
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use crate::contract::actions::order_audit as actions;
use crate::contract::billing::invoice_service_client::InvoiceServiceClient;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{
    CancelReason, CancelSubscriptionRequest, GetSubscriptionRequest, GiveBackInvoiceRequest, Invoice,
    ListInvoicesRequest, SubscriptionStatus, UnusedDays,
};
use crate::contract::feeds;
use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::{
    CancelEntitlementRequest, EntitlementStatus, EntitlementStatusReason, GetEntitlementRequest,
};
use crate::contract::v1::order_service_client::OrderServiceClient;
use crate::contract::v1::{FinishCancellationRequest, GetOrderRequest, OfferOnOrder, Order};
use crate::shared::amount;

/// The most invoices of a page.
const PAGE: i32 = 500;

/// The worker. Each step finds what is done already, so that a run that was killed is gone on with.
pub(crate) struct CancelOrders;

#[async_trait]
impl Worker for CancelOrders {
    fn name(&self) -> &'static str {
        "orders.cancel_orders"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ORDERS
    }

    /// Money may have moved.
    fn gives_up(&self) -> bool {
        false
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.removed || entry.action != actions::CANCELLED {
            return Ok(());
        }
        let Some(cancelled) = decode_entity::<Order>(entry)? else { return Ok(()) };
        // It may have another owner by now.
        let ask = GetOrderRequest { order_id: cancelled.id, ..GetOrderRequest::default() };
        let mut orders = OrderServiceClient::new(work.peer_channel("orders"));
        let order = orders.get_order(Request::new(ask)).await?.into_inner();
        if order.cancellation.as_ref().is_none_or(|one| one.finished_at.is_some()) {
            return Ok(());
        }
        // First the subscriptions, so that nothing is billed after what was paid is given back.
        let subscriptions = list_named(&order, |offer| vec![offer.subscription_id.clone()]);
        for id in &subscriptions {
            end_subscription(work, &order, id).await?;
        }
        for id in list_named(&order, |offer| offer.entitlement_ids.clone()) {
            end_plan(work, &order, &id).await?;
        }
        let mut given = GivenBack::default();
        for id in list_invoices(work, &order, &subscriptions).await? {
            given.add(&give_back(work, &id).await?);
        }
        let request = FinishCancellationRequest {
            order_id: order.id.clone(),
            refunded: Some(amount::from_minor_units(order.currency(), given.refunded)),
            credited: Some(amount::from_minor_units(order.currency(), given.credited)),
        };
        orders.finish_cancellation(work.new_request(request, "finish")).await?;
        Ok(())
    }
}

/// The amounts that went back, in minor units.
#[derive(Debug, Default, PartialEq, Eq)]
struct GivenBack {
    refunded: i64,
    credited: i64,
}

impl GivenBack {
    fn add(&mut self, invoice: &Invoice) {
        let minor = |amount: Option<&Money>| amount.map_or(0, |amount| amount.amount);
        let instead = invoice.refunds.iter().filter(|refund| !refund.credit_id.is_empty());
        let instead = instead.fold(0_i64, |sum, refund| sum.saturating_add(minor(refund.amount.as_ref())));
        self.refunded = self.refunded.saturating_add(minor(invoice.refunded_amount.as_ref()));
        self.credited = self.credited.saturating_add(instead).saturating_add(minor(invoice.returned_credit.as_ref()));
    }
}

/// The ids that the offers name, each once.
fn list_named(order: &Order, of: impl Fn(&OfferOnOrder) -> Vec<String>) -> BTreeSet<String> {
    order.offers.iter().flat_map(of).filter(|id| !id.is_empty()).collect()
}

/// Ends a subscription, unless it is over. What was paid goes back with its invoices, so that unused days give nothing.
async fn end_subscription(work: &Work, order: &Order, id: &str) -> Result<()> {
    let mut client = SubscriptionServiceClient::new(work.peer_channel("billing"));
    let ask = GetSubscriptionRequest { identity_id: order.owner_id.clone(), subscription_id: id.to_owned() };
    let now = client.get_subscription(Request::new(ask)).await?.into_inner();
    if now.status() == SubscriptionStatus::Cancelled {
        return Ok(());
    }
    let request = CancelSubscriptionRequest {
        identity_id: order.owner_id.clone(),
        subscription_id: id.to_owned(),
        reason: CancelReason::MemberRequestedCancel.into(),
        unused_days: UnusedDays::Nothing.into(),
        ..CancelSubscriptionRequest::default()
    };
    client.cancel_subscription(work.new_request(request, &format!("subscription {id}"))).await?;
    Ok(())
}

/// Ends a plan today, unless it is over.
async fn end_plan(work: &Work, order: &Order, id: &str) -> Result<()> {
    let mut client = EntitlementServiceClient::new(work.peer_channel("fulfillment"));
    let ask = GetEntitlementRequest { identity_id: order.owner_id.clone(), entitlement_id: id.to_owned() };
    let now = client.get_entitlement(Request::new(ask)).await?.into_inner();
    if now.status() == EntitlementStatus::Cancelled {
        return Ok(());
    }
    let request = CancelEntitlementRequest {
        identity_id: order.owner_id.clone(),
        entitlement_id: id.to_owned(),
        reason: EntitlementStatusReason::MemberRequest.into(),
        ..CancelEntitlementRequest::default()
    };
    client.cancel_entitlement(work.new_request(request, &format!("plan {id}"))).await?;
    Ok(())
}

/// The invoices of the order's purchases and of its subscriptions.
async fn list_invoices(work: &Work, order: &Order, subscriptions: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    let mut ids = list_named(order, |offer| vec![offer.invoice_id.clone()]);
    let mut client = InvoiceServiceClient::new(work.peer_channel("billing"));
    for subscription in subscriptions {
        let ask = ListInvoicesRequest {
            identity_id: order.owner_id.clone(),
            subscription_id: subscription.clone(),
            page_size: PAGE,
            ..ListInvoicesRequest::default()
        };
        let listed = client.list_invoices(Request::new(ask)).await?.into_inner();
        ids.extend(listed.invoices.into_iter().map(|invoice| invoice.id));
    }
    Ok(ids)
}

/// Gives back what was paid on an invoice.
///
/// # Errors
/// While the vendor has not answered: the entry is tried again.
async fn give_back(work: &Work, id: &str) -> Result<Invoice> {
    let request = GiveBackInvoiceRequest { invoice_id: id.to_owned() };
    let request = work.new_request(request, &format!("give back {id}"));
    Ok(InvoiceServiceClient::new(work.peer_channel("billing")).give_back_invoice(request).await?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::billing::InvoiceRefund;
    use pavise_kernel::common::v1::Currency;

    #[test]
    fn refunds_and_credits_are_told_apart() {
        let usd = |cents: i64| Some(amount::from_minor_units(Currency::Usd, cents));
        let refund = |cents: i64, credit: &str| InvoiceRefund {
            amount: usd(cents),
            credit_id: credit.into(),
            ..InvoiceRefund::default()
        };
        let invoice = Invoice {
            refunds: vec![refund(2000, ""), refund(300, "credit")],
            refunded_amount: usd(2000),
            returned_credit: usd(50),
            ..Invoice::default()
        };
        let mut given = GivenBack::default();
        given.add(&invoice);
        given.add(&Invoice::default());
        assert_eq!(given, GivenBack { refunded: 2000, credited: 350 });
    }
}
