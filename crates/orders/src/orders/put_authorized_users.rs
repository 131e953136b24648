//! Replaces the people on an order.

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::{Call, Result};

use super::support::people::{check_covered, check_people, complete_business, complete_personal};
use super::support::place;
use super::support::price::price_order;
use super::support::problem::check_still_buyable;
use crate::contract::v1::{Order, PutAuthorizedUsersRequest};

pub(crate) async fn put_authorized_users(call: &Call, request: PutAuthorizedUsersRequest) -> Result<Order> {
    let before: Order = call.get(&request.order_id).await?;
    call.check_transition(&before)?;
    let mut after = before.clone();
    after.authorized_users = check_people(call, "", request.authorized_users)?;
    if let Some(personal) = request.personal_info {
        after.personal_info = Some(complete_personal(personal));
    }
    if let Some(business) = request.business_info {
        after.business_info = Some(complete_business(business));
    }
    if let (Some(address), locality) = place::resolve_place("", request.address, RegionCode::Unspecified)? {
        after.address = Some(address);
        after.locality = locality.into();
    }
    check_still_buyable(&price_order(call, &mut after).await?)?;
    check_covered(&after, call.today())?;
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.commit_answer(after).await
}
