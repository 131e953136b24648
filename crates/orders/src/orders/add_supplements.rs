//! An order of supplements to a plan that the member already has.

use pavise_kernel::common::v1::{Locale, RegionCode};
use pavise_kernel::{Call, Error, Result};
use tonic::Code;

use super::{draft, price};
use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::{Entitlement, EntitlementStatus, GetEntitlementRequest};
use crate::contract::v1::*;
use crate::place;

pub(crate) async fn handle(call: &Call, request: AddSupplementsRequest) -> Result<Order> {
    let plan = plan(call, &request.identity_id, &request.entitlement_id).await?;
    let mut order = order(call, request, &plan)?;
    let problems = price::price(call, &mut order).await?;
    price::sellable("offers", &problems)?;
    call.create(order).await
}

/// Whether the plan that an order of supplements extends is still in force and still lacks them.
///
/// # Errors
/// `MEMBERSHIP_NOT_ACTIVE`, `OFFER_NOT_BUYABLE`.
pub(crate) async fn still_extends(call: &Call, order: &Order) -> Result<()> {
    let plan = plan(call, &order.owner_id, &order.entitlement_id).await?;
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

fn order(call: &Call, request: AddSupplementsRequest, plan: &Entitlement) -> Result<Order> {
    if let Some(at) = request.supplement_ids.iter().position(|id| plan.supplement_ids.contains(id)) {
        return Err(Error::field(format!("supplement_ids[{at}]"), "is part of the plan already"));
    }
    let said = |locale: Locale, plan: Locale| if locale == Locale::Unspecified { draft::locale(plan) } else { locale };
    let locale = said(request.locale(), plan.market_locale());
    let billing_period = draft::monthly(request.billing_period());
    let currency = if request.currency == 0 { draft::currency(locale).into() } else { request.currency };
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
        currency,
        billing_period: billing_period.into(),
        locality: locality.into(),
        address,
        offers: vec![offer],
        entitlement_id: request.entitlement_id,
        ..Order::default()
    })
}
