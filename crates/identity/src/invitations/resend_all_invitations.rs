//! Sends another letter with another code for each pending invitation.

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate as _, Call, Result};

use super::support::letter;
use crate::contract::v1::{
    Invitation, InvitationStatus, ResendAllInvitationsRequest, ResendAllInvitationsResponse, ResentInvitation,
    ResourceType,
};
use crate::shared::notices::{Channel, check_ready};
use crate::shared::tools::Tools as _;

/// How many pending invitations one call looks at.
const MOST: u32 = 50;

pub(crate) async fn resend_all_invitations(
    call: &Call,
    request: ResendAllInvitationsRequest,
) -> Result<ResendAllInvitationsResponse> {
    let service = &*call.invitations()?;
    let (invitations, more) = pending(call, &request).await?;
    check_ready(call, Channel::Email, "").await?;
    let inviter = letter::load_inviter(call, &request.identity_id).await?;
    let mut unit = call.unit();
    let mut results = Vec::new();
    for before in invitations {
        let mut result = ResentInvitation { invitation_id: before.id.clone(), ..ResentInvitation::default() };
        match letter::check_rate_limit(&before, call.now()) {
            Ok(()) => {
                let mut after = before.clone();
                letter::send_letter(service, call, &mut unit, &mut after, &inviter)?;
                unit.update(&before, after)?;
                result.resent = true;
            }
            Err(error) => {
                error.reason().clone_into(&mut result.reason);
                error.message().clone_into(&mut result.message);
            }
        }
        results.push(result);
    }
    unit.commit_answer(ResendAllInvitationsResponse { results, more }).await
}

/// The newest pending invitations that the request speaks of, and whether there are more.
async fn pending(call: &Call, request: &ResendAllInvitationsRequest) -> Result<(Vec<Invitation>, bool)> {
    let mut filter = Filter {
        owner: Some(request.identity_id.clone()).filter(|id| !id.contains('\0')),
        statuses: vec![InvitationStatus::Pending.spelling().to_owned()],
        limit: 500,
        ..Filter::default()
    };
    filter.owner.get_or_insert_default();
    let ids: Vec<String> =
        call.kernel().store().list(Invitation::TABLE, &filter).await?.into_iter().map(|row| row.id).collect();
    let mut found: Vec<Invitation> = call.find_many(&ids).await?;
    found.retain(|invitation| {
        (request.resource_type() == ResourceType::Unspecified || invitation.resource_type == request.resource_type)
            && (request.resource_id.is_empty() || invitation.resource_id == request.resource_id)
    });
    let most = usize::try_from(MOST).unwrap_or(usize::MAX);
    let more = found.len() > most;
    found.truncate(most);
    Ok((found, more))
}
