//! Lists the caller's own addresses that wait for their proof, and the held change of their names.

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
        adds_usernames: claim.adds_usernames,
        removes: claim.replaces.into_iter().chain(claim.removes_usernames).collect(),
        makes_primary: claim.makes_primary,
    });
    Ok(ListUnprovedEmailsResponse { emails: emails.collect() })
}
