//! Makes a map of an offer.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::parts::{check_parts, fill_ids, load_offer};
use crate::contract::v1::{CreateOfferMapRequest, OfferMap};

impl CheckRequest<CreateOfferMapRequest> for OfferMap {
    async fn check_request(call: &Call, _map: Option<&Self>, request: &CreateOfferMapRequest) -> Result<()> {
        let offer = load_offer(call, &request.brand, &request.offer_id).await?;
        check_parts(call, &offer, &request.products, |at| format!("products[{at}]")).await
    }
}

impl Edit<CreateOfferMapRequest> for OfferMap {
    fn edit(&mut self, _request: &CreateOfferMapRequest, context: &EditContext) -> Result<()> {
        self.products.iter_mut().for_each(|product| fill_ids(product, context));
        Ok(())
    }
}
