//! Adds a product to a map.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::parts::{check_parts, fill_ids, load_offer};
use crate::contract::v1::{AddMapProductRequest, OfferMap};

impl CheckRequest<AddMapProductRequest> for OfferMap {
    async fn check_request(call: &Call, map: Option<&Self>, request: &AddMapProductRequest) -> Result<()> {
        let map = map.ok_or_else(|| Error::internal("there is no map to edit"))?;
        let offer = load_offer(call, &map.brand, &map.offer_id).await?;
        check_parts(call, &offer, request.product.as_slice(), |_| "product".to_owned()).await
    }
}

impl Edit<AddMapProductRequest> for OfferMap {
    /// The contract has put the product into the map.
    fn edit(&mut self, _request: &AddMapProductRequest, context: &EditContext) -> Result<()> {
        self.products.iter_mut().for_each(|product| fill_ids(product, context));
        Ok(())
    }
}
