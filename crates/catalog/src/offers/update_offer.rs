//! Replaces the content of an offer.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::groups::check_groups;
use super::support::products::check_products;
use crate::contract::v1::{Offer, UpdateOfferRequest};

impl CheckRequest<UpdateOfferRequest> for Offer {
    async fn check_request(call: &Call, offer: Option<&Self>, request: &UpdateOfferRequest) -> Result<()> {
        let Some(draft) = &request.offer else { return Ok(()) };
        check_products(call, "offer.products", &draft.products).await?;
        let had = offer.map(|offer| offer.group_ids.as_slice());
        check_groups(call, had.unwrap_or_default(), &draft.group_ids).await
    }
}

impl Edit<UpdateOfferRequest> for Offer {
    fn edit(&mut self, request: &UpdateOfferRequest, _context: &EditContext) -> Result<()> {
        self.revise_content(|offer| {
            offer.replace_content(request.offer.clone().unwrap_or_default());
            offer.check_below("offer.")
        })
    }
}
