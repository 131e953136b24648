//! Signs a member up, or creates an identity for staff and programs.

use pavise_kernel::table::{Realm, ScopeKind};
use pavise_kernel::{Call, Common, Error, Result, email};

use super::Identities;
use crate::contract::roles;
use crate::contract::v1::{
    ClassicIdInput, CreateIdentityRequest, Credential, Email, ErrorReason, Identity, IdentityRealm, IdentityType,
    LinkedClassicId,
};
use crate::shared::addresses;
use crate::shared::addresses::Claim;
use crate::shared::grants::GrantedRights;
use crate::shared::password::policy;
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

pub(crate) async fn create_identity(call: &Call, request: CreateIdentityRequest) -> Result<Identity> {
    let service = &*call.identities()?;
    if !call.caller().is_anonymous() {
        check_roles_in_groups(call.caller().realm, &request)?;
        return store_identity(service, call, request).await;
    }
    check_sign_up(&request)?;
    let address = Throttle::key(Kind::Address, call.address());
    service.questions.check_wait(&address, call.machine_now())?;
    store_identity(service, call, request).await.map_err(|error| {
        if !error.is(Common::AlreadyExists) {
            return error;
        }
        // Calls without a known address are not counted together.
        if !call.address().is_empty() {
            service.questions.count_failure(&address, call.machine_now());
        }
        // The answer does not name the taken one: that would show that the other names are free.
        Error::new(Common::AlreadyExists, "one of these names is taken; sign in, or choose another")
    })
}

async fn store_identity(service: &Identities, call: &Call, request: CreateIdentityRequest) -> Result<Identity> {
    let mut wanted = build_identity(call, &request);
    GrantedRights::new_identity(&wanted).check(call.caller(), call.has_role(roles::GRANTER))?;
    let mut unit = call.unit();
    // A program with the role has proved the addresses itself. All others wait for a proof.
    let claimed = if call.has_role(roles::VOUCHER) { Vec::new() } else { std::mem::take(&mut wanted.emails) };
    let identity = unit.create(wanted)?;
    let claims = distinct(claimed).into_iter().enumerate().map(|(at, address)| Claim {
        address,
        primary: at == 0,
        signs_in: at == 0,
        ..Claim::default()
    });
    addresses::add_claims(service.mail(), call, &mut unit, &identity, claims.collect()).await?;
    if !request.password.is_empty() {
        let names = request.emails.iter().chain(&request.usernames).map(String::as_str);
        policy::check_password("password", &request.password, names)?;
        let password_hash = if call.caller().is_anonymous() {
            service.passwords.hash_of_newcomer(request.password).await?
        } else {
            service.passwords.hash_chosen("password", request.password).await?
        };
        let (id, password_set_at) = (identity.id.clone(), Some(call.timestamp()));
        unit.create(Credential { owner_id: id.clone(), id, password_hash, password_set_at, ..Credential::default() })?;
    }
    unit.commit_answer(identity).await
}

/// The addresses, each once, in their order.
fn distinct(emails: Vec<Email>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for email in emails {
        if !all.iter().any(|known| email::is_same(known, &email.address)) {
            all.push(email.address);
        }
    }
    all
}

/// Refuses roles in groups from staff: a group keeps who acts for it, and gives them their roles.
fn check_roles_in_groups(caller: Realm, request: &CreateIdentityRequest) -> Result<()> {
    let grants = request.scopes.iter().flat_map(|scopes| &scopes.grants);
    let in_groups = grants.filter(|grant| matches!(grant.kind(), ScopeKind::Group | ScopeKind::Division)).count();
    if caller == Realm::Internal && (in_groups > 0 || !request.group_ids.is_empty()) {
        let message = "add the person to the authorized identities of the group; the roles follow within seconds";
        return Err(Error::new(ErrorReason::KeptByGroup, message));
    }
    Ok(())
}

/// Refuses a sign-up that is not of a member.
fn check_sign_up(request: &CreateIdentityRequest) -> Result<()> {
    if request.realm() != IdentityRealm::User {
        let realm = request.realm().spelling();
        return Err(Error::new(Common::TokenMissing, format!("sign in to make an identity of realm {realm}")));
    }
    let reserved = [("classic_ids", request.classic_ids.is_empty()), ("sub_type", request.sub_type.is_empty())];
    if let Some((field, _)) = reserved.into_iter().find(|(_, empty)| !empty) {
        return Err(Error::field(field, "is set by staff and programs only"));
    }
    if !request.usernames.is_empty() {
        return Err(Error::field("usernames", "are added once the e-mail address is proved"));
    }
    if request.emails.is_empty() {
        return Err(Error::field("emails", "name one"));
    }
    if request.password.is_empty() {
        return Err(Error::field("password", "choose one"));
    }
    Ok(())
}

fn build_identity(call: &Call, request: &CreateIdentityRequest) -> Identity {
    let id = call.new_id();
    let email = |address: &String| Email { address: address.clone(), ..Email::default() };
    Identity {
        owner_id: id.clone(),
        id,
        realm: request.realm,
        sub_type: request.sub_type.clone(),
        emails: request.emails.iter().map(email).collect(),
        usernames: request.usernames.clone(),
        classic_ids: request.classic_ids.iter().map(Into::into).collect(),
        permissions: request.permissions.clone(),
        group_ids: request.group_ids.clone(),
        scopes: request.scopes.clone().unwrap_or_default().grants,
        referrer: request.referrer.clone(),
        r#type: IdentityType::Owner.into(),
        ..Identity::default()
    }
}

impl From<&ClassicIdInput> for LinkedClassicId {
    fn from(input: &ClassicIdInput) -> Self {
        Self { r#type: input.r#type, value: input.value.clone(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign_up() -> CreateIdentityRequest {
        CreateIdentityRequest {
            realm: IdentityRealm::User.into(),
            emails: vec!["ada@example.com".into()],
            password: "correct horse battery".into(),
            ..CreateIdentityRequest::default()
        }
    }

    #[test]
    fn a_sign_up_makes_a_member_with_an_address_and_a_password() {
        assert!(check_sign_up(&sign_up()).is_ok());
        let wrong = [
            CreateIdentityRequest { realm: IdentityRealm::Internal.into(), ..sign_up() },
            CreateIdentityRequest { sub_type: "boss".into(), ..sign_up() },
            CreateIdentityRequest { emails: Vec::new(), ..sign_up() },
            CreateIdentityRequest { password: String::new(), ..sign_up() },
        ];
        for request in wrong {
            assert!(check_sign_up(&request).is_err(), "{request:?}");
        }
    }
}
