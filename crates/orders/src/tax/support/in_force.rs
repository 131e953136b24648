//! The rates in force in regions.

use pavise_kernel::common::v1::{Date, RegionCode};
use pavise_kernel::{Call, Result};

use super::{rate, sample};
use crate::contract::v1::{ListTaxesResponse, TaxArea, TaxCategory, TaxRateInForce};

/// The rates in force in regions on a day, for one category or (unspecified) for all.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn list_in_force(
    call: &Call,
    regions: Vec<RegionCode>,
    category: TaxCategory,
    on: Date,
) -> Result<ListTaxesResponse> {
    let ids: Vec<String> = regions.into_iter().map(sample::area_id).collect();
    let areas = call.find_many::<TaxArea>(&ids).await?;
    let taxes = areas.iter().flat_map(|area| {
        rate::find_in_force(area, category, on).map(|rate| TaxRateInForce {
            locality: area.locality,
            country: area.country,
            name: area.name.clone(),
            rate: Some(*rate),
        })
    });
    Ok(ListTaxesResponse { taxes: taxes.collect(), next_page_token: String::new() })
}
