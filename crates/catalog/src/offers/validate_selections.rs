//! Prices a choice from an offer and says what is wrong with it.

use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result};

use super::support::cohorts::is_in_cohort;
use super::support::groups::resolve_group;
use super::support::products::load_products;
use crate::contract::roles;
use crate::contract::v1::{
    Offer, OfferType, SelectionProblem, SelectionProblemKind, ValidateSelectionsRequest, ValidateSelectionsResponse,
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
    let in_cohort = check_trial(call, &offer, &request.identity_id).await?;
    let offer = resolve_group(call, offer, &request.group_id).await?;
    let products = load_products(call, &offer.products).await?;
    let wish = Wish { in_cohort, ..Wish::from_request(&request, call.today()) };
    Ok(selection::validate_wish(&offer, &products, &wish))
}

/// Whether the buyer is in the cohort of an offer on trial. Staff who name no buyer get its prices, and cannot buy it.
///
/// # Errors
/// `NOT_FOUND` for a buyer who is not: for them there is no such offer.
async fn check_trial(call: &Call, offer: &Offer, identity_id: &str) -> Result<bool> {
    if offer.r#type() != OfferType::Experimental {
        return Ok(false);
    }
    // A member reads an offer on trial only if the cohort admits them.
    if call.has_role(roles::MEMBER) {
        return Ok(true);
    }
    if identity_id.is_empty() && call.has_role(roles::STAFF) {
        return Ok(false);
    }
    if is_in_cohort(call, offer, identity_id).await? { Ok(true) } else { Err(Error::not_found("offer", &offer.id)) }
}

/// Whether the brand has the offer, but the caller may not see it. An offer on trial does not exist for others.
async fn is_hidden(call: &Call, request: &ValidateSelectionsRequest) -> Result<bool> {
    let offer = call.find_unscoped::<Offer>(&request.offer_id).await?;
    Ok(offer.is_some_and(|offer| offer.brand == request.brand && offer.r#type() != OfferType::Experimental))
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
