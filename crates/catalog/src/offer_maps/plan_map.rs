//! Answers the plan codes of a choice from an offer.

use pavise_kernel::common::v1::BillingProvider;
use pavise_kernel::time::is_real;
use pavise_kernel::{Call, Error, Page, Result};

use super::support::plan::{Planned, Purchase, plan_choice};
use crate::contract::lookups::offer_map as lookups;
use crate::contract::v1::{Offer, OfferMap, PlanMapRequest, PlanMapResponse, UnmappedReason};

pub(crate) async fn plan_map(call: &Call, request: PlanMapRequest) -> Result<PlanMapResponse> {
    if request.day.is_some_and(|day| !is_real(day)) {
        return Err(Error::field("day", "is no day of the calendar"));
    }
    let offer: Offer = call.get(&request.offer_id).await?;
    let provider = match request.billing_provider() {
        BillingProvider::Unspecified => BillingProvider::SystemI,
        said => said,
    };
    let purchase = Purchase {
        billing_period: request.billing_period(),
        region: request.locality(),
        day: request.day.unwrap_or_else(|| call.today()),
    };
    let planned = match find_map(call, &offer.id, provider).await? {
        Some(map) => plan_choice(&map.products, &request.selections, purchase),
        None => plan_nothing(&request),
    };
    Ok(PlanMapResponse { lines: planned.lines, unmapped: planned.unmapped })
}

/// The map of an offer for a provider.
async fn find_map(call: &Call, offer_id: &str, provider: BillingProvider) -> Result<Option<OfferMap>> {
    let page = Page { size: 10, token: "", filters: vec![(lookups::OFFER_ID, offer_id.to_owned())] };
    let (maps, _) = call.list_page::<OfferMap>(page).await?;
    Ok(maps.into_iter().find(|map| map.billing_provider() == provider))
}

fn plan_nothing(request: &PlanMapRequest) -> Planned {
    let mut planned = Planned::default();
    for selection in &request.selections {
        planned.add_unmapped(selection, "", UnmappedReason::NoMap);
    }
    planned
}
