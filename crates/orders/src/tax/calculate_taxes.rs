//! Computes the tax of a purchase.

use pavise_kernel::{Call, Error, Result};

use super::support::day::choose_day;
use super::support::{area, calculation};
use crate::contract::v1::{CalculateTaxesRequest, TaxCalculation};

pub(crate) async fn calculate_taxes(call: &Call, request: CalculateTaxesRequest) -> Result<TaxCalculation> {
    let on = choose_day(call, request.on)?;
    let region = match &request.address {
        Some(address) => area::find_region(address.locality(), &address.postal_code)?,
        None => None,
    };
    let said = area::find_region(request.locality(), &request.postal_code)?;
    let region = match (region, said) {
        (Some(one), Some(other)) if one != other => {
            return Err(Error::field(
                "locality",
                format!("is {}, but the address is in {}", other.spelling(), one.spelling()),
            ));
        }
        (one, other) => {
            one.or(other).ok_or_else(|| Error::field("locality", "is needed, or an address, or a postal code"))?
        }
    };
    calculation::calculate_taxes_on(&area::find_area(call, region).await?, request.lines, on)
}
