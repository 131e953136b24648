//! Answers the address that a sign-in leads back to.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ResolveReturnRequest, ReturnAddress};
use crate::shared::tools::Tools as _;

pub(crate) async fn resolve_return(call: &Call, request: ResolveReturnRequest) -> Result<ReturnAddress> {
    call.sessions()?.addresses.resolve_address(&request)
}
