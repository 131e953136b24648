//! Replacing the people on an order.

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::{Call, Result};

use super::{people, price};
use crate::contract::v1::{Order, PutAuthorizedUsersRequest};
use crate::place;

pub(crate) async fn handle(call: &Call, request: PutAuthorizedUsersRequest) -> Result<Order> {
    let before: Order = call.get(&request.order_id).await?;
    call.permit(&before)?;
    let mut after = before.clone();
    after.authorized_users = people::named(call, "", request.authorized_users)?;
    if let Some(personal) = request.personal_info {
        after.personal_info = Some(people::personal(personal));
    }
    if let Some(business) = request.business_info {
        after.business_info = Some(people::business("", business)?);
    }
    if let (Some(address), locality) = place::settled("", request.address, RegionCode::Unspecified)? {
        after.address = Some(address);
        after.locality = locality.into();
    }
    price::still_buyable(&price::price(call, &mut after).await?)?;
    people::covered(&after)?;
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.answer(after).await
}
