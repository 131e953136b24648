//! Existing data: a step that they block is reported, and the loading goes on.

use pavise_identity::contract::v1::identity_service_client::IdentityServiceClient;
use pavise_identity::contract::v1::{Identity, ListIdentitiesRequest};
use pavise_kernel::worker::Work;
use pavise_kernel::{Aggregate as _, Error, Result};

/// The request id of all writes of the loading.
pub(super) const REQUEST: &str = "demo-data";

/// The answer of a step; `None` for a refusal, which is logged.
///
/// # Errors
/// A transient error: the database or a part of the platform does not answer.
pub(super) fn passed<T>(answered: Result<T, impl Into<Error>>, step: &str) -> Result<Option<T>> {
    match answered.map_err(Into::into) {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.is_transient() => Err(error),
        Err(error) => {
            tracing::warn!(step, reason = error.reason(), cause = error.message(), "demonstration data: the step was left out");
            Ok(None)
        }
    }
}

/// Whether another try may succeed: the database or a part of the platform does not answer.
pub(super) fn is_transient(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let status = cause.downcast_ref::<tonic::Status>().map(|status| Error::from(status.clone()).is_transient());
        status.or_else(|| cause.downcast_ref().map(Error::is_transient)).unwrap_or(false)
    })
}

/// The identity that signs in by that e-mail address or username.
///
/// # Errors
/// When the domain does not answer.
pub(super) async fn identity(work: &Work, name: &str) -> Result<Option<Identity>> {
    let name = name.to_owned();
    let (email, username) = if name.contains('@') { (name, String::new()) } else { (String::new(), name) };
    let find = ListIdentitiesRequest { email, username, ..ListIdentitiesRequest::default() };
    let found = IdentityServiceClient::new(work.peer("identity")).list_identities(find).await?.into_inner();
    Ok(found.identities.into_iter().next())
}

/// Whether the loading made that identity, as the first entry of its journal says.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn is_ours(work: &Work, identity: &str) -> Result<bool> {
    let (entries, _) = work.kernel().store().journal(Identity::TABLE.journal, identity, 0, 1).await?;
    Ok(entries.first().is_some_and(|entry| entry.request_id == REQUEST))
}
