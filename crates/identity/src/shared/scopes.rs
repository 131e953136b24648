//! The scopes in which identities have roles: in the contract's form, in a caller's form, and their rules.

use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Error, Result, Scope, Scopes};

use crate::contract::v1::{Identity, ScopeGrant};

/// The scopes as tokens carry them, with the groups that the identity administers.
pub(crate) fn of(identity: &Identity) -> Scopes {
    let granted = identity.scopes.iter().map(|grant| Scope {
        kind: grant.kind(),
        id: grant.id.clone(),
        within: grant.within_id.clone(),
        roles: grant.roles.clone(),
    });
    Scopes::of_groups(&identity.group_ids).iter().cloned().chain(granted).collect()
}

/// The same as the contract writes them.
pub(crate) fn as_messages(scopes: &Scopes) -> Vec<ScopeGrant> {
    let message = |scope: &Scope| ScopeGrant {
        kind: scope.kind.into(),
        id: scope.id.clone(),
        within_id: scope.within.clone(),
        roles: scope.roles.clone(),
    };
    scopes.iter().map(message).collect()
}

/// Checks that the scopes are of kinds of the identity's realm, each named once, with roles that the kind has.
///
/// # Errors
/// `NOT_IN_THIS_REALM`, `INVALID_FIELD`.
pub(crate) fn check_scopes(identity: &Identity) -> Result<()> {
    for (at, grant) in identity.scopes.iter().enumerate() {
        let kind = grant.kind();
        let place = |field: &str| format!("scopes.grants[{at}].{field}");
        if kind.realm() != identity.realm().as_caller() {
            return Err(identity.realm().lacks_error(&format!("roles in scopes of kind {}", kind.spelling())));
        }
        if let Some(odd) = grant.roles.iter().find(|role| !kind.roles().contains(&role.as_str())) {
            return Err(Error::field(place("roles"), format!("a scope of kind {} has no role {odd}", kind.spelling())));
        }
        if (kind.within() == ScopeKind::Unspecified) != grant.within_id.is_empty() {
            return Err(Error::field(place("within_id"), "names the scope that a division lies in, and nothing else"));
        }
        if identity.scopes.iter().take(at).any(|other| other.kind == grant.kind && other.id == grant.id) {
            return Err(Error::field(place("id"), "is named twice"));
        }
    }
    Ok(())
}

/// The bytes of the scopes in a token, about.
pub(crate) fn measure_scopes(identity: &Identity) -> usize {
    let of = |grant: &ScopeGrant| {
        let roles: usize = grant.roles.iter().map(|role| role.len() + 3).sum();
        roles + grant.roles.len() * (grant.id.len() + grant.within_id.len() + 4)
    };
    identity.scopes.iter().map(of).sum()
}

/// Whether a role in a scope is gone.
pub(crate) fn has_lost(before: &Identity, after: &Identity) -> bool {
    let (had, has) = (of(before), of(after));
    let kept = |scope: &Scope| {
        let now = has.iter().find(|other| other.kind == scope.kind && other.id == scope.id);
        now.is_some_and(|now| scope.roles.iter().all(|role| now.roles.contains(role)))
    };
    !had.iter().all(kept)
}

/// The roles that one identity has and another does not: scopes with those roles alone.
pub(crate) fn find_beyond(own: &[ScopeGrant], others: &[ScopeGrant]) -> Vec<ScopeGrant> {
    let lacking = |grant: &ScopeGrant| {
        let other = others.iter().find(|other| is_same(other, grant));
        let mut grant = grant.clone();
        grant.roles.retain(|role| other.is_none_or(|other| !other.roles.contains(role)));
        grant
    };
    own.iter().map(lacking).filter(|grant| !grant.roles.is_empty()).collect()
}

/// Adds roles that [`find_beyond`] found.
pub(crate) fn add_roles(scopes: &mut Vec<ScopeGrant>, brought: &[ScopeGrant]) {
    for grant in brought {
        match scopes.iter_mut().find(|own| is_same(own, grant)) {
            Some(own) => own.roles.extend(grant.roles.iter().cloned()),
            None => scopes.push(grant.clone()),
        }
    }
}

/// Takes roles away that [`add_roles`] added, as far as they are still there, and answers them.
pub(crate) fn take_roles(scopes: &mut Vec<ScopeGrant>, brought: &[ScopeGrant]) -> Vec<ScopeGrant> {
    let mut parted = Vec::new();
    for grant in brought {
        let Some(own) = scopes.iter_mut().find(|own| is_same(own, grant)) else { continue };
        let (taken, left) = own.roles.drain(..).partition(|role| grant.roles.contains(role));
        own.roles = left;
        parted.push(ScopeGrant { roles: taken, ..grant.clone() });
    }
    scopes.retain(|own| !own.roles.is_empty());
    parted.retain(|grant| !grant.roles.is_empty());
    parted
}

