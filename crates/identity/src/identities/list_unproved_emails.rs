//! Lists the caller's own addresses that wait for their proof.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ListUnprovedEmailsRequest, ListUnprovedEmailsResponse, UnprovedEmail};
use crate::shared::addresses;

pub(crate) async fn list_unproved_emails(
    call: &Call,
    request: ListUnprovedEmailsRequest,
) -> Result<ListUnprovedEmailsResponse> {
    let claims = addresses::load_claims(call, &request.identity_id).await?;
    let emails = claims.into_iter().map(|claim| UnprovedEmail {
        address: claim.address,
        lapses_at: claim.expires_at,
        primary: claim.primary,
    });
    Ok(ListUnprovedEmailsResponse { emails: emails.collect() })
}
