//! Takes an entitlement over from another system.

use pavise_kernel::{Call, Result};

use super::support::state_elsewhere::{overwrite_state, require_state};
use crate::contract::v1::{Entitlement, ImportEntitlementRequest};

/// Makes the entitlement in the state of the other system.
pub(crate) async fn import_entitlement(call: &Call, request: ImportEntitlementRequest) -> Result<Entitlement> {
    let state = require_state(request.state)?;
    call.create(overwrite_state(Entitlement { owner_id: call.owner().to_owned(), ..Default::default() }, state)).await
}
