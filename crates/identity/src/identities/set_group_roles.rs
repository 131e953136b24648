//! Replaces the roles of an identity in one employer group.

use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{Identity, ScopeGrant, SetGroupRolesRequest};

impl Edit<SetGroupRolesRequest> for Identity {
    fn edit(&mut self, request: &SetGroupRolesRequest, _context: &EditContext) -> Result<()> {
        let group = request.group_id.as_str();
        if let Some(at) = request.grants.iter().position(|grant| !is_of(grant, group)) {
            return Err(Error::field(format!("grants[{at}].id"), "is neither the group nor one of its divisions"));
        }
        let administrator = ScopeKind::Group.roles().first().copied().unwrap_or_default();
        let mut grants = request.grants.clone();
        let of_group = grants.iter_mut().filter(|grant| grant.kind() == ScopeKind::Group);
        // The groups that an identity administers stand in a list of their own.
        let mut administers = false;
        for grant in of_group {
            administers |= grant.roles.iter().any(|role| role == administrator);
            grant.roles.retain(|role| role != administrator);
        }
        grants.retain(|grant| !grant.roles.is_empty());
        // Of a merged identity, what goes back with it when the merge is undone.
        let (scopes, group_ids) = match &mut self.merged {
            Some(merged) => (&mut merged.scopes, &mut merged.group_ids),
            None => (&mut self.scopes, &mut self.group_ids),
        };
        scopes.retain(|grant| !is_of(grant, group));
        scopes.extend(grants);
        group_ids.retain(|id| id != group);
        if administers {
            group_ids.push(group.to_owned());
        }
        Ok(())
    }
}

fn is_of(grant: &ScopeGrant, group: &str) -> bool {
    match grant.kind() {
        ScopeKind::Group => grant.id == group,
        ScopeKind::Division => grant.within_id == group,
        ScopeKind::Unspecified | ScopeKind::Branch | ScopeKind::Firm | ScopeKind::Associate => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::MergedInto;

    fn grant(kind: ScopeKind, id: &str, within: &str, role: &str) -> ScopeGrant {
        ScopeGrant { kind: kind.into(), id: id.into(), within_id: within.into(), roles: vec![role.into()] }
    }

    fn set(identity: &mut Identity, group: &str, grants: Vec<ScopeGrant>) -> Result<()> {
        let request = SetGroupRolesRequest { group_id: group.into(), grants, ..SetGroupRolesRequest::default() };
        identity.edit(&request, &EditContext::at(0))
    }

    #[test]
    fn roles_of_one_group_are_replaced_and_those_of_others_stay() {
        let mut boss = Identity { group_ids: vec!["acme".into(), "bakery".into()], ..Identity::default() };
        let east = grant(ScopeKind::Division, "east", "bakery", "AUTHORIZED_USER");
        boss.scopes = vec![east.clone()];
        let west = grant(ScopeKind::Division, "west", "acme", "CUSTOMER_SERVICE_REPRESENTATIVE");
        set(&mut boss, "acme", vec![west.clone()]).unwrap();
        assert_eq!((&boss.group_ids[..], &boss.scopes[..]), (&["bakery".to_owned()][..], &[east.clone(), west][..]));
        set(&mut boss, "acme", vec![grant(ScopeKind::Group, "acme", "", "GROUP_ADMINISTRATOR")]).unwrap();
        assert_eq!((&boss.group_ids[1], &boss.scopes[..]), (&"acme".to_owned(), &[east.clone()][..]));
        set(&mut boss, "acme", vec![grant(ScopeKind::Group, "acme", "", "FILE_ADMINISTRATOR")]).unwrap();
        assert_eq!((boss.group_ids.len(), boss.scopes.len()), (1, 2));
        set(&mut boss, "acme", Vec::new()).unwrap();
        assert_eq!((boss.group_ids.len(), &boss.scopes[..]), (1, &[east.clone()][..]));
        assert!(set(&mut boss, "acme", vec![east.clone()]).is_err(), "a division of another group");
        let merged = MergedInto { group_ids: vec!["acme".into()], scopes: vec![east.clone()], ..MergedInto::default() };
        let mut gone = Identity { merged: Some(merged), ..Identity::default() };
        set(&mut gone, "acme", Vec::new()).unwrap();
        let left = gone.merged.unwrap();
        assert!(left.group_ids.is_empty() && left.scopes == [east], "an undone merge does not bring the role back");
    }
}
