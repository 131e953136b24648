//! An order of supplements to a plan that the member already has.

use std::collections::BTreeSet;

use pavise_kernel::caller::Realm;
use pavise_kernel::common::v1::{BillingPeriod, Currency, Locale, Money, RegionCode};
use pavise_kernel::{Call, Error, Result, Settle};
use prost_types::Timestamp;
use tonic::Code;

use super::{draft, held, price};
use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{
    GetPaymentMethodRequest, GetSubscriptionRequest, PaymentMethodType, Subscription, SubscriptionStatus,
};
use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::{Entitlement, EntitlementStatus, GetEntitlementRequest};
use crate::contract::v1::*;
use crate::place;

pub(crate) async fn handle(call: &Call, request: AddSupplementsRequest) -> Result<Order> {
    let plan = plan(call, &request.identity_id, &request.entitlement_id).await?;
    let billed = billed(call, &plan).await?;
    let mut order = order(call, request, &plan, billed.as_ref())?;
    let problems = price::price(call, &mut order).await?;
    price::sellable("offers", &problems)?;
    call.create(order).await
}

/// Whether the plan that an order of supplements extends is still in force, still billed like the order and still lacks
/// them.
///
/// # Errors
/// `MEMBERSHIP_NOT_ACTIVE`, `OFFER_NOT_BUYABLE`.
pub(crate) async fn still_extends(call: &Call, order: &Order) -> Result<()> {
    let plan = plan(call, &order.owner_id, &order.entitlement_id).await?;
    if let Some(billed) = billed(call, &plan).await?
        && (billed.period, billed.currency) != (order.billing_period(), order.currency())
    {
        let (period, currency) = (billed.period.spelling(), billed.currency.spelling());
        let message = format!("the plan is billed {period} in {currency} by now; make a new order");
        return Err(Error::new(ErrorReason::OfferNotBuyable, message));
    }
    let added =
        order.offers.iter().filter(|offer| offer.status() != OfferStatusOnOrder::Funded).flat_map(|offer| &offer.selections);
    if added.flat_map(|chosen| &chosen.supplement_ids).any(|id| plan.supplement_ids.contains(id)) {
        return Err(Error::new(ErrorReason::OfferNotBuyable, "a supplement has become part of the plan in the meantime"));
    }
    Ok(())
}

/// The member's plan, if supplements can be added to it.
async fn plan(call: &Call, identity_id: &str, entitlement_id: &str) -> Result<Entitlement> {
    let mut fulfillment = EntitlementServiceClient::new(call.peer("fulfillment"));
    let wanted = GetEntitlementRequest { identity_id: identity_id.to_owned(), entitlement_id: entitlement_id.to_owned() };
    let plan = match fulfillment.get_entitlement(call.peer_request(wanted, "plan")).await {
        Ok(plan) => plan.into_inner(),
        Err(status) if status.code() == Code::NotFound => {
            return Err(Error::field("entitlement_id", "is no entitlement of the member"));
        }
        Err(status) => return Err(status.into()),
    };
    if plan.status() != EntitlementStatus::Active {
        let status = plan.status().as_str_name().trim_start_matches("ENTITLEMENT_STATUS_");
        return Err(Error::new(ErrorReason::MembershipNotActive, format!("the entitlement is {status}")).with("status", status));
    }
    Ok(plan)
}

impl Settle for Order {
    /// What is paid for and not there yet is said, so that no other order is paid for the same.
    fn settle(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        let under_way = matches!(self.status(), OrderStatus::Processing | OrderStatus::Funded | OrderStatus::PartiallyFunded);
        self.adding.clear();
        if under_way && !self.entitlement_id.is_empty() {
            let supplements = self.offers.iter().flat_map(|offer| &offer.selections).flat_map(|chosen| &chosen.supplement_ids);
            let adding: BTreeSet<String> = supplements.map(|id| format!("{}/{id}", self.entitlement_id)).collect();
            self.adding = adding.into_iter().collect();
        }
        self.buying = held::buying(self);
        Ok(())
    }
}

/// How a plan is billed: what is added to it is billed with it.
struct Billed {
    period: BillingPeriod,
    currency: Currency,
}

