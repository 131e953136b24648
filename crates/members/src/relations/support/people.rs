//! Whether the people whom a request names exist.

use pavise_kernel::common::v1::CheckTieRequest;
use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::identity::tie_service_client::TieServiceClient;

/// Refuses an identity that does not exist. `identities` are fields of the request and their values.
pub(crate) async fn check_people(call: &Call, identities: Vec<(String, &str)>) -> Result<()> {
    let mut ties = TieServiceClient::new(call.peer_channel("identity"));
    for (field, identity) in identities {
        let ask = CheckTieRequest { identity_id: identity.to_owned(), ..CheckTieRequest::default() };
        if !ties.check_tie(Request::new(ask)).await?.into_inner().exists {
            return Err(Error::field(field, "names nobody"));
        }
    }
    Ok(())
}
