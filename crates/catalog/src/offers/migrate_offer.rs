//! Brings an offer of the older system over, or replaces the one that was brought over before.

use pavise_kernel::{Call, Result};

use super::consequences::check_trial;
use super::support::groups::check_groups;
use super::support::products::check_products;
use crate::contract::v1::{MigrateOfferRequest, Offer};

pub(crate) async fn migrate_offer(call: &Call, request: MigrateOfferRequest) -> Result<Offer> {
    let status = request.status();
    let draft = request.offer.unwrap_or_default();
    check_products(call, "offer.products", &draft.products).await?;
    let known = call.find_unscoped::<Offer>(&request.id).await?;
    let had = known.as_ref().map(|offer| offer.group_ids.as_slice());
    check_groups(call, had.unwrap_or_default(), &draft.group_ids).await?;
    let fill = |offer: &mut Offer| {
        let before = offer.clone();
        offer.replace_content(draft.clone());
        offer.owner_id.clone_from(&request.owner_id);
        offer.set_status(status);
        check_trial(Some(&before), offer)?;
        offer.check_below("offer.")
    };
    if known.is_some() {
        return call.change::<Offer>(&request.id, fill).await;
    }
    let mut offer = Offer { id: request.id.clone(), brand: request.brand.clone(), ..Offer::default() };
    fill(&mut offer)?;
    call.create(offer).await
}
