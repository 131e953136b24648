//! Answers the area of a place, or of a member.

use pavise_kernel::{Call, Result};

use super::support::area;
use crate::contract::v1::{GetMemberTaxAreaRequest, TaxArea};

pub(crate) async fn get_member_tax_area(call: &Call, request: GetMemberTaxAreaRequest) -> Result<TaxArea> {
    let region = match area::find_region(request.locality(), &request.postal_code)? {
        Some(region) => region,
        None => area::find_member_region(call).await?,
    };
    area::find_area(call, region).await
}
