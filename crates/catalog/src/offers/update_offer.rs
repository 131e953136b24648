//! Replaces the content of an offer.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::products::check_products;
use crate::contract::v1::{Offer, UpdateOfferRequest};

impl CheckRequest<UpdateOfferRequest> for Offer {
    async fn check_request(call: &Call, _offer: Option<&Self>, request: &UpdateOfferRequest) -> Result<()> {
        let products = request.offer.as_ref().map(|draft| draft.products.as_slice());
        check_products(call, "offer.products", products.unwrap_or_default()).await
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
