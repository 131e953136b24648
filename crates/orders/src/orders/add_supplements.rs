//! Makes and prices an order of supplements to a plan that the member has.

use pavise_kernel::common::v1::{BillingPeriod, BillingProvider, Currency, Locale, RegionCode};
use pavise_kernel::{Call, Error, Result};

use super::support::draft;
use super::support::place;
use super::support::plan::{PlanBilling, load_billing, load_plan};
use super::support::price::price_order;
use super::support::problem::check_sellable;
use crate::contract::fulfillment::Entitlement;
use crate::contract::v1::*;

pub(crate) async fn add_supplements(call: &Call, request: AddSupplementsRequest) -> Result<Order> {
    let plan = load_plan(call, &request.identity_id, &request.entitlement_id).await?;
    let billed = load_billing(call, &plan).await?;
    let mut order = build_order(call, request, &plan, billed.as_ref())?;
    let problems = price_order(call, &mut order).await?;
    check_sellable("offers", &problems)?;
    call.create(order).await
}

fn build_order(
    call: &Call,
    request: AddSupplementsRequest,
    plan: &Entitlement,
    billed: Option<&PlanBilling>,
) -> Result<Order> {
    if let Some(at) = request.supplement_ids.iter().position(|id| plan.supplement_ids.contains(id)) {
        return Err(Error::field(format!("supplement_ids[{at}]"), "is part of the plan already"));
    }
    let locale = match request.locale() {
        Locale::Unspecified => draft::locale_or_default(plan.market_locale()),
        said => said,
    };
    let (billing_period, currency) = choose_billing(&request, billed, locale)?;
    let region = request.locality();
    let (address, locality) = place::resolve_place("", request.address, region)?;
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

/// The billing period and currency of the supplements: those of the plan, if it renews.
fn choose_billing(
    request: &AddSupplementsRequest,
    billed: Option<&PlanBilling>,
    locale: Locale,
) -> Result<(BillingPeriod, Currency)> {
    let Some(plan) = billed else {
        let currency = if request.currency == 0 { draft::currency_from_locale(locale) } else { request.currency() };
        return Ok((draft::billing_period_or_monthly(request.billing_period()), currency));
    };
    if request.billing_period != 0 && request.billing_period() != plan.period {
        return Err(Error::field("billing_period", format!("the plan is billed {}", plan.period.spelling())));
    }
    if request.currency != 0 && request.currency() != plan.currency {
        return Err(Error::field("currency", format!("the plan is billed in {}", plan.currency.spelling())));
    }
    Ok((plan.period, plan.currency))
}
