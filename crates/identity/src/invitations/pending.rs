//! The pending invitations of an inviter, and room for another one.

use pavise_kernel::call::hex;
use pavise_kernel::store::Filter;
use pavise_kernel::{Call, Common, Error, Result};
use sha2::{Digest as _, Sha256};

use crate::contract::v1::{ErrorReason, Invitation, InvitationStatus};
use crate::contract::{INVITATION_TABLE, lookups, roles};

/// How many invitations of one member are pending at most.
const MOST_PENDING: u32 = 100;

/// Refuses an invitation that its inviter has already made, and one too many.
///
/// # Errors
/// `ALREADY_EXISTS`, `TOO_MANY_INVITATIONS`.
pub(super) async fn check_creation(call: &Call, invitation: &Invitation) -> Result<()> {
    if let Some(known) =
        call.find_unscoped_by::<Invitation>(lookups::invitation::PENDING_DIGEST, &pending_digest(invitation)).await?
    {
        let message = "this address is invited to the same thing already; send that invitation again";
        return Err(Error::new(Common::AlreadyExists, message).with("invitation_id", known.id));
    }
    if call.has_role(roles::MEMBER) { check_room(call, &invitation.owner_id).await } else { Ok(()) }
}

/// The digest that is unique among pending invitations.
pub(super) fn pending_digest(invitation: &Invitation) -> String {
    let Invitation { owner_id, resource_id, .. } = invitation;
    let (email, resource_type) = (invitation.address().to_ascii_lowercase(), invitation.resource_type().spelling());
    hex(&Sha256::digest(format!("pending\n{owner_id}\n{email}\n{resource_type}\n{resource_id}")))
}

impl Invitation {
    /// The address of its letters.
    pub(super) fn address(&self) -> &str {
        self.invitee.as_ref().map(|invitee| invitee.email.as_str()).unwrap_or_default()
    }
}

async fn check_room(call: &Call, owner: &str) -> Result<()> {
    let filter = Filter {
        owner: Some(owner.to_owned()),
        statuses: vec![InvitationStatus::Pending.spelling().to_owned()],
        limit: MOST_PENDING,
        ..Filter::default()
    };
    let pending = call.kernel().store().list(&INVITATION_TABLE, &filter).await?.len();
    if pending >= usize::try_from(MOST_PENDING).unwrap_or(usize::MAX) {
        let message = format!("{MOST_PENDING} of your invitations are pending; withdraw some first");
        return Err(Error::new(ErrorReason::TooManyInvitations, message));
    }
    Ok(())
}
