//! Decides access from the contract's access rule alone. No other place decides it.

use pavise_contract::table::{Impersonation, Method, Realm, Role, ScopeKind, Table};

use crate::call::caller::Caller;
use crate::call::scope::{self, ScopeRefusal};
use crate::error::{Common, Error, Result};
use crate::time::{MINUTE, Micros};

/// Checks that `caller` may make the call at all, given the owner and the scopes that its request names.
///
/// # Errors
/// `TOKEN_MISSING`, `REALM_NOT_ALLOWED`, `PERMISSION_MISSING`, `NOT_THE_OWNER`, `ROLE_MISSING` or
/// `IMPERSONATION_DENIED`.
pub fn authorize_call(
    method: &Method,
    caller: &Caller,
    owner: Option<&str>,
    scopes: &[(ScopeKind, &str)],
) -> Result<()> {
    let rule = &method.access;
    if caller.is_anonymous() {
        if rule.public {
            return Ok(());
        }
        return Err(Error::new(Common::TokenMissing, "send a token: authorization: Bearer …"));
    }
    // A public call that names no realm is open to every realm.
    let open = rule.public && rule.realms.is_empty();
    if !open && !rule.realms.contains(&caller.realm) {
        let realm = realm_name(caller.realm);
        return Err(Error::new(Common::RealmNotAllowed, format!("callers of realm {realm} may not make this call"))
            .with("realm", realm));
    }
    if let Some(actor) = &caller.actor {
        let allowed = match rule.impersonation {
            Impersonation::Allow => true,
            Impersonation::Deny => false,
            Impersonation::Notify | Impersonation::Unspecified => method.reads || actor.may_write,
        };
        if !allowed {
            return Err(Error::new(Common::ImpersonationDenied, "this cannot be done on behalf of somebody else"));
        }
    }
    if open {
        return Ok(());
    }
    let is_owner = owner == Some(caller.identity.as_str());
    match caller.realm {
        Realm::User if owner.is_some() && !is_owner => return Err(not_the_owner()),
        // A confined caller names another owner only beside a scope, to which the owner is tied.
        Realm::GroupAdmin | Realm::Partner if owner.is_some() && !is_owner && scopes.is_empty() => {
            return Err(not_the_owner());
        }
        Realm::User | Realm::GroupAdmin => {}
        Realm::Internal | Realm::Machine | Realm::Partner | Realm::Unspecified => {
            let needs_none = rule.permission.is_empty() || (rule.owner_admitted && is_owner);
            if !needs_none && !caller.has(rule.permission) {
                let message = format!("this call needs the permission {}", rule.permission);
                return Err(Error::new(Common::PermissionMissing, message).with("permission", rule.permission));
            }
        }
    }
    scope::check_named(method, caller, scopes).map_err(|refusal| refused(method, refusal))?;
    if rule.owner_only && !is_owner { Err(not_the_owner()) } else { Ok(()) }
}

/// How long a proof is fresh.
pub const PROOF_LIFETIME: Micros = 10 * MINUTE;

/// Refuses a caller without a fresh proof, where the access rule asks for one.
///
/// # Errors
/// `PROOF_NEEDED`.
pub fn check_proof(method: &Method, caller: &Caller, now: Micros) -> Result<()> {
    if method.access.fresh_proof { require_fresh_proof(caller, now) } else { Ok(()) }
}

/// Refuses a caller without a fresh proof. Programs of realm Machine have no session and need none.
///
/// # Errors
/// `PROOF_NEEDED`.
pub fn require_fresh_proof(caller: &Caller, now: Micros) -> Result<()> {
    let is_program = caller.realm == Realm::Machine && caller.session.is_empty();
    if is_program || has_fresh_proof(caller, now) {
        return Ok(());
    }
    let message =
        "prove yourself again first: this call needs a password, a passkey or a factor of the last ten minutes";
    Err(Error::new(Common::ProofNeeded, message).with("prove", PROVE))
}

/// The call that gives a session a fresh proof.
const PROVE: &str = "POST /v1/session/prove";

/// Whether the caller proved themselves in their own session within the last ten minutes.
#[must_use]
pub fn has_fresh_proof(caller: &Caller, now: Micros) -> bool {
    let until = |at: Micros| at.saturating_add(PROOF_LIFETIME);
    caller.actor.is_none() && caller.proved_at.is_some_and(|at| now < until(at))
}

fn refused(method: &Method, refusal: ScopeRefusal) -> Error {
    match refusal {
        ScopeRefusal::NotHeld(kind) => {
            let kind = kind.spelling().to_lowercase();
            Error::new(Common::NotTheOwner, format!("you have no role in this {kind}"))
        }
        ScopeRefusal::WrongRole(kind) => {
            let roles = scope::admitted_roles(method, kind).join(", ");
            let message =
                format!("this call needs one of these roles in the {}: {roles}", kind.spelling().to_lowercase());
            Error::new(Common::RoleMissing, message).with("kind", kind.spelling()).with("roles", roles)
        }
    }
}

fn not_the_owner() -> Error {
    Error::new(Common::NotTheOwner, "you can only do this for yourself")
}

