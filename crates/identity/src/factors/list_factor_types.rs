//! Lists the types of factors that people can set up.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{FactorType, ListFactorTypesRequest, ListFactorTypesResponse};
use crate::shared::tools::Tools as _;

/// The types, the strongest first.
const TYPES: [FactorType; 5] =
    [FactorType::Google, FactorType::Sms, FactorType::Email, FactorType::Question, FactorType::Account];

/// Lists the types. One whose codes cannot be sent is left out.
pub(crate) async fn list_factor_types(
    call: &Call,
    _request: ListFactorTypesRequest,
) -> Result<ListFactorTypesResponse> {
    let service = call.factors()?;
    let is_ready =
        |kind: &FactorType| kind.channel().is_none_or(|channel| service.notices.check_ready(channel).is_ok());
    let types = TYPES.into_iter().filter(is_ready).map(i32::from).collect();
    Ok(ListFactorTypesResponse { types })
}
