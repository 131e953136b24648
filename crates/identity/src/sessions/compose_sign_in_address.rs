//! Composes the address of an application's sign-in page.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ComposeSignInAddressRequest, SignInAddress};
use crate::shared::tools::Tools as _;

pub(crate) async fn compose_sign_in_address(
    call: &Call,
    request: ComposeSignInAddressRequest,
) -> Result<SignInAddress> {
    call.sessions()?.addresses.compose_address(&request)
}
