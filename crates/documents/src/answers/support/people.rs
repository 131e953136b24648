//! Whether the people whom a request names exist.

use pavise_kernel::common::v1::CheckTieRequest;
use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::identity::tie_service_client::TieServiceClient;

/// Whether there is an identity with that id.
pub(crate) async fn identity_exists(call: &Call, identity_id: &str) -> Result<bool> {
    let mut ties = TieServiceClient::new(call.peer_channel("identity"));
    let ask = CheckTieRequest { identity_id: identity_id.to_owned(), ..CheckTieRequest::default() };
    Ok(ties.check_tie(Request::new(ask)).await?.into_inner().exists)
}

/// Refuses an identity that does not exist.
pub(crate) async fn check_person(call: &Call, field: &str, identity_id: &str) -> Result<()> {
    if identity_exists(call, identity_id).await? { Ok(()) } else { Err(Error::field(field, "names nobody")) }
}
