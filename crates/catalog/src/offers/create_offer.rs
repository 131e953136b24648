//! Makes an offer.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::groups::check_groups;
use super::support::products::check_products;
use crate::contract::v1::{CreateOfferRequest, Offer};

impl CheckRequest<CreateOfferRequest> for Offer {
    async fn check_request(call: &Call, _offer: Option<&Self>, request: &CreateOfferRequest) -> Result<()> {
        let Some(draft) = &request.offer else { return Ok(()) };
        check_products(call, "offer.products", &draft.products).await?;
        check_groups(call, &[], &draft.group_ids).await
    }
}

impl Edit<CreateOfferRequest> for Offer {
    fn edit(&mut self, request: &CreateOfferRequest, _context: &EditContext) -> Result<()> {
        self.id.clone_from(&request.id);
        self.owner_id.clone_from(&request.owner_id);
        self.replace_content(request.offer.clone().unwrap_or_default());
        self.check_below("offer.")
    }
}
