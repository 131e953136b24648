//! CreateInvitation: the first letter.

use pavise_kernel::call::hex;
use pavise_kernel::caller::Realm;
use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate, Call, Common, Error, Result};
use sha2::{Digest as _, Sha256};

use super::{Invitations, letter};
use crate::contract::INVITATION_TABLE;
use crate::contract::v1::{CreateInvitationRequest, ErrorReason, Identity, Invitation, Invitee};

/// How many invitations of one member are pending at most.
const MOST_PENDING: u32 = 100;

pub(super) async fn create_invitation(
    service: &Invitations,
    call: &Call,
    request: CreateInvitationRequest,
) -> Result<Invitation> {
    let owner = &request.identity_id;
    let inviter = call.find::<Identity>(owner).await?.ok_or_else(|| Error::not_found(Identity::TABLE.noun, owner))?;
    let invitee = request.invitee.clone().ok_or_else(|| Error::field("invitee", "is required"))?;
    let pending_digest = pending_digest(owner, &invitee, request.resource_type().spelling(), &request.resource_id);
    if let Some(known) = call.find_by::<Invitation>("pending_digest", &pending_digest).await? {
        let message = "this address is invited to the same thing already; send that invitation again";
        return Err(Error::new(Common::AlreadyExists, message).with("invitation_id", known.id));
    }
    if call.caller().realm == Realm::User {
        has_room(call, owner).await?;
    }
    let mut invitation = Invitation {
        owner_id: owner.clone(),
        resource_type: request.resource_type,
        resource_id: request.resource_id.clone(),
        invitee: Some(invitee),
        pending_digest: Some(pending_digest),
        ..Invitation::default()
    };
    invitation.id = call.new_id();
    let mut unit = call.unit();
    letter::send(service, call, &mut unit, &mut invitation, &inviter)?;
    let invitation = unit.create(invitation)?;
    unit.answer(invitation).await
}

/// What no two pending invitations have in common.
pub(super) fn pending_digest(owner: &str, invitee: &Invitee, resource_type: &str, resource_id: &str) -> String {
    let email = invitee.email.to_ascii_lowercase();
    hex(&Sha256::digest(format!("pending\n{owner}\n{email}\n{resource_type}\n{resource_id}")))
}

async fn has_room(call: &Call, owner: &str) -> Result<()> {
    let filter =
        Filter { owner: Some(owner.to_owned()), statuses: vec!["PENDING".to_owned()], limit: MOST_PENDING, ..Filter::default() };
    let pending = call.kernel().store().list(&INVITATION_TABLE, &filter).await?.len();
    if pending >= usize::try_from(MOST_PENDING).unwrap_or(usize::MAX) {
        let message = format!("{MOST_PENDING} of your invitations are pending; withdraw some first");
        return Err(Error::new(ErrorReason::TooManyInvitations, message));
    }
    Ok(())
}
