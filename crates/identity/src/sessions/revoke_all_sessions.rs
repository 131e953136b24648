//! Ends every session of an identity.

use pavise_kernel::{Call, Common, Result};

use super::support::ending::revoke_all;
use crate::contract::v1::{RevokeAllSessionsRequest, RevokeAllSessionsResponse};

/// How often it is tried again because somebody else changed a session at the same time.
const ATTEMPTS: u32 = 5;

pub(crate) async fn revoke_all_sessions(
    call: &Call,
    request: RevokeAllSessionsRequest,
) -> Result<RevokeAllSessionsResponse> {
    let except = Some(call.caller().session.as_str()).filter(|_| request.except_current);
    let mut attempt = 1;
    loop {
        let mut unit = call.unit();
        let ended = revoke_all(call, &mut unit, &request.identity_id, except).await?;
        match unit.commit_answer(RevokeAllSessionsResponse { ended }).await {
            Err(error) if error.is(Common::Contention) && attempt < ATTEMPTS => attempt += 1,
            other => return other,
        }
    }
}
