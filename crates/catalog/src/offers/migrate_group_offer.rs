//! Brings an offer of employer groups over from the older system.

use pavise_kernel::{Call, Error, Result};

use super::migrate_offer::migrate_offer;
use crate::contract::v1::{MigrateOfferRequest, Offer, SalesChannelKind};

pub(crate) async fn migrate_group_offer(call: &Call, mut request: MigrateOfferRequest) -> Result<Offer> {
    let draft = request.offer.get_or_insert_default();
    if draft.group_ids.is_empty() {
        return Err(Error::field("offer.group_ids", "name at least one group"));
    }
    draft.set_channel(SalesChannelKind::Group);
    migrate_offer(call, request).await
}
