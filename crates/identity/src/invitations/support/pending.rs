//! The pending invitations of an inviter, and room for another one.

use pavise_kernel::hex::to_hex;
use pavise_kernel::{Call, Common, Error, Result, Unit, email};
use sha2::{Digest as _, Sha256};

use crate::contract::v1::{ErrorReason, Invitation, InvitationStatus};
use crate::contract::{lookups, roles};

/// How many invitations of one member are pending at most.
const MOST_PENDING: usize = 100;

/// Refuses an invitation that its inviter has already made, and one too many.
///
/// # Errors
/// `ALREADY_EXISTS`, `TOO_MANY_INVITATIONS`.
pub(crate) async fn check_creation(call: &Call, unit: &mut Unit<'_>, invitation: &Invitation) -> Result<()> {
    if let Some(known) =
        call.find_unscoped_by::<Invitation>(lookups::invitation::PENDING_DIGEST, &pending_digest(invitation)).await?
    {
        let message = "this address is invited to the same thing already; send that invitation again";
        return Err(Error::new(Common::AlreadyExists, message).with("invitation_id", known.id));
    }
    if call.has_role(roles::MEMBER) { check_room(unit, &invitation.owner_id).await } else { Ok(()) }
}

/// The digest that is unique among pending invitations.
pub(crate) fn pending_digest(invitation: &Invitation) -> String {
    let Invitation { owner_id, resource_id, .. } = invitation;
    let (email, resource_type) = (email::fold_address(invitation.address()), invitation.resource_type().spelling());
    to_hex(&Sha256::digest(format!("pending\n{owner_id}\n{email}\n{resource_type}\n{resource_id}")))
}

impl Invitation {
    /// The address of its letters.
    pub(crate) fn address(&self) -> &str {
        self.invitee.as_ref().map(|invitee| invitee.email.as_str()).unwrap_or_default()
    }
}

/// Refuses one too many. The commit relies on what was counted, so that two calls at once cannot both have the last
/// place.
async fn check_room(unit: &mut Unit<'_>, owner: &str) -> Result<()> {
    let invitations = unit.expects_owned::<Invitation>(owner).await?;
    let pending = invitations.iter().filter(|row| row.status == InvitationStatus::Pending.spelling()).count();
    if pending >= MOST_PENDING {
        let message = format!("{MOST_PENDING} of your invitations are pending; withdraw some first");
        return Err(Error::new(ErrorReason::TooManyInvitations, message));
    }
    Ok(())
}
