//! The keeper of ties for the domains whose calls name a scope and an owner: it asks the domains that know how identities
//! belong to groups. Such a domain provides it to the kernel: `kernel.provide(pavise_ties::ties())`.
//!
//! An employment, a role in the group, an accepted invitation and a paid order tie an identity to a group.

use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse};
use pavise_kernel::ties::{TieAnswer, TieBackend, TieChecker, TieClaim};
use pavise_kernel::{Call, Result, async_trait};

use pavise_groups_client::v1::tie_service_client::TieServiceClient as GroupsTies;
use pavise_identity_client::v1::tie_service_client::TieServiceClient as IdentityTies;
use pavise_orders_client::v1::tie_service_client::TieServiceClient as OrdersTies;

/// The ties that groups, identity and orders know.
#[must_use]
pub fn ties() -> TieChecker {
    TieChecker::new(PeerTies)
}

/// The domains as peers.
#[derive(Debug)]
struct PeerTies;

impl PeerTies {
    async fn ask_groups(&self, call: &Call, request: CheckTieRequest) -> Result<CheckTieResponse> {
        Ok(GroupsTies::new(call.peer_channel("groups")).check_tie(request).await?.into_inner())
    }

    async fn ask_identity(&self, call: &Call, request: CheckTieRequest) -> Result<CheckTieResponse> {
        Ok(IdentityTies::new(call.peer_channel("identity")).check_tie(request).await?.into_inner())
    }

    async fn ask_orders(&self, call: &Call, request: CheckTieRequest) -> Result<CheckTieResponse> {
        Ok(OrdersTies::new(call.peer_channel("orders")).check_tie(request).await?.into_inner())
    }
}

#[async_trait]
impl TieBackend for PeerTies {
    async fn exists(&self, call: &Call, tied: TieClaim<'_>) -> Result<TieAnswer> {
        let request = build_request(tied);
        let (known, employed) =
            futures::try_join!(self.ask_identity(call, request.clone()), self.ask_groups(call, request))?;
        Ok(TieAnswer { holds: known.exists, open: employed.open })
    }

    /// Each domain is asked, also when one of them knows enough.
    async fn holds(&self, call: &Call, tied: TieClaim<'_>) -> Result<TieAnswer> {
        let request = build_request(tied);
        let (known, bought, employed) = futures::try_join!(
            self.ask_identity(call, request.clone()),
            self.ask_orders(call, request.clone()),
            self.ask_groups(call, request)
        )?;
        let holds = known.exists && (known.tied || bought.tied || employed.tied);
        Ok(TieAnswer { holds, open: employed.open })
    }
}

fn build_request(tied: TieClaim<'_>) -> CheckTieRequest {
    CheckTieRequest {
        kind: tied.kind.spelling().to_owned(),
        scope_id: tied.scope.to_owned(),
        identity_id: tied.owner.to_owned(),
    }
}
