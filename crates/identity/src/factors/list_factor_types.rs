//! Lists the types of factors that people can set up.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{FactorType, ListFactorTypesRequest, ListFactorTypesResponse};
use crate::shared::notices::check_ready;

/// The types, the strongest first.
const TYPES: [FactorType; 5] =
    [FactorType::Google, FactorType::Sms, FactorType::Email, FactorType::Question, FactorType::Account];

/// Lists the types. One whose codes cannot be sent is left out.
pub(crate) async fn list_factor_types(
    call: &Call,
    _request: ListFactorTypesRequest,
) -> Result<ListFactorTypesResponse> {
    let mut types = Vec::new();
    for kind in TYPES {
        let is_ready = match kind.channel() {
            Some(channel) => check_ready(call, channel, "").await.is_ok(),
            None => true,
        };
        if is_ready {
            types.push(kind.into());
        }
    }
    Ok(ListFactorTypesResponse { types })
}
