//! Answers the rates in force on a day.

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::{Call, Result};

use super::support::day::choose_day;
use super::support::{in_force, sample};
use crate::contract::v1::{ListTaxesRequest, ListTaxesResponse};

pub(crate) async fn list_taxes(call: &Call, request: ListTaxesRequest) -> Result<ListTaxesResponse> {
    let regions = match request.locality() {
        RegionCode::Unspecified => sample::list_regions().collect(),
        one => vec![one],
    };
    let on = choose_day(call, request.on)?;
    in_force::list_in_force(call, regions, request.category(), on).await
}
