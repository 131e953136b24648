//! The first signing key, which the first caller needs, and the enrolment of demo identities.

use std::time::Duration;

use pavise_kernel::worker::Work;
use pavise_kernel::{Common, Error, Kernel, Result};

use super::keys::KeyRing;
use crate::config::Config;
use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::token_service_client::TokenServiceClient;
use crate::contract::v1::{CreateIdentityRequest, Identity, RotateKeyRequest};

/// The name of a key's replacement in idempotency keys, from whichever side it is asked for.
pub(crate) const KEY_NAME: &str = "identity.keys";
/// How often a call that is refused because the server is busy is made again.
const ATTEMPTS: u32 = 20;

/// Makes the first signing key, or another where the active one was sealed with another secret. Does nothing when
/// there is one that can be used; several processes may do it at once. The kernel's peers must lead to this domain.
///
/// # Errors
/// When the database or the domain does not answer.
pub async fn make_signing_key(kernel: &Kernel, config: &Config) -> Result<()> {
    ensure_signing_key(kernel, &KeyRing::new(kernel.store().clone(), config)).await
}

pub(crate) async fn ensure_signing_key(kernel: &Kernel, keys: &KeyRing) -> Result<()> {
    match keys.load_signing(kernel.machine_clock().now()).await {
        Ok(_) => Ok(()),
        Err(error) if error.is(crate::contract::v1::ErrorReason::NoSigningKey) => {
            let active = keys.load_active().await?.map(|row| row.id).unwrap_or_default();
            replace_signing_key(kernel, &active).await
        }
        Err(error) => Err(error),
    }
}

/// Puts a new key in place of the key `replaces`; once, however many processes ask for it.
pub(crate) async fn replace_signing_key(kernel: &Kernel, replaces: &str) -> Result<()> {
    let work = Work::new(kernel, KEY_NAME, format!("replace {replaces}"), "");
    let request = work.new_request(RotateKeyRequest { replaces: replaces.to_owned() }, "rotate");
    let key = TokenServiceClient::new(work.peer_channel("identity")).rotate_key(request).await?.into_inner();
    tracing::info!(key = key.id, replaces, "a new key signs tokens");
    Ok(())
}

/// Creates an identity as the platform, for demo data and first set-up. A repeat of the same work answers the identity
/// that exists. It retries while too many passwords are hashed.
///
/// # Errors
/// What CreateIdentity says.
pub async fn enroll_identity(work: &Work, request: CreateIdentityRequest) -> Result<Identity> {
    let step = format!("enroll {} {}", request.emails.join(" "), request.usernames.join(" "));
    let mut attempt = 0;
    loop {
        let sent = work.new_request(request.clone(), &step);
        match IdentityServiceClient::new(work.peer_channel("identity")).create_identity(sent).await.map_err(Error::from)
        {
            Err(error) if error.is(Common::Overloaded) && attempt < ATTEMPTS => {
                attempt += 1;
                work.kernel().machine_clock().sleep(Duration::from_millis(50)).await;
            }
            other => return other.map(tonic::Response::into_inner),
        }
    }
}
