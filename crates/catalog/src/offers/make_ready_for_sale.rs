//! Puts an offer on sale.

use pavise_kernel::{Call, Result};

use super::stock;
use crate::contract::v1::{MakeReadyForSaleRequest, Offer, OfferStatus};

pub(super) async fn make_ready_for_sale(call: &Call, request: MakeReadyForSaleRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    let products = stock::products_of(call, &offer.products).await?;
    call.change::<Offer>(&offer.id, |offer| {
        stock::must_be_sellable(offer, &products)?;
        offer.set_status(OfferStatus::AvailableForSale);
        Ok(())
    })
    .await
}
