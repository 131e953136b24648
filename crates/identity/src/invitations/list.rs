//! Lists of invitations: by inviter, by who accepted, by address.

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate, Call, Common, Error, Page, Result};

use crate::contract::v1::{
    IdentityType, Invitation, InvitationStatus, ListInvitationsByInviteeRequest, ListInvitationsRequest, ListInvitationsResponse,
};

/// Invitations a page when the caller does not say.
const PAGE: u32 = 50;

pub(super) async fn of_identity(call: &Call, request: ListInvitationsRequest) -> Result<ListInvitationsResponse> {
    if request.identity_type() == IdentityType::Invitee {
        return accepted_by(call, &request).await;
    }
    let filters = vec![("status", spelt(request.status()))];
    let page = Page { size: request.page_size, token: &request.page_token, filters };
    let (invitations, next_page_token) = call.page::<Invitation>(page).await?;
    Ok(ListInvitationsResponse { invitations, next_page_token })
}

pub(super) async fn by_invitee(call: &Call, request: ListInvitationsByInviteeRequest) -> Result<ListInvitationsResponse> {
    let filters = vec![("status", spelt(request.status())), ("invitee.email", request.email)];
    let page = Page { size: request.page_size, token: &request.page_token, filters };
    let (invitations, next_page_token) = call.page::<Invitation>(page).await?;
    Ok(ListInvitationsResponse { invitations, next_page_token })
}

/// What an identity accepted belongs to others, so that the list by owner does not have it.
async fn accepted_by(call: &Call, request: &ListInvitationsRequest) -> Result<ListInvitationsResponse> {
    let table = Invitation::TABLE;
    let lookup = table.lookup("accepted_by_id").ok_or_else(|| Error::internal("invitations are not found by who accepted"))?;
    let size = u32::try_from(request.page_size).ok().filter(|size| *size > 0).unwrap_or(PAGE);
    let token = &request.page_token;
    if !token.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') {
        let error = Error::new(Common::InvalidPageToken, "page_token was not made by this list");
        return Err(error.violation("page_token", "was not made by this list"));
    }
    let filter = Filter {
        statuses: [spelt(request.status())].into_iter().filter(|status| !status.is_empty()).collect(),
        lookups: vec![(lookup, request.identity_id.clone())],
        before: Some(token.clone()).filter(|token| !token.is_empty()),
        limit: size + 1,
        ..Filter::default()
    };
    if request.identity_id.contains('\0') {
        return Ok(ListInvitationsResponse::default());
    }
    let mut ids: Vec<String> = call.kernel().store().list(table, &filter).await?.into_iter().map(|row| row.id).collect();
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let more = ids.len() > size;
    ids.truncate(size);
    let next_page_token = ids.last().filter(|_| more).cloned().unwrap_or_default();
    Ok(ListInvitationsResponse { invitations: call.find_many(&ids).await?, next_page_token })
}

fn spelt(status: InvitationStatus) -> String {
    match status {
        InvitationStatus::Unspecified => String::new(),
        status => status.spelling().to_owned(),
    }
}
