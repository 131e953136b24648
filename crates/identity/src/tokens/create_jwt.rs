//! Creates a token that speaks for an identity.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_kernel::time::to_micros;
use pavise_kernel::token::AUDIENCE;
use pavise_kernel::{Call, Caller, Common, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{CreateJwtRequest, CreateJwtResponse, ErrorReason, Identity, IdentityRealm, Jwt};
use crate::shared::grants;
use crate::shared::grants::GrantedRights;
use crate::shared::issue::{IssuedToken, Terms};
use crate::shared::tools::Tools as _;

/// How long a token is good when the caller does not say, in seconds.
const LIFETIME: u64 = 15 * 60;

pub(crate) async fn create_jwt(call: &Call, request: CreateJwtRequest) -> Result<CreateJwtResponse> {
    let service = &*call.tokens()?;
    let subject = call.find_unscoped::<Identity>(&request.subject).await?;
    let subject = subject.ok_or_else(|| Error::not_found("identity", &request.subject))?;
    check_subject(call.has_role(roles::PROGRAM), subject.realm())?;
    if subject.realm() != IdentityRealm::Machine {
        // A token of a person has what is theirs, whatever its permissions are.
        call.require_role(roles::ACTOR)?;
    }
    let permissions = narrow(&subject, &request)?;
    GrantedRights::permissions(&permissions).check(call.caller(), false)?;
    let caller = Caller { permissions: permissions.clone(), ..subject.caller() };
    let audience = if request.audience.is_empty() { AUDIENCE } else { &request.audience };
    let seconds = u64::try_from(request.lifetime_seconds).ok().filter(|seconds| *seconds > 0).unwrap_or(LIFETIME);
    let lifetime = Duration::from_secs(seconds);
    let id = call.repeatable_id("jwt");
    // The token is not stored for a repeat. Its record is, and the same claims make the same token.
    if let Some(made) = call.find_unscoped::<Jwt>(&id).await? {
        // Entities are dated in business time, tokens in machine time.
        let made_at = made.created_at.as_ref().map(to_micros).unwrap_or_default();
        let from = made_at.saturating_sub(call.now().saturating_sub(call.machine_now()));
        let issued = service
            .issuer
            .issue_token(&caller, Terms { id: &id, audience, lifetime, from }, call.machine_now())
            .await?;
        let same =
            made.owner_id == subject.id && made.audience == audience && made.expires_at == Some(issued.expires_at);
        if !same || made.permissions != grants::as_messages(&permissions) {
            return Err(Error::new(Common::IdempotencyKeyReused, "this idempotency key belongs to another request"));
        }
        return Ok(answer(call, id, issued));
    }
    let issued = service
        .issuer
        .issue_token(&caller, Terms { id: &id, audience, lifetime, from: call.machine_now() }, call.machine_now())
        .await?;
    let mut unit = call.unit();
    unit.create(Jwt {
        id: id.clone(),
        owner_id: subject.id,
        realm: subject.realm,
        audience: audience.to_owned(),
        key_id: issued.key_id.clone(),
        expires_at: Some(issued.expires_at),
        permissions: grants::as_messages(&permissions),
        ..Jwt::default()
    })?;
    unit.commit().await?;
    Ok(answer(call, id, issued))
}

fn answer(call: &Call, jwt_id: String, issued: IssuedToken) -> CreateJwtResponse {
    let token = if call.validate_only() { String::new() } else { issued.token };
    CreateJwtResponse { token, jwt_id, key_id: issued.key_id, expires_at: Some(issued.expires_at) }
}

/// Staff create tokens for programs only. To act for people they use Impersonate, which the journal shows.
fn check_subject(is_program: bool, subject: IdentityRealm) -> Result<()> {
    if is_program || subject == IdentityRealm::Machine {
        return Ok(());
    }
    let message = "staff make tokens for identities of realm Machine only; to act for a member there is impersonate";
    Err(Error::new(ErrorReason::NotImpersonable, message))
}

/// The permissions of the token: the requested ones if the subject has them, or all of the subject's.
fn narrow(subject: &Identity, request: &CreateJwtRequest) -> Result<BTreeMap<String, Vec<String>>> {
    let has = grants::by_application(&subject.permissions);
    if request.permissions.is_empty() {
        return Ok(has);
    }
    let wanted = grants::by_application(&request.permissions);
    match grants::find_beyond(&has, &wanted) {
        None => Ok(wanted),
        Some((_, permission)) => Err(Error::field("permissions", format!("the subject does not have {permission}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ApplicationPermissions;

    fn permissions(names: &[&str]) -> Vec<ApplicationPermissions> {
        vec![ApplicationPermissions {
            application: "pavise".into(),
            permissions: names.iter().map(|name| (*name).to_owned()).collect(),
        }]
    }

    #[test]
    fn a_token_allows_no_more_than_its_subject_may() {
        let subject = Identity { permissions: permissions(&["billing.*"]), ..Identity::default() };
        let asked =
            |names: &[&str]| CreateJwtRequest { permissions: permissions(names), ..CreateJwtRequest::default() };
        assert_eq!(narrow(&subject, &CreateJwtRequest::default()).unwrap()["pavise"], ["billing.*"]);
        assert_eq!(narrow(&subject, &asked(&["billing.invoices.read"])).unwrap()["pavise"], ["billing.invoices.read"]);
        assert!(narrow(&subject, &asked(&["orders.orders.read"])).is_err());
        assert!(narrow(&Identity::default(), &asked(&["billing.invoices.read"])).is_err());
    }

    #[test]
    fn staff_do_not_make_tokens_of_people() {
        assert!(check_subject(false, IdentityRealm::Machine).is_ok());
        for realm in [IdentityRealm::User, IdentityRealm::Internal, IdentityRealm::Partner, IdentityRealm::GroupAdmin] {
            assert!(check_subject(false, realm).unwrap_err().is(ErrorReason::NotImpersonable));
            assert!(check_subject(true, realm).is_ok());
        }
    }
}
