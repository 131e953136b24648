//! A plan that the buyer already has is sold again only when the request says so.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Error, Page, Result, time};

use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::{Entitlement, EntitlementStatus, ListEntitlementsRequest};
use crate::contract::v1::*;
use crate::contract::{lookups, roles};

/// The statuses of an order whose plans the buyer pays for but may not have yet.
const UNDER_WAY: [OrderStatus; 3] = [OrderStatus::Processing, OrderStatus::Funded, OrderStatus::PartiallyFunded];
/// Rows of a page.
const PAGE: i32 = 500;

/// Refuses an order of a product that the buyer has, or that another order of theirs is about to give them.
///
/// The orders are read first: an order gives its products up only after its entitlements are there, so one that ends
/// meanwhile is seen in the second read. Purchases at the same moment meet in the unique lookup `buying`.
///
/// # Errors
/// `PLAN_ALREADY_HELD`.
pub(crate) async fn check_not_held(call: &Call, order: &Order) -> Result<()> {
    let wanted: BTreeSet<&str> = list_unpaid(order).flat_map(list_products).collect();
    if let Some((other, product)) = find_order_under_way(call, order, &wanted).await? {
        let message = format!(
            "another order of {} is being paid or set up; send buy_again to buy it once more",
            product_name(order, &product)
        );
        return Err(held_error(message, &product).with("order_id", other));
    }
    let Some(plan) = find_held_plan(call, order, &wanted).await? else { return Ok(()) };
    let name = if plan.name.is_empty() { product_name(order, &plan.product_id) } else { &plan.name };
    let message = format!("the buyer already has {name}; send buy_again to buy it once more");
    Err(held_error(message, &plan.product_id).with("entitlement_id", plan.id))
}

/// The refusal of a purchase that met another one of the same plan at the commit.
pub(crate) fn already_held_error(order: &Order) -> Error {
    let product = list_unpaid(order).flat_map(list_products).next().unwrap_or_default();
    let message = format!(
        "another order of {} is being paid right now; send buy_again to buy it once more",
        product_name(order, product)
    );
    held_error(message, product)
}

/// The values of the lookup `buying`: the products that the order will give the buyer and has not given yet. A
/// PARTIALLY_FUNDED order has none: it can go to another owner and must not meet an order of theirs.
pub(crate) fn list_buying(order: &Order) -> Vec<String> {
    let kept = matches!(order.status(), OrderStatus::Processing | OrderStatus::Funded);
    if !kept || !order.entitlement_id.is_empty() {
        return Vec::new();
    }
    let products: BTreeSet<&str> = list_under_way(order).flat_map(list_products).collect();
    let of = |product: &str| {
        let key = format!("{}/{}/{product}", order.owner_id, order.group_id);
        if order.bought_again { format!("{key}/{}", order.id) } else { key }
    };
    products.into_iter().map(of).collect()
}

fn held_error(message: String, product: &str) -> Error {
    Error::new(ErrorReason::PlanAlreadyHeld, message).with("product_id", product)
}

/// The name of a product of the order, for the buyer.
fn product_name<'a>(order: &'a Order, product: &'a str) -> &'a str {
    let lines = || order.offers.iter().flat_map(|offer| &offer.lines);
    let line = lines().find(|line| line.product_id == product && line.r#type() == OrderLineType::Product);
    line.map_or(product, |line| &line.name)
}

fn list_unpaid(order: &Order) -> impl Iterator<Item = &OfferOnOrder> {
    order.offers.iter().filter(|offer| offer.status() != OfferStatusOnOrder::Funded)
}

/// The offers that are being paid, or are paid and not set up.
fn list_under_way(order: &Order) -> impl Iterator<Item = &OfferOnOrder> {
    let paying = order.status() == OrderStatus::Processing;
    order.offers.iter().filter(move |offer| match offer.status() {
        OfferStatusOnOrder::Funded => offer.entitlement_ids.is_empty(),
        OfferStatusOnOrder::Open => paying,
        OfferStatusOnOrder::PaymentFailed | OfferStatusOnOrder::Unspecified => false,
    })
}

fn list_products(offer: &OfferOnOrder) -> impl Iterator<Item = &str> {
    offer.selections.iter().map(|chosen| chosen.product_id.as_str())
}

/// Another order of the buyer that gives them one of the products: its id, and the product.
async fn find_order_under_way(call: &Call, order: &Order, wanted: &BTreeSet<&str>) -> Result<Option<(String, String)>> {
    let filters = UNDER_WAY.map(|status| (lookups::order::STATUS, status.spelling().to_owned()));
    let mut token = String::new();
    loop {
        let page = Page { size: PAGE, token: &token, filters: filters.to_vec() };
        let (others, more) = call.list_page::<Order>(page).await?;
        for other in others.iter().filter(|other| other.id != order.id && other.entitlement_id.is_empty()) {
            if let Some(product) =
                list_under_way(other).flat_map(list_products).find(|product| wanted.contains(product))
            {
                return Ok(Some((other.id.clone(), product.to_owned())));
            }
        }
        if more.is_empty() {
            return Ok(None);
        }
        token = more;
    }
}

/// A plan of the buyer with one of the products.
async fn find_held_plan(call: &Call, order: &Order, wanted: &BTreeSet<&str>) -> Result<Option<Entitlement>> {
    let mut fulfillment = EntitlementServiceClient::new(call.peer_channel("fulfillment"));
    let mut asked = ListEntitlementsRequest {
        identity_id: order.owner_id.clone(),
        // An administrator does not learn what a member has outside the group.
        group_id: if is_administrator(call, order) { order.group_id.clone() } else { String::new() },
        page_size: PAGE,
        ..ListEntitlementsRequest::default()
    };
    loop {
        let step = format!("plans after {}", asked.page_token);
        let page = fulfillment.list_entitlements(call.peer_request(asked.clone(), &step)).await?.into_inner();
        let holds = |plan: &Entitlement| {
            wanted.contains(plan.product_id.as_str()) && plan.order_id != order.id && is_in_force(plan, call.today())
        };
        if let Some(plan) = page.entitlements.into_iter().find(holds) {
            return Ok(Some(plan));
        }
        if page.next_page_token.is_empty() {
            return Ok(None);
        }
        asked.page_token = page.next_page_token;
    }
}

fn is_administrator(call: &Call, order: &Order) -> bool {
    call.has_role(roles::GROUP_ADMIN) && call.caller().identity != order.owner_id
}

/// A suspended plan is still the member's.
fn is_in_force(plan: &Entitlement, today: Date) -> bool {
    plan.status() != EntitlementStatus::Cancelled
        && plan.ends_on.is_none_or(|last| time::to_days(last) >= time::to_days(today))
}
