//! ComposeSignInAddress: the address of an application's sign-in page.

use pavise_kernel::{Call, Result};

use super::Sessions;
use crate::contract::v1::{ComposeSignInAddressRequest, SignInAddress};

pub(crate) async fn compose_sign_in_address(
    call: &Call,
    request: ComposeSignInAddressRequest,
) -> Result<SignInAddress> {
    call.provided::<Sessions>()?.addresses.compose(&request)
}
