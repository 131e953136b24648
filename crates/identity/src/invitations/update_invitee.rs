//! UpdateInvitee: another name or language is noted; another address gets a letter of its own.

use pavise_kernel::{Call, Error, Result};

use super::{Invitations, create, letter, resend};
use crate::contract::v1::{Invitation, UpdateInviteeRequest};

pub(super) async fn update_invitee(service: &Invitations, call: &Call, request: UpdateInviteeRequest) -> Result<Invitation> {
    let invitee = request.invitee.ok_or_else(|| Error::field("invitee", "is required"))?;
    let before: Invitation = call.get(&request.invitation_id).await?;
    call.permit(&before)?;
    let address = before.invitee.as_ref().map(|invitee| invitee.email.as_str()).unwrap_or_default();
    let moves = !address.eq_ignore_ascii_case(&invitee.email);
    let mut after = Invitation { invitee: Some(invitee.clone()), ..before.clone() };
    if after == before {
        return Ok(before);
    }
    let mut unit = call.unit();
    if moves {
        letter::may_be_sent(&before, call.now())?;
        let resource = before.resource_type().spelling();
        after.pending_digest = Some(create::pending_digest(&before.owner_id, &invitee, resource, &before.resource_id));
        let inviter = resend::inviter(call, &before.owner_id).await?;
        letter::send(service, call, &mut unit, &mut after, &inviter)?;
    }
    let after = unit.update(&before, after)?;
    unit.answer(after).await
}
