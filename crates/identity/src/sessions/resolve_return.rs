//! ResolveReturn: the address that a sign-in leads back to.

use pavise_kernel::{Call, Result};

use super::Sessions;
use crate::contract::v1::{ResolveReturnRequest, ReturnAddress};

pub(crate) async fn resolve_return(call: &Call, request: ResolveReturnRequest) -> Result<ReturnAddress> {
    call.provided::<Sessions>()?.addresses.resolve(&request)
}
