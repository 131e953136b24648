//! Answers the rates in force in the region of a member.

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::{Call, Result};

use super::support::day::choose_day;
use super::support::{area, in_force};
use crate::contract::v1::{ListMemberTaxesRequest, ListTaxesResponse};

pub(crate) async fn list_member_taxes(call: &Call, request: ListMemberTaxesRequest) -> Result<ListTaxesResponse> {
    let region = match request.locality() {
        RegionCode::Unspecified => area::find_member_region(call).await?,
        one => one,
    };
    let on = choose_day(call, request.on)?;
    in_force::list_in_force(call, vec![region], request.category(), on).await
}