/// The owner and the scopes that a request names, or that an entity belongs to.
#[derive(Debug, Clone, Copy)]
pub struct EntityScope<'a> {
    /// The owner; empty for none.
    pub owner: &'a str,
    /// The scopes.
    pub scopes: &'a [(ScopeKind, &'a str)],
}

/// Whether a caller who passed [`authorize`] may know of an entity. An entity that is not visible counts as missing.
#[must_use]
pub fn can_see_entity(
    method: &Method,
    caller: &Caller,
    named: (Option<&str>, &[(ScopeKind, &str)]),
    table: &Table,
    entity: EntityScope<'_>,
) -> bool {
    let owner_of = entity.owner;
    if named.0.is_some_and(|owner| owner != owner_of) || !is_of_each(entity, named.1) {
        return false;
    }
    if table.shared {
        return !scope::is_confined(method, caller, table) || scope::is_within(method, caller, entity.scopes);
    }
    match caller.realm {
        // A caller without a token sees an entity without an owner, and only by its id.
        Realm::Unspecified => owner_of.is_empty(),
        Realm::User => owner_of == caller.identity || (owner_of.is_empty() && method.access.public),
        Realm::GroupAdmin | Realm::Partner => {
            owner_of == caller.identity
                || (owner_of.is_empty() && method.access.public)
                || !scope::is_confined(method, caller, table)
                || scope::is_within(method, caller, entity.scopes)
        }
        Realm::Internal | Realm::Machine => true,
    }
}

/// Whether the entity lies in each named scope, of the kinds that it has a scope of.
fn is_of_each(entity: EntityScope<'_>, named: &[(ScopeKind, &str)]) -> bool {
    named.iter().all(|(kind, id)| {
        let mut of_kind = entity.scopes.iter().filter(|(of, _)| of == kind).peekable();
        of_kind.peek().is_none() || of_kind.any(|(_, of)| of == id)
    })
}

/// Whether the caller may read a shared aggregate's entity that has this status. Realms Internal, Machine and Partner
/// read every status.
#[must_use]
pub fn can_see_status(table: &'static Table, caller: &Caller, status: &str) -> bool {
    table.visible.is_empty() || reads_all(caller) || visible_statuses(table, caller).any(|visible| visible == status)
}

/// Whether the `visible` rules do not apply to the caller.
pub(crate) fn reads_all(caller: &Caller) -> bool {
    matches!(caller.realm, Realm::Internal | Realm::Machine | Realm::Partner)
}

/// The statuses in which the `visible` rules let the caller see an entity.
pub(crate) fn visible_statuses<'c>(
    table: &'static Table,
    caller: &'c Caller,
) -> impl Iterator<Item = &'static str> + use<'c> {
    let rules = table.visible.iter().filter(|rule| !rule.signed_in || !caller.is_anonymous());
    rules.flat_map(|rule| rule.statuses.iter().copied())
}

/// Whether the caller has that role of the call's access rule. No caller has a role that the rule does not name.
#[must_use]
pub fn has_role(method: &Method, caller: &Caller, name: &str) -> bool {
    role(method, name).is_some_and(|role| is_of_role(role, caller))
}

/// Refuses callers who lack that role of the call's access rule.
///
/// # Errors
/// `PERMISSION_MISSING`, `REALM_NOT_ALLOWED`.
pub fn require_role(method: &Method, caller: &Caller, name: &str) -> Result<()> {
    let Some(role) = role(method, name) else {
        return Err(Error::internal(format!("{} has no role {name}", method.rpc)));
    };
    if is_of_role(role, caller) {
        return Ok(());
    }
    if role.permission.is_empty() || !admits(role, caller) {
        let realm = realm_name(caller.realm);
        return Err(Error::new(Common::RealmNotAllowed, format!("callers of realm {realm} may not do this"))
            .with("realm", realm));
    }
    let message = format!("this call needs the permission {}", role.permission);
    Err(Error::new(Common::PermissionMissing, message).with("permission", role.permission))
}

fn role(method: &Method, name: &str) -> Option<&'static Role> {
    method.access.roles.iter().find(|role| role.name == name)
}

fn is_of_role(role: &Role, caller: &Caller) -> bool {
    admits(role, caller) && (role.permission.is_empty() || caller.has(role.permission))
}

fn admits(role: &Role, caller: &Caller) -> bool {
    role.realms.is_empty() || role.realms.contains(&caller.realm)
}

/// The realm's documented name.
#[must_use]
pub fn realm_name(realm: Realm) -> &'static str {
    match realm {
        Realm::Unspecified => "",
        Realm::User => "User",
        Realm::Machine => "Machine",
        Realm::Internal => "Internal",
        Realm::Partner => "Partner",
        Realm::GroupAdmin => "GroupAdmin",
    }
}

/// The realm of a documented name.
#[must_use]
pub fn realm_of(name: &str) -> Option<Realm> {
    [Realm::User, Realm::Machine, Realm::Internal, Realm::Partner, Realm::GroupAdmin]
        .into_iter()
        .find(|realm| realm_name(*realm) == name)
}
