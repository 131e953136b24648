//! Permissions: in the contract's form, in a caller's form, and the rule of granting them.

use std::collections::BTreeMap;

use pavise_kernel::{Caller, Error, Result};

use crate::contract::v1::{ApplicationPermissions, ErrorReason, Identity};

/// How many bytes of permissions, groups and roles an identity has at most: they go into every token, and tokens into headers.
const MOST_CLAIMS: usize = 4096;

/// Permissions by application, as tokens carry them. An application that is named twice has both.
pub(crate) fn by_application(permissions: &[ApplicationPermissions]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in permissions {
        let given = all.entry(one.application.clone()).or_default();
        given.extend(one.permissions.iter().cloned());
        given.sort();
        given.dedup();
    }
    all
}

/// The same as the contract writes them.
pub(crate) fn as_messages(permissions: &BTreeMap<String, Vec<String>>) -> Vec<ApplicationPermissions> {
    let message = |(application, given): (&String, &Vec<String>)| ApplicationPermissions {
        application: application.clone(),
        permissions: given.clone(),
    };
    permissions.iter().map(message).collect()
}

/// Whether the given permissions include the wanted one. Each is a name, a prefix or all.
fn covers(given: &[String], wanted: &str) -> bool {
    given.iter().any(|one| match one.strip_suffix('*') {
        Some(prefix) => wanted.starts_with(prefix),
        None => one == wanted,
    })
}

/// The first permission of `wanted` that `given` does not include, with its application.
pub(crate) fn beyond<'w>(
    given: &BTreeMap<String, Vec<String>>,
    wanted: &'w BTreeMap<String, Vec<String>>,
) -> Option<(&'w str, &'w str)> {
    let mut each = wanted.iter().flat_map(|(application, names)| names.iter().map(move |name| (application, name)));
    let missing = each.find(|(application, name)| !given.get(*application).is_some_and(|given| covers(given, name)));
    missing.map(|(application, name)| (application.as_str(), name.as_str()))
}

/// The permissions that both include. Of a name and a prefix that includes it, that is the name.
pub(crate) fn common(
    one: &BTreeMap<String, Vec<String>>,
    other: &BTreeMap<String, Vec<String>>,
) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for (application, names) in one {
        let Some(others) = other.get(application) else { continue };
        let here = names.iter().filter(|name| covers(others, name));
        let there = others.iter().filter(|name| covers(names, name));
        let mut both: Vec<String> = here.chain(there).cloned().collect();
        both.sort();
        both.dedup();
        if !both.is_empty() {
            all.insert(application.clone(), both);
        }
    }
    all
}

/// Refuses to grant permissions that the caller does not have.
///
/// # Errors
/// `PERMISSION_NOT_HELD`.
pub(crate) fn check_grant(caller: &Caller, wanted: &BTreeMap<String, Vec<String>>) -> Result<()> {
    let Some((application, permission)) = beyond(&caller.permissions, wanted) else { return Ok(()) };
    let message = format!("you cannot grant {permission}, which you do not have");
    Err(Error::new(ErrorReason::PermissionNotHeld, message)
        .with("permission", permission)
        .with("application", application))
}

/// Refuses a change of the sign-in of an identity that has more permissions than the caller: the caller could sign in
/// as that identity.
///
/// # Errors
/// `PERMISSION_NOT_HELD`.
pub(crate) fn check_sign_in_change(caller: &Caller, identity: &Identity) -> Result<()> {
    if caller.identity == identity.id { Ok(()) } else { check_grant(caller, &by_application(&identity.permissions)) }
}

/// Refuses permissions, groups and roles that no token could carry.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_token_size(
    permissions: &[ApplicationPermissions],
    group_ids: &[String],
    scopes: usize,
) -> Result<()> {
    let names = permissions.iter().flat_map(|one| one.permissions.iter().chain([&one.application]));
    let claims: usize = names.chain(group_ids).map(|name| name.len() + 3).sum();
    if claims.saturating_add(scopes) > MOST_CLAIMS {
        let field = match (group_ids, scopes) {
            ([], 0) => "permissions",
            (_, 0) => "group_ids",
            _ => "scopes",
        };
        return Err(Error::field(field, "are too many for a token; name prefixes, or fewer"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(names: &[&str]) -> BTreeMap<String, Vec<String>> {
        BTreeMap::from([("pavise".to_owned(), names.iter().map(|name| (*name).to_owned()).collect())])
    }

    #[test]
    fn a_prefix_includes_names_and_longer_prefixes_never_shorter_ones() {
        assert_eq!(beyond(&given(&["*"]), &given(&["billing.invoices.read", "billing.*", "*"])), None);
        assert_eq!(
            beyond(&given(&["billing.*"]), &given(&["billing.invoices.read", "billing.invoices.*", "billing.*"])),
            None
        );
        assert_eq!(beyond(&given(&["billing.*"]), &given(&["*"])), Some(("pavise", "*")));
        assert_eq!(beyond(&given(&["billing.invoices.*"]), &given(&["billing.*"])), Some(("pavise", "billing.*")));
        assert_eq!(
            beyond(&given(&["billing.invoices.read"]), &given(&["billing.invoices.readers"])),
            Some(("pavise", "billing.invoices.readers"))
        );
        assert_eq!(beyond(&given(&["billing.*"]), &given(&["billings.read"])), Some(("pavise", "billings.read")));
    }

    #[test]
    fn what_two_have_in_common_is_the_narrower_of_each() {
        let both = |one: &[&str], other: &[&str]| common(&given(one), &given(other));
        assert_eq!(both(&["billing.*", "orders.orders.read"], &["*"]), given(&["billing.*", "orders.orders.read"]));
        assert_eq!(both(&["billing.*"], &["billing.invoices.read", "orders.*"]), given(&["billing.invoices.read"]));
        assert_eq!(both(&["billing.*"], &["billing.*"]), given(&["billing.*"]));
        assert_eq!(both(&["billing.*"], &["orders.*"]), BTreeMap::new());
        assert_eq!(
            common(&given(&["*"]), &BTreeMap::from([("reports".to_owned(), vec!["*".to_owned()])])),
            BTreeMap::new()
        );
    }

    #[test]
    fn permissions_of_one_application_say_nothing_of_another() {
        let other = BTreeMap::from([("reports".to_owned(), vec!["read".to_owned()])]);
        assert_eq!(beyond(&given(&["*"]), &other), Some(("reports", "read")));
    }

    #[test]
    fn an_application_named_twice_has_both() {
        let one = |name: &str| ApplicationPermissions { application: "pavise".into(), permissions: vec![name.into()] };
        let all = by_application(&[one("b"), one("a"), one("b")]);
        assert_eq!(all, given(&["a", "b"]));
        assert_eq!(by_application(&as_messages(&all)), all);
    }
}
