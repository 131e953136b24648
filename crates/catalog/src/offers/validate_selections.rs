//! Says what a choice costs and what is wrong with it.

use pavise_kernel::{Call, Result};

use super::{read, stock};
use crate::contract::v1::{SelectionProblem, SelectionProblemKind, ValidateSelectionsRequest, ValidateSelectionsResponse};
use crate::selection::{self, Wish};

pub(super) async fn validate_selections(call: &Call, request: ValidateSelectionsRequest) -> Result<ValidateSelectionsResponse> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    if !read::may_know(call, &offer) {
        return Ok(not_for_sale());
    }
    let products = stock::products_of(call, &offer.products).await?;
    Ok(selection::validate(&offer, &products, &Wish::of(&request, call.today())))
}

/// What is prepared but not sold yet is not shown: its names and prices stay unsaid.
fn not_for_sale() -> ValidateSelectionsResponse {
    let problem = SelectionProblem {
        field: "offer_id".to_owned(),
        kind: SelectionProblemKind::OfferNotForSale.into(),
        description: "the offer cannot be bought at present".to_owned(),
    };
    ValidateSelectionsResponse { problems: vec![problem], ..ValidateSelectionsResponse::default() }
}
