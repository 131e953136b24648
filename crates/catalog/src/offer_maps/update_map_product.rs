//! Replaces the plans of a product in a map.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::parts::{check_parts, fill_ids, load_offer};
use crate::contract::v1::{OfferMap, UpdateMapProductRequest};

impl CheckRequest<UpdateMapProductRequest> for OfferMap {
    async fn check_request(call: &Call, map: Option<&Self>, request: &UpdateMapProductRequest) -> Result<()> {
        let map = map.ok_or_else(|| Error::internal("there is no map to edit"))?;
        let offer = load_offer(call, &map.brand, &map.offer_id).await?;
        check_parts(call, &offer, request.product.as_slice(), |_| "product".to_owned()).await
    }
}

impl Edit<UpdateMapProductRequest> for OfferMap {
    /// The contract has put the product into the map.
    fn edit(&mut self, _request: &UpdateMapProductRequest, context: &EditContext) -> Result<()> {
        self.products.iter_mut().for_each(|product| fill_ids(product, context));
        Ok(())
    }
}