fn is_same(one: &ScopeGrant, other: &ScopeGrant) -> bool {
    one.kind == other.kind && one.id == other.id
}

#[cfg(test)]
mod tests {
    use pavise_contract::scope_roles;

    use super::*;
    use crate::contract::v1::IdentityRealm;

    fn grant(kind: ScopeKind, id: &str, within: &str, role: &str) -> ScopeGrant {
        ScopeGrant { kind: kind.into(), id: id.into(), within_id: within.into(), roles: vec![role.into()] }
    }

    fn identity(realm: IdentityRealm, scopes: Vec<ScopeGrant>) -> Identity {
        Identity { realm: realm.into(), scopes, ..Identity::default() }
    }

    #[test]
    fn scopes_are_of_the_realm_and_their_roles_of_the_kind() {
        let (boss, partner) = (IdentityRealm::GroupAdmin, IdentityRealm::Partner);
        let sales = grant(ScopeKind::Division, "sales", "acme", scope_roles::division::GROUP_ADMINISTRATOR);
        let branch = grant(ScopeKind::Branch, "b1", "", scope_roles::branch::LAWYER);
        check_scopes(&identity(boss, vec![sales.clone()])).unwrap();
        check_scopes(&identity(partner, vec![branch.clone()])).unwrap();
        assert!(check_scopes(&identity(partner, vec![sales.clone()])).is_err());
        assert!(check_scopes(&identity(IdentityRealm::Internal, vec![branch.clone()])).is_err());
        assert!(check_scopes(&identity(partner, vec![branch.clone(), branch.clone()])).is_err());
        let odd = ScopeGrant { roles: vec!["KING".into()], ..branch.clone() };
        assert!(check_scopes(&identity(partner, vec![odd])).is_err());
        assert!(check_scopes(&identity(boss, vec![ScopeGrant { within_id: String::new(), ..sales }])).is_err());
        assert!(check_scopes(&identity(partner, vec![ScopeGrant { within_id: "acme".into(), ..branch }])).is_err());
    }

    #[test]
    fn a_role_less_is_a_loss_and_a_role_more_is_none() {
        let with = |roles: &[&str]| {
            let roles = roles.iter().map(|role| (*role).to_owned()).collect();
            identity(IdentityRealm::Partner, vec![ScopeGrant { roles, ..grant(ScopeKind::Firm, "f", "", "") }])
        };
        let (admin, both) = (with(&["ADMIN"]), with(&["ADMIN", "CSR"]));
        assert!(!has_lost(&admin, &both) && has_lost(&both, &admin));
        assert!(has_lost(&admin, &identity(IdentityRealm::Partner, Vec::new())));
        let boss = |groups: &[&str]| Identity {
            group_ids: groups.iter().map(|group| (*group).to_owned()).collect(),
            ..identity(IdentityRealm::GroupAdmin, Vec::new())
        };
        assert!(has_lost(&boss(&["a", "b"]), &boss(&["a"])) && !has_lost(&boss(&["a"]), &boss(&["a", "b"])));
    }

    #[test]
    fn a_merge_moves_the_roles_that_the_survivor_lacks_and_an_unmerge_gives_them_back() {
        let firm = |id: &str, roles: &[&str]| ScopeGrant {
            roles: roles.iter().map(|role| (*role).to_owned()).collect(),
            ..grant(ScopeKind::Firm, id, "", "")
        };
        let survivor = vec![firm("a", &["ADMIN", "CSR"])];
        let merged = vec![firm("a", &["CSR", "LAWYER"]), firm("b", &["CSR"]), firm("c", &["ADMIN"])];
        let brought = find_beyond(&merged, &survivor);
        assert_eq!(brought, [firm("a", &["LAWYER"]), firm("b", &["CSR"]), firm("c", &["ADMIN"])]);
        let mut joined = survivor.clone();
        add_roles(&mut joined, &brought);
        assert_eq!(joined, [firm("a", &["ADMIN", "CSR", "LAWYER"]), firm("b", &["CSR"]), firm("c", &["ADMIN"])]);
        // One was taken away since: it does not come back.
        joined.retain(|one| one.id != "c");
        assert_eq!(take_roles(&mut joined, &brought), [firm("a", &["LAWYER"]), firm("b", &["CSR"])]);
        assert_eq!(joined, survivor);
        assert!(find_beyond(&survivor, &survivor).is_empty());
    }
}
