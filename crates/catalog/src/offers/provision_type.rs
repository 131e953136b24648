//! Changes when a product of an offer is set up. That is no change of what is sold, so the offer stays for sale.

use pavise_kernel::common::v1::ProvisionType;
use pavise_kernel::{Call, Result};

use super::products::offered;
use super::stock;
use crate::contract::v1::{Offer, ProvisionImmediatelyRequest, ProvisionOnFirstUseRequest};

pub(super) async fn on_first_use(call: &Call, request: ProvisionOnFirstUseRequest) -> Result<Offer> {
    set(call, &request.brand, &request.offer_id, &request.product_id, ProvisionType::OnFirstUse).await
}

pub(super) async fn immediately(call: &Call, request: ProvisionImmediatelyRequest) -> Result<Offer> {
    set(call, &request.brand, &request.offer_id, &request.product_id, ProvisionType::Immediate).await
}

async fn set(call: &Call, brand: &str, offer_id: &str, product_id: &str, to: ProvisionType) -> Result<Offer> {
    let offer = stock::find(call, brand, offer_id).await?;
    call.change::<Offer>(&offer.id, |offer| {
        offered(offer, product_id)?.set_provision_type(to);
        Ok(())
    })
    .await
}
