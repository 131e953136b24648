//! Who was invited to a plan is covered when he accepts.

use pavise_kernel::common::v1::{JournalEntry, RelationType};
use pavise_kernel::time::{DAY, micros};
use pavise_kernel::worker::{self, Feed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};

use crate::contract::identity::{Invitation, InvitationStatus, ResourceType};
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{AddAuthorizedUsersRequest, EntitlementPerson};

/// Adds who accepted an invitation to a plan that says what he is to the holder: with the invitation the holder has said
/// all there is to say. Where the plan is full, or not the inviter's, the holder finds him waiting and decides.
#[derive(Debug)]
pub(crate) struct InvitationWorker;

#[async_trait]
impl Worker for InvitationWorker {
    fn name(&self) -> &'static str {
        "fulfillment.invitations"
    }

    fn feed(&self) -> Feed {
        Feed::Journal { domain: "identity", service: "invitations", path: "/pavise.identity.v1.InvitationService/ReadJournal" }
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(invitation) = worker::entity::<Invitation>(entry)? else { return Ok(()) };
        if entry.action != "ACCEPTED" || !is_recent(work, &invitation) {
            return Ok(());
        }
        let Some(add) = wanted(invitation) else { return Ok(()) };
        let mut entitlements = EntitlementServiceClient::new(work.peer("fulfillment"));
        match entitlements.add_authorized_users(work.request(add, "add")).await.map_err(Error::from) {
            Err(error) if !error.is_transient() => {
                // The entry says who and to what: neither is the log's business.
                tracing::info!(clock = entry.clock, reason = error.reason(), "who accepted an invitation waits for the holder");
                Ok(())
            }
            done => done.map(drop),
        }
    }
}

/// Whether the holder can have decided nothing else since: whom he took off again is not put back by whoever reads the
/// journal anew.
fn is_recent(work: &Work, invitation: &Invitation) -> bool {
    invitation.accepted_at.as_ref().is_some_and(|at| work.now() < micros(at).saturating_add(DAY))
}

/// Whom the invitation adds, and to which plan.
fn wanted(invitation: Invitation) -> Option<AddAuthorizedUsersRequest> {
    let invitee = invitation.invitee.as_ref()?;
    let to_plan = invitation.status() == InvitationStatus::Accepted && invitation.resource_type() == ResourceType::Entitlement;
    if !to_plan || invitee.relation_type() == RelationType::Unspecified {
        return None;
    }
    let person = EntitlementPerson {
        id: invitation.accepted_by_id,
        permission_type: invitee.relation_type,
        name: invitee.name.clone(),
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
