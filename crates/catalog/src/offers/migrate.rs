//! Brings offers of the older system over. The same offer can come again, and is then replaced.

use pavise_kernel::{Aggregate as _, Call, Error, Result};

use super::stock;
use crate::contract::v1::{MigrateOfferRequest, Offer, SalesChannelKind};

pub(super) async fn migrate(call: &Call, request: MigrateOfferRequest) -> Result<Offer> {
    let status = request.status();
    let draft = request.offer.unwrap_or_default();
    stock::must_exist(call, "offer.products", &draft.products).await?;
    let fill = |offer: &mut Offer| {
        offer.redraft(draft.clone());
        offer.owner_id.clone_from(&request.owner_id);
        offer.set_status(status);
        offer.check_below("offer.")
    };
    match call.find::<Offer>(&request.id).await? {
        None => {
            let mut offer = Offer { id: request.id.clone(), brand: request.brand.clone(), ..Offer::default() };
            fill(&mut offer)?;
            call.create(offer).await
        }
        Some(known) if known.brand != request.brand => Err(Error::not_found(Offer::TABLE.noun, &request.id)),
        Some(_) => call.change::<Offer>(&request.id, fill).await,
    }
}

pub(super) async fn migrate_group(call: &Call, mut request: MigrateOfferRequest) -> Result<Offer> {
    let draft = request.offer.get_or_insert_default();
    if draft.group_ids.is_empty() {
        return Err(Error::field("offer.group_ids", "name at least one group"));
    }
    draft.set_channel(SalesChannelKind::Group);
    migrate(call, request).await
}
