//! The numbers of the classic system for the people of a provision.

use pavise_kernel::Result;
use pavise_kernel::common::v1::ClassicId;
use tonic::Request;

use super::run::Run;
use crate::contract::identity::GetIdentityRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{AddClassicMapRequest, ClassicMap};
use crate::shared::answer::found_or_none;

/// Records the numbers on the identities that the provision does not have yet.
pub(super) async fn add_classic_maps(run: &mut Run) -> Result<()> {
    let mut people = vec![run.provision().owner_id.clone()];
    people.extend(run.provision().authorized_users.iter().map(|user| user.identity_id.clone()));
    let mut identities = IdentityServiceClient::new(run.peer_channel("identity"));
    for identity_id in people {
        let asked = Request::new(GetIdentityRequest { identity_id: identity_id.clone() });
        // An unknown buyer has no number.
        let Some(identity) = found_or_none(identities.get_identity(asked).await)? else { continue };
        for linked in identity.classic_ids {
            let classic_id = ClassicId { r#type: linked.r#type, value: linked.value };
            let map = ClassicMap { identity_id: identity_id.clone(), classic_id: Some(classic_id.clone()) };
            if run.provision().classic_maps.contains(&map) {
                continue;
            }
            let record = AddClassicMapRequest {
                provision_id: run.provision().id.clone(),
                identity_id: identity_id.clone(),
                r#type: classic_id.r#type,
                value: classic_id.value,
            };
            let provision = run.provisions().add_classic_map(run.change_request(record, "classic")).await?.into_inner();
            run.set_provision(provision);
        }
    }
    Ok(())
}
