//! The benefits that a benefit cohort gives.

use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::catalog::benefit_service_client::BenefitServiceClient;
use crate::contract::catalog::{BenefitStatus, GetBenefitsByIdListRequest};

/// Refuses benefits that the catalog does not have, or that are not ACTIVE. All are looked up at once.
///
/// # Errors
/// `INVALID_FIELD` with the places of all such benefits.
pub(crate) async fn check_active_benefits(call: &Call, ids: &[String]) -> Result<()> {
    let mut catalog = BenefitServiceClient::new(call.peer_channel("catalog"));
    let request = GetBenefitsByIdListRequest { ids: ids.to_vec() };
    let found = catalog.get_benefits_by_id_list(Request::new(request)).await?.into_inner().benefits;
    let violations = ids.iter().enumerate().filter_map(|(at, id)| {
        let why = match found.iter().find(|benefit| benefit.id == *id) {
            None => "there is no such benefit".to_owned(),
            Some(benefit) if benefit.status() == BenefitStatus::Active => return None,
            Some(benefit) => format!("the benefit is {}: only an ACTIVE one is given", benefit.status().spelling()),
        };
        Some((format!("benefit_ids[{at}]"), why))
    });
    let mut violations = violations.collect::<Vec<_>>().into_iter();
    let Some((field, why)) = violations.next() else { return Ok(()) };
    Err(violations.fold(Error::field(field, why), |error, (field, why)| error.violation(field, why)))
}
