//! The one place where access is decided, from the contract's rule alone.

use pavise_contract::table::{Impersonation, Method, Realm};

use crate::caller::Caller;
use crate::error::{Common, Error, Result};

/// Whether `caller` may make the call at all, given the owner and the group that its request names.
///
/// # Errors
/// `TOKEN_MISSING`, `REALM_NOT_ALLOWED`, `PERMISSION_MISSING`, `NOT_THE_OWNER` or `IMPERSONATION_DENIED`.
pub fn authorize(method: &Method, caller: &Caller, owner: Option<&str>, group: Option<&str>) -> Result<()> {
    let rule = &method.access;
    if caller.is_anonymous() {
        if rule.public {
            return Ok(());
        }
        return Err(Error::new(Common::TokenMissing, "send a token: authorization: Bearer …"));
    }
    // A call that is open to callers without a token and names no realm is open to every realm.
    let open = rule.public && rule.realms.is_empty();
    if !open && !rule.realms.contains(&caller.realm) {
        let realm = realm_name(caller.realm);
        return Err(
            Error::new(Common::RealmNotAllowed, format!("callers of realm {realm} may not make this call")).with("realm", realm)
        );
    }
    if let Some(actor) = &caller.actor {
        let allowed = match rule.impersonation {
            Impersonation::Allow | Impersonation::Notify => true,
            Impersonation::Deny => false,
            Impersonation::Unspecified => method.reads || actor.may_write,
        };
        if !allowed {
            return Err(Error::new(Common::ImpersonationDenied, "this cannot be done on behalf of somebody else"));
        }
    }
    if open {
        return Ok(());
    }
    match caller.realm {
        Realm::User => match owner {
            Some(owner) if owner != caller.identity => Err(not_the_owner()),
            _ => Ok(()),
        },
        Realm::GroupAdmin => match group {
            Some(group) if caller.groups.iter().any(|one| one == group) => Ok(()),
            None if owner == Some(caller.identity.as_str()) || owner.is_none() => Ok(()),
            _ => Err(Error::new(Common::NotTheOwner, "you do not administer this group")),
        },
        Realm::Internal | Realm::Machine | Realm::Partner | Realm::Unspecified => {
            if rule.permission.is_empty() || caller.has(rule.permission) {
                Ok(())
            } else {
                let message = format!("this call needs the permission {}", rule.permission);
                Err(Error::new(Common::PermissionMissing, message).with("permission", rule.permission))
            }
        }
    }?;
    if rule.owner_only && owner != Some(caller.identity.as_str()) { Err(not_the_owner()) } else { Ok(()) }
}

fn not_the_owner() -> Error {
    Error::new(Common::NotTheOwner, "you can only do this for yourself")
}

/// Whether a caller who passed [`authorize`] may know of an entity. What he may not know of does not exist for him.
#[must_use]
pub fn visible(method: &Method, caller: &Caller, named: (Option<&str>, Option<&str>), entity: (&str, Option<&str>)) -> bool {
    let (owner, group) = named;
    let (owner_of, group_of) = entity;
    if owner.is_some_and(|owner| owner != owner_of) || group.is_some_and(|group| group_of.is_some_and(|of| of != group)) {
        return false;
    }
    match caller.realm {
        // A caller without a token sees what belongs to nobody yet, and only by its id.
        Realm::Unspecified => owner_of.is_empty(),
        Realm::User => owner_of == caller.identity || (owner_of.is_empty() && method.access.public),
        Realm::GroupAdmin => {
            owner_of == caller.identity
                || (owner_of.is_empty() && method.access.public)
                || group_of.is_some_and(|of| caller.groups.iter().any(|one| one == of))
        }
        Realm::Internal | Realm::Machine | Realm::Partner => true,
    }
}

/// The realm as documented.
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
