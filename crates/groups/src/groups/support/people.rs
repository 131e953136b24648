//! The people who act for a group.

use pavise_kernel::{Call, Common, Error, Result};
use tonic::Request;

use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::identity::{GetIdentityRequest, IdentityRealm};
use crate::contract::v1::AuthorizedIdentity;

/// Checks that each identity is one of realm GroupAdmin.
///
/// # Errors
/// `INVALID_FIELD` with the place of the identity.
pub(crate) async fn check_people(call: &Call, people: &[AuthorizedIdentity]) -> Result<()> {
    let mut identities = IdentityServiceClient::new(call.peer_channel("identity"));
    for (at, person) in people.iter().enumerate().filter(|(_, person)| !person.identity_id.is_empty()) {
        let ask = GetIdentityRequest { identity_id: person.identity_id.clone() };
        let is_admin = match identities.get_identity(Request::new(ask)).await.map_err(Error::from) {
            Ok(found) => found.into_inner().realm() == IdentityRealm::GroupAdmin,
            Err(error) if error.is(Common::NotFound) => false,
            Err(error) => return Err(error),
        };
        if !is_admin {
            let field = format!("authorized_identities[{at}].identity_id");
            return Err(Error::field(field, "names no identity of realm GroupAdmin"));
        }
    }
    Ok(())
}
