//! Makes an area with the sample rates, if it does not exist.

use pavise_kernel::error::Common;
use pavise_kernel::{Call, Result};

use super::{area, sample};
use crate::contract::lookups::tax_area as lookups;
use crate::contract::v1::{SeedTaxAreaRequest, TaxArea};

pub(crate) async fn seed_tax_area(call: &Call, request: SeedTaxAreaRequest) -> Result<TaxArea> {
    let region = request.locality();
    if let Some(known) = call.find_unscoped_by::<TaxArea>(lookups::LOCALITY, region.spelling()).await? {
        return call.answer_unchanged(known).await;
    }
    match call.create(sample::make_area(region)).await {
        // Another process was faster. It made the same area.
        Err(error) if error.is(Common::AlreadyExists) => area::find_area(call, region).await,
        other => other,
    }
}
