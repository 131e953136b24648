//! Answers the area of a place.

use pavise_kernel::{Call, Error, Result};

use super::support::area;
use crate::contract::v1::{GetTaxAreaRequest, TaxArea};

pub(crate) async fn get_tax_area(call: &Call, request: GetTaxAreaRequest) -> Result<TaxArea> {
    let region = area::find_region(request.locality(), &request.postal_code)?;
    area::find_area(call, region.ok_or_else(|| Error::field("locality", "is needed, or a postal code"))?).await
}
