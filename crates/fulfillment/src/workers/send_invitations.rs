//! `fulfillment.send_invitations`: adds a person who accepted an invitation to the plan.

use pavise_kernel::common::v1::{JournalEntry, RelationType};
use pavise_kernel::time::{DAY, to_micros};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};

use crate::contract::actions;
use crate::contract::feeds;
use crate::contract::identity::{Invitation, InvitationStatus, ResourceType};
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{AddAuthorizedUsersRequest, EntitlementPerson};

/// The worker. An invitation that names the relation to the holder says enough to add the person. If the plan is full or
/// not the inviter's, or covers the relation up to an age and nobody said the day of birth, the person waits for the holder's decision.
#[derive(Debug)]
pub(crate) struct SendInvitations;

#[async_trait]
impl Worker for SendInvitations {
    fn name(&self) -> &'static str {
        "fulfillment.send_invitations"
    }

    fn key_name(&self) -> &'static str {
        "fulfillment.invitations"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVITATIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(invitation) = worker::decode_entity::<Invitation>(entry)? else { return Ok(()) };
        if entry.action != actions::invitation::ACCEPTED || !is_recent(work, &invitation) {
            return Ok(());
        }
        let Some(add) = addition_of(invitation) else { return Ok(()) };
        let mut entitlements = EntitlementServiceClient::new(work.peer_channel("fulfillment"));
        match entitlements.add_authorized_users(work.new_request(add, "add")).await.map_err(Error::from) {
            Err(error) if !error.is_transient() => {
                // The log names no person and no plan: the journal entry does.
                tracing::info!(
                    clock = entry.clock,
                    reason = error.reason(),
                    "an accepted invitation waits for the holder"
                );
                Ok(())
            }
            done => done.map(drop),
        }
    }
}

/// Whether the acceptance is recent. A later read of the journal must not add a person whom the holder has removed since.
fn is_recent(work: &Work, invitation: &Invitation) -> bool {
    invitation.accepted_at.as_ref().is_some_and(|at| work.now() < to_micros(at).saturating_add(DAY))
}

/// The request that adds the invited person to the plan, if the invitation is to one.
fn addition_of(invitation: Invitation) -> Option<AddAuthorizedUsersRequest> {
    let invitee = invitation.invitee.as_ref()?;
    let to_plan =
        invitation.status() == InvitationStatus::Accepted && invitation.resource_type() == ResourceType::Entitlement;
    if !to_plan || invitee.relation_type() == RelationType::Unspecified {
        return None;
    }
    let person = EntitlementPerson {
        id: invitation.accepted_by_id,
        permission_type: invitee.relation_type,
        name: invitee.name.clone(),
        birth_date: invitation.birth_date,
        added_on: None,
    };
    Some(AddAuthorizedUsersRequest {
        identity_id: invitation.owner_id,
        entitlement_id: invitation.resource_id,
        authorized_users: vec![person],
        within_tier: true,
        ..Default::default()
    })
}
