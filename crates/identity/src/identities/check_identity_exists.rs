//! Tells whether a name is taken.

use pavise_kernel::{Call, Result};

use super::support::name::one_name;
use crate::contract::v1::{CheckIdentityExistsRequest, CheckIdentityExistsResponse, Identity};
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

pub(crate) async fn check_identity_exists(
    call: &Call,
    request: CheckIdentityExistsRequest,
) -> Result<CheckIdentityExistsResponse> {
    let service = &*call.identities()?;
    let (lookup, name) = one_name(&request.email, &request.username)?;
    if call.caller().is_anonymous() && !call.address().is_empty() {
        // A sign-up asks once or twice; a longer series of names has to wait.
        let address = Throttle::key(Kind::Address, call.address());
        service.questions.check_wait(&address, call.machine_now())?;
        service.questions.count_failure(&address, call.machine_now());
    }
    let exists = call.find_unscoped_by::<Identity>(lookup, name).await?.is_some();
    Ok(CheckIdentityExistsResponse { exists })
}
