//! The plan that an order of supplements extends.

use pavise_kernel::common::v1::{BillingPeriod, Currency, Money};
use pavise_kernel::{Call, Error, Result};
use tonic::Code;

use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{
    GetPaymentMethodRequest, GetSubscriptionRequest, PaymentMethodType, Subscription, SubscriptionStatus,
};
use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::{Entitlement, EntitlementStatus, GetEntitlementRequest};
use crate::contract::roles;
use crate::contract::v1::{ErrorReason, OfferStatusOnOrder, Order};

/// Checks the plan of an order of supplements again. It must be in force, be billed like the order and lack the
/// supplements.
///
/// # Errors
/// `MEMBERSHIP_NOT_ACTIVE`, `OFFER_NOT_BUYABLE`.
pub(crate) async fn check_still_extends(call: &Call, order: &Order) -> Result<()> {
    let plan = load_plan(call, &order.owner_id, &order.entitlement_id).await?;
    if let Some(billed) = load_billing(call, &plan).await?
        && (billed.period, billed.currency) != (order.billing_period(), order.currency())
    {
        let (period, currency) = (billed.period.spelling(), billed.currency.spelling());
        let message = format!("the plan is billed {period} in {currency} by now; make a new order");
        return Err(Error::new(ErrorReason::OfferNotBuyable, message));
    }
    let added = order
        .offers
        .iter()
        .filter(|offer| offer.status() != OfferStatusOnOrder::Funded)
        .flat_map(|offer| &offer.selections);
    if added.flat_map(|chosen| &chosen.supplement_ids).any(|id| plan.supplement_ids.contains(id)) {
        return Err(Error::new(
            ErrorReason::OfferNotBuyable,
            "a supplement has become part of the plan in the meantime",
        ));
    }
    Ok(())
}

/// Loads the plan of a member, to which supplements are added.
///
/// # Errors
/// `INVALID_FIELD` for an entitlement of somebody else, `MEMBERSHIP_NOT_ACTIVE`.
pub(crate) async fn load_plan(call: &Call, identity_id: &str, entitlement_id: &str) -> Result<Entitlement> {
    let mut fulfillment = EntitlementServiceClient::new(call.peer_channel("fulfillment"));
    let wanted =
        GetEntitlementRequest { identity_id: identity_id.to_owned(), entitlement_id: entitlement_id.to_owned() };
    let plan = match fulfillment.get_entitlement(call.peer_request(wanted, "plan")).await {
        Ok(plan) => plan.into_inner(),
        Err(status) if status.code() == Code::NotFound => {
            return Err(Error::field("entitlement_id", "is no entitlement of the member"));
        }
        Err(status) => return Err(status.into()),
    };
    if plan.status() != EntitlementStatus::Active {
        let status = plan.status().spelling();
        return Err(
            Error::new(ErrorReason::MembershipNotActive, format!("the entitlement is {status}")).with("status", status)
        );
    }
    Ok(plan)
}

/// The billing of a plan. Supplements are billed with their plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlanBilling {
    pub(crate) period: BillingPeriod,
    pub(crate) currency: Currency,
}

/// Loads the billing of a plan; `None` for a plan that does not renew.
///
/// # Errors
/// `MEMBERSHIP_NOT_ACTIVE` when its subscription has ended, `PAYMENT_METHOD_NOT_USABLE` for a member whose employer pays.
pub(crate) async fn load_billing(call: &Call, plan: &Entitlement) -> Result<Option<PlanBilling>> {
    if plan.subscription_id.is_empty() {
        return Ok(None);
    }
    let wanted =
        GetSubscriptionRequest { identity_id: plan.owner_id.clone(), subscription_id: plan.subscription_id.clone() };
    let mut subscriptions = SubscriptionServiceClient::new(call.peer_channel("billing"));
    let subscription = match subscriptions.get_subscription(call.peer_request(wanted, "subscription")).await {
        Ok(subscription) => subscription.into_inner(),
        Err(status) if status.code() == Code::NotFound => return Ok(None),
        Err(status) => return Err(status.into()),
    };
    if subscription.status() == SubscriptionStatus::Cancelled {
        let refused = Error::new(ErrorReason::MembershipNotActive, "the plan's subscription is CANCELLED");
        return Err(refused.with("status", "CANCELLED"));
    }
    if call.has_role(roles::MEMBER) && is_paid_by_employer(call, &subscription).await? {
        let why = "an employer pays for the plan; ask its administrator for the supplement";
        return Err(Error::new(ErrorReason::PaymentMethodNotUsable, why));
    }
    let currency = subscription.items.iter().find_map(|item| item.price.as_ref()).map(Money::currency);
    Ok(currency.map(|currency| PlanBilling { period: subscription.billing_period(), currency }))
}

/// Whether an employer group is billed for the subscription.
async fn is_paid_by_employer(call: &Call, subscription: &Subscription) -> Result<bool> {
    if subscription.payment_method_id.is_empty() {
        return Ok(false);
    }
    let wanted = GetPaymentMethodRequest {
        identity_id: subscription.owner_id.clone(),
        payment_method_id: subscription.payment_method_id.clone(),
    };
    let mut methods = PaymentMethodServiceClient::new(call.peer_channel("billing"));
    match methods.get_payment_method(call.peer_request(wanted, "plan's payment method")).await {
        Ok(method) => Ok(method.into_inner().r#type() == PaymentMethodType::PremiumBilling),
        Err(status) if status.code() == Code::NotFound => Ok(false),
        Err(status) => Err(status.into()),
    }
}
