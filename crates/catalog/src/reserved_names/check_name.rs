//! Answers whether a name can be had.

use pavise_kernel::{Call, Result};

use super::rules::find_problem;
use crate::contract::v1::{CheckNameRequest, CheckNameResponse, ReservedName};

pub(crate) async fn check_name(call: &Call, request: CheckNameRequest) -> Result<CheckNameResponse> {
    let problem = find_problem(request.space(), &request.name).unwrap_or_default().to_owned();
    let id = pavise_names::id(request.space().spelling(), &request.name);
    let taken = call.find_unscoped::<ReservedName>(&id).await?.filter(|name| !name.is_expired(call.now()));
    let (aggregate, holder) = (&request.holder_aggregate, &request.holder_id);
    let own = |name: &ReservedName| name.holder_aggregate == *aggregate && name.holder_id == *holder;
    let free = problem.is_empty() && taken.as_ref().is_none_or(own);
    Ok(CheckNameResponse { free, problem, taken })
}
