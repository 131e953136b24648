//! The reader of the demonstration's messages.

use pavise_kernel::Result;
use pavise_kernel::worker::Work;
use tonic::Request;

use crate::contract::identity::ListIdentitiesRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;

/// The address of the demonstration's member.
const EMAIL: &str = "member@demo.pavise.example";
/// The identity that messages go to where there is no such member: nobody signs in with it.
const NOBODY: &str = "70000000-0000-4000-8000-000000000001";

/// The identity that the messages go to.
pub(super) async fn find_member(work: &Work) -> Result<String> {
    let ask = ListIdentitiesRequest { email: EMAIL.to_owned(), page_size: 1, ..ListIdentitiesRequest::default() };
    let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
    let found = identities.list_identities(Request::new(ask)).await?.into_inner().identities.into_iter().next();
    Ok(found.map_or_else(|| NOBODY.to_owned(), |identity| identity.id))
}
