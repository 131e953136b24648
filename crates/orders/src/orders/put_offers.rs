//! Replaces the offers on an order.

use pavise_kernel::common::v1::{BillingPeriod, RegionCode};
use pavise_kernel::{Call, Error, Result};

use super::support::draft::build_offer;
use super::support::people::check_covered;
use super::support::place;
use super::support::price::price_order;
use super::support::problem::check_sellable;
use crate::contract::v1::{ErrorReason, Order, PutOffersRequest};

pub(crate) async fn put_offers(call: &Call, request: PutOffersRequest) -> Result<Order> {
    let before: Order = call.get(&request.order_id).await?;
    call.check_transition(&before)?;
    if !before.entitlement_id.is_empty() {
        return Err(Error::new(
            ErrorReason::SupplementsOnly,
            "this order adds supplements to a plan; make a new order for other offers",
        ));
    }
    let mut after = before.clone();
    if request.billing_period() != BillingPeriod::Unspecified {
        after.billing_period = request.billing_period;
    }
    let said = request.locality();
    let (address, locality) = place::resolve_place("", request.address, said)?;
    if locality != RegionCode::Unspecified {
        // A known address in another region is dropped: the buyer no longer lives there.
        after.address = address.or(after.address.filter(|known| known.locality() == locality));
        after.locality = locality.into();
    }
    let period = after.billing_period();
    after.offers = request.offers.into_iter().map(|choice| build_offer(call, choice, period)).collect();
    let problems = price_order(call, &mut after).await?;
    check_sellable("offers", &problems)?;
    check_covered(&after, call.today())?;
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.commit_answer(after).await
}
