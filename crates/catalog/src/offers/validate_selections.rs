//! Prices a choice from an offer and says what is wrong with it.

use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use super::support::products::load_products;
use crate::contract::groups::group_service_client::GroupServiceClient;
use crate::contract::groups::{GetGroupRequest, Group, GroupStatus};
use crate::contract::v1::{
    Offer, SelectionProblem, SelectionProblemKind, ValidateSelectionsRequest, ValidateSelectionsResponse,
};
use crate::shared::selection;
use crate::shared::selection::Wish;

pub(crate) async fn validate_selections(
    call: &Call,
    request: ValidateSelectionsRequest,
) -> Result<ValidateSelectionsResponse> {
    let offer: Offer = match call.get(&request.offer_id).await {
        Err(error) if error.is(Common::NotFound) && is_hidden(call, &request).await? => return Ok(refuse_sale()),
        found => found?,
    };
    let offer = add_group(call, offer, &request.group_id).await?;
    let products = load_products(call, &offer.products).await?;
    Ok(selection::validate_wish(&offer, &products, &Wish::from_request(&request, call.today())))
}

/// Adds the group to those through which the offer is sold, if the group sells it.
async fn add_group(call: &Call, mut offer: Offer, group_id: &str) -> Result<Offer> {
    if group_id.is_empty() || offer.group_ids.iter().any(|group| group == group_id) {
        return Ok(offer);
    }
    let ask = GetGroupRequest { group_id: group_id.to_owned() };
    let mut groups = GroupServiceClient::new(call.peer_channel("groups"));
    match groups.get_group(Request::new(ask)).await.map_err(Error::from) {
        Ok(group) if is_sold_through(group.get_ref(), &offer.id) => offer.group_ids.push(group_id.to_owned()),
        Err(error) if !error.is(Common::NotFound) => return Err(error),
        _ => {}
    }
    Ok(offer)
}

fn is_sold_through(group: &Group, offer_id: &str) -> bool {
    group.status() == GroupStatus::Active && group.offer_ids.iter().any(|id| id == offer_id)
}

/// Whether the brand has the offer, but the caller may not see it.
async fn is_hidden(call: &Call, request: &ValidateSelectionsRequest) -> Result<bool> {
    Ok(call.find_unscoped::<Offer>(&request.offer_id).await?.is_some_and(|offer| offer.brand == request.brand))
}

/// The answer for a hidden offer. It has no names and no prices: the offer is not published yet.
fn refuse_sale() -> ValidateSelectionsResponse {
    let problem = SelectionProblem {
        field: "offer_id".to_owned(),
        kind: SelectionProblemKind::OfferNotForSale.into(),
        description: "the offer cannot be bought at present".to_owned(),
    };
    ValidateSelectionsResponse { problems: vec![problem], ..ValidateSelectionsResponse::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_sells_its_offers_while_it_is_active() {
        let group = |status: GroupStatus| Group {
            status: status.into(),
            offer_ids: vec!["one".to_owned()],
            ..Group::default()
        };
        assert!(is_sold_through(&group(GroupStatus::Active), "one"));
        assert!(!is_sold_through(&group(GroupStatus::Active), "two"));
        assert!(!is_sold_through(&group(GroupStatus::Cancelled), "one"));
        assert!(!is_sold_through(&group(GroupStatus::Pending), "one"));
    }
}
