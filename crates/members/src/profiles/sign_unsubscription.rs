//! Signs the link by which the reader of a message unsubscribes.

use pavise_kernel::time::{DAY, to_timestamp};
use pavise_kernel::{Call, Result, email};

use crate::contract::v1::{SignUnsubscriptionRequest, SignUnsubscriptionResponse};

/// The purpose of such links.
pub(super) const PURPOSE: &str = "unsubscribe";
/// The days for which a link is valid.
const DAYS: i64 = 60;

pub(crate) async fn sign_unsubscription(
    call: &Call,
    request: SignUnsubscriptionRequest,
) -> Result<SignUnsubscriptionResponse> {
    let until = call.now().saturating_add(DAYS.saturating_mul(DAY));
    let address = email::fold_address(&request.email);
    let token = call.kernel().seal_link(PURPOSE, &[&address, &request.key.to_ascii_lowercase()], until);
    Ok(SignUnsubscriptionResponse { token, expires_at: Some(to_timestamp(until)) })
}
