//! Replacing what is bought.

use pavise_kernel::common::v1::{BillingPeriod, RegionCode};
use pavise_kernel::{Call, Error, Result};

use super::{draft, people, price};
use crate::contract::v1::{ErrorReason, Order, PutOffersRequest};
use crate::place;

pub(crate) async fn handle(call: &Call, request: PutOffersRequest) -> Result<Order> {
    let before: Order = call.get(&request.order_id).await?;
    call.permit(&before)?;
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
    let (address, locality) = place::settled("", request.address, said)?;
    if locality != RegionCode::Unspecified {
        // An address of before that is in another region is no longer where the buyer lives.
        after.address = address.or(after.address.filter(|known| known.locality() == locality));
        after.locality = locality.into();
    }
    let period = after.billing_period();
    after.offers = request.offers.into_iter().map(|choice| draft::offer(call, choice, period)).collect();
    let problems = price::price(call, &mut after).await?;
    price::sellable("offers", &problems)?;
    people::covered(&after)?;
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.answer(after).await
}
