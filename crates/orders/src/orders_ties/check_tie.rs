//! Tells whether an identity bought through a group.

use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse};
use pavise_kernel::store::Filter;
use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Aggregate as _, Call, Error, Result};

use crate::contract::lookups::order::GROUP_ID;
use crate::contract::v1::{Order, OrderStatus};

/// The statuses of an order that was paid, at least in part.
const BOUGHT: [OrderStatus; 4] =
    [OrderStatus::Funded, OrderStatus::FullyFunded, OrderStatus::PartiallyFunded, OrderStatus::Provisioned];

pub(crate) async fn check_tie(call: &Call, request: CheckTieRequest) -> Result<CheckTieResponse> {
    if request.kind != ScopeKind::Group.spelling() {
        return Ok(CheckTieResponse::default());
    }
    let group = Order::TABLE.lookup(GROUP_ID).ok_or_else(|| Error::internal("orders have no lookup of groups"))?;
    let filter = Filter {
        owner: Some(request.identity_id),
        statuses: BOUGHT.map(|status| status.spelling().to_owned()).to_vec(),
        lookups: vec![(group, request.scope_id)],
        limit: 1,
        ..Filter::default()
    };
    let tied = !call.kernel().store().list(Order::TABLE, &filter).await?.is_empty();
    Ok(CheckTieResponse { tied, ..CheckTieResponse::default() })
}
