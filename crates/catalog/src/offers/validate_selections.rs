//! Prices a choice from an offer and says what is wrong with it.

use pavise_kernel::error::Common;
use pavise_kernel::{Call, Result};

use super::support::groups::resolve_group;
use super::support::products::load_products;
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
    let offer = resolve_group(call, offer, &request.group_id).await?;
    let products = load_products(call, &offer.products).await?;
    Ok(selection::validate_wish(&offer, &products, &Wish::from_request(&request, call.today())))
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
