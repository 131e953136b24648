//! Signs an application in with its key.

use pavise_kernel::token::AUDIENCE;
use pavise_kernel::{Call, Caller, Error, Result};

use super::Applications;
use super::support::prove::{ProvenApplication, prove_key};
use crate::contract::v1::{AccessToken, CreateApplicationTokenRequest, ErrorReason, Jwt};
use crate::shared::grants;
use crate::shared::issue::Terms;
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

/// The sub-type in the token.
const SUB_TYPE: &str = "application";

pub(crate) async fn create_application_token(
    call: &Call,
    request: CreateApplicationTokenRequest,
) -> Result<AccessToken> {
    let service = &*call.applications()?;
    let address = Throttle::key(Kind::Address, call.address());
    service.throttle.check_wait(&address, call.machine_now())?;
    match prove_key(call, &request.key).await? {
        Some(proven) => sign_in(service, call, proven).await,
        None => {
            // Calls without a known address are not counted together.
            if !call.address().is_empty() {
                service.throttle.count_failure(&address, call.machine_now());
            }
            Err(Error::new(ErrorReason::WrongApplicationKey, "the key is not, or no longer, good"))
        }
    }
}

/// The token has the owner's realm, so that a program of staff may do no more than they. It has no session: a program
/// signs in again with its key.
async fn sign_in(service: &Applications, call: &Call, proven: ProvenApplication) -> Result<AccessToken> {
    let caller = Caller {
        identity: proven.owner.id.clone(),
        realm: proven.owner.realm().as_caller(),
        sub_type: SUB_TYPE.to_owned(),
        permissions: proven.permissions,
        version: proven.owner.version,
        application: proven.application.id,
        ..Caller::default()
    };
    let id = call.new_id();
    let terms = Terms { id: &id, audience: AUDIENCE, lifetime: service.lifetime, from: call.machine_now() };
    let issued = service.issuer.issue_token(&caller, terms, call.machine_now()).await?;
    let mut unit = call.unit();
    unit.create(Jwt {
        id,
        owner_id: proven.owner.id.clone(),
        realm: proven.owner.realm,
        audience: AUDIENCE.to_owned(),
        key_id: issued.key_id.clone(),
        expires_at: Some(issued.expires_at),
        permissions: grants::as_messages(&caller.permissions),
        ..Jwt::default()
    })?;
    // No answer is stored for a repeat: it would hold the token.
    unit.commit().await?;
    Ok(AccessToken {
        access_token: issued.token,
        token_type: "Bearer".to_owned(),
        expires_at: Some(issued.expires_at),
        identity_id: proven.owner.id,
        realm: proven.owner.realm,
        key_id: issued.key_id,
        ..AccessToken::default()
    })
}
