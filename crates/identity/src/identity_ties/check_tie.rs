//! Tells whether an identity exists, and belongs to a group by a role or an accepted invitation.

use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse};
use pavise_kernel::store::Filter;
use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Aggregate as _, Call, Error, Result};

use crate::contract::lookups::invitation::{ACCEPTED_BY_ID, GROUP_ID};
use crate::contract::v1::{Identity, IdentityStatus, Invitation};

/// Takes the same steps for every identity, so that its time does not tell who exists.
pub(crate) async fn check_tie(call: &Call, request: CheckTieRequest) -> Result<CheckTieResponse> {
    let identity: Option<Identity> = call.find_unscoped(&request.identity_id).await?;
    let is_group = request.kind == ScopeKind::Group.spelling();
    let invited = is_group && has_accepted(call, &request).await?;
    let identity = identity.filter(|identity| identity.status() == IdentityStatus::Active);
    let has_role = |identity: &Identity| is_group && identity.group_ids.contains(&request.scope_id);
    let tied = invited || identity.as_ref().is_some_and(has_role);
    Ok(CheckTieResponse { exists: identity.is_some(), tied, ..CheckTieResponse::default() })
}

/// Whether the identity accepted an invitation of the group.
async fn has_accepted(call: &Call, request: &CheckTieRequest) -> Result<bool> {
    let lookup = |name: &str| {
        Invitation::TABLE.lookup(name).ok_or_else(|| Error::internal(format!("invitations have no lookup {name}")))
    };
    let lookups =
        vec![(lookup(ACCEPTED_BY_ID)?, request.identity_id.clone()), (lookup(GROUP_ID)?, request.scope_id.clone())];
    let filter = Filter { lookups, limit: 1, ..Filter::default() };
    Ok(!call.kernel().store().list(Invitation::TABLE, &filter).await?.is_empty())
}