/// How the plan is billed; nothing for one that does not renew.
///
/// # Errors
/// `MEMBERSHIP_NOT_ACTIVE` when its subscription has ended, `PAYMENT_METHOD_NOT_USABLE` for a member whose employer pays.
async fn billed(call: &Call, plan: &Entitlement) -> Result<Option<Billed>> {
    if plan.subscription_id.is_empty() {
        return Ok(None);
    }
    let wanted = GetSubscriptionRequest { identity_id: plan.owner_id.clone(), subscription_id: plan.subscription_id.clone() };
    let mut subscriptions = SubscriptionServiceClient::new(call.peer("billing"));
    let subscription = match subscriptions.get_subscription(call.peer_request(wanted, "subscription")).await {
        Ok(subscription) => subscription.into_inner(),
        Err(status) if status.code() == Code::NotFound => return Ok(None),
        Err(status) => return Err(status.into()),
    };
    if subscription.status() == SubscriptionStatus::Cancelled {
        let refused = Error::new(ErrorReason::MembershipNotActive, "the plan's subscription is CANCELLED");
        return Err(refused.with("status", "CANCELLED"));
    }
    if call.caller().realm == Realm::User && paid_by_employer(call, &subscription).await? {
        let why = "an employer pays for the plan; ask its administrator for the supplement";
        return Err(Error::new(ErrorReason::PaymentMethodNotUsable, why));
    }
    let currency = subscription.items.iter().find_map(|item| item.price.as_ref()).map(Money::currency);
    Ok(currency.map(|currency| Billed { period: subscription.billing_period(), currency }))
}

async fn paid_by_employer(call: &Call, subscription: &Subscription) -> Result<bool> {
    if subscription.payment_method_id.is_empty() {
        return Ok(false);
    }
    let wanted = GetPaymentMethodRequest {
        identity_id: subscription.owner_id.clone(),
        payment_method_id: subscription.payment_method_id.clone(),
    };
    let mut methods = PaymentMethodServiceClient::new(call.peer("billing"));
    match methods.get_payment_method(call.peer_request(wanted, "plan's payment method")).await {
        Ok(method) => Ok(method.into_inner().r#type() == PaymentMethodType::PremiumBilling),
        Err(status) if status.code() == Code::NotFound => Ok(false),
        Err(status) => Err(status.into()),
    }
}

fn order(call: &Call, request: AddSupplementsRequest, plan: &Entitlement, billed: Option<&Billed>) -> Result<Order> {
    if let Some(at) = request.supplement_ids.iter().position(|id| plan.supplement_ids.contains(id)) {
        return Err(Error::field(format!("supplement_ids[{at}]"), "is part of the plan already"));
    }
    let said = |locale: Locale, plan: Locale| if locale == Locale::Unspecified { draft::locale(plan) } else { locale };
    let locale = said(request.locale(), plan.market_locale());
    let (billing_period, currency) = billed_with(&request, billed, locale)?;
    let region = request.locality();
    let (address, locality) = place::settled("", request.address, region)?;
    let locality = if locality == RegionCode::Unspecified { plan.service_area() } else { locality };
    if locality == RegionCode::Unspecified {
        return Err(Error::field("locality", "is needed, or an address"));
    }
    let offer = OfferOnOrder {
        id: call.new_id(),
        brand: request.brand,
        offer_id: request.offer_id,
        selections: vec![Selection {
            product_id: plan.product_id.clone(),
            tier_id: plan.tier_id.clone(),
            supplement_ids: request.supplement_ids,
        }],
        billing_period: billing_period.into(),
        status: OfferStatusOnOrder::Open.into(),
        subscription_action: SubscriptionAction::Update.into(),
        held_supplement_ids: plan.supplement_ids.clone(),
        ..OfferOnOrder::default()
    };
    Ok(Order {
        owner_id: request.identity_id,
        channel: OrderChannel::AddLegalSupplement.into(),
        marketing_channel: MarketingChannel::AddLegalSupplement.into(),
        billing_provider: BillingProvider::Psx.into(),
        co_brand_partner: plan.co_brand_partner,
        source: request.source,
        locale: locale.into(),
        currency: currency.into(),
        billing_period: billing_period.into(),
        locality: locality.into(),
        address,
        offers: vec![offer],
        entitlement_id: request.entitlement_id,
        ..Order::default()
    })
}

/// How often the supplements are billed, and in which currency: as the plan is.
fn billed_with(request: &AddSupplementsRequest, billed: Option<&Billed>, locale: Locale) -> Result<(BillingPeriod, Currency)> {
    let Some(plan) = billed else {
        let currency = if request.currency == 0 { draft::currency(locale) } else { request.currency() };
        return Ok((draft::monthly(request.billing_period()), currency));
    };
    if request.billing_period != 0 && request.billing_period() != plan.period {
        return Err(Error::field("billing_period", format!("the plan is billed {}", plan.period.spelling())));
    }
    if request.currency != 0 && request.currency() != plan.currency {
        return Err(Error::field("currency", format!("the plan is billed in {}", plan.currency.spelling())));
    }
    Ok((plan.period, plan.currency))
}
