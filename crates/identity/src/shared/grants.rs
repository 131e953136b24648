//! Permissions: in the contract's form, in a caller's form, and the rule of granting them.

use std::collections::BTreeMap;

use pavise_kernel::caller::APPLICATION;
use pavise_kernel::{Call, Caller, Error, Result};

use super::scopes;
use crate::contract::roles;
use crate::contract::v1::{ApplicationPermissions, ErrorReason, Identity, IdentityRealm};

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
pub(crate) fn find_beyond<'w>(
    given: &BTreeMap<String, Vec<String>>,
    wanted: &'w BTreeMap<String, Vec<String>>,
) -> Option<(&'w str, &'w str)> {
    let mut each = wanted.iter().flat_map(|(application, names)| names.iter().map(move |name| (application, name)));
    let missing = each.find(|(application, name)| !given.get(*application).is_some_and(|given| covers(given, name)));
    missing.map(|(application, name)| (application.as_str(), name.as_str()))
}

/// The permissions that both include. Of a name and a prefix that includes it, that is the name.
pub(crate) fn intersect_permissions(
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

/// The rights that a write, a key or a token gives somebody. Everything that gives rights passes through [`GrantedRights::check`].
#[derive(Debug, Default)]
pub(crate) struct GrantedRights {
    /// A realm other than that of members.
    realm: Option<IdentityRealm>,
    permissions: BTreeMap<String, Vec<String>>,
    /// Whether it gives a group or a role in a scope.
    scopes: bool,
}

impl GrantedRights {
    /// The rights of a new identity.
    pub(crate) fn new_identity(identity: &Identity) -> Self {
        Self {
            realm: Some(identity.realm()).filter(|realm| *realm != IdentityRealm::User),
            permissions: by_application(&identity.permissions),
            scopes: scopes::of(identity).iter().next().is_some(),
        }
    }

    /// The rights that a change of an identity gives. A right that it has already is not given anew.
    pub(crate) fn change(before: &Identity, after: &Identity) -> Self {
        let (has, mut permissions) = (by_application(&before.permissions), by_application(&after.permissions));
        for (application, names) in &mut permissions {
            let had = has.get(application);
            names.retain(|name| !had.is_some_and(|had| had.contains(name)));
        }
        let realm = Some(after.realm()).filter(|realm| *realm != before.realm());
        Self { realm, permissions, scopes: scopes::has_lost(after, before) }
    }

    /// The rights of the bearer of a key, or of a token of a program.
    pub(crate) fn permissions(permissions: &BTreeMap<String, Vec<String>>) -> Self {
        Self { permissions: permissions.clone(), ..Self::default() }
    }

    /// The rights of those who become that identity, or sign in as it.
    pub(crate) fn sign_in(identity: &Identity) -> Self {
        Self { realm: None, ..Self::new_identity(identity) }
    }

    /// Refuses to give rights that the caller may not give: permissions that they do not have, and realms, groups and roles
    /// unless they are a granter.
    ///
    /// # Errors
    /// `PERMISSION_NOT_HELD`.
    pub(crate) fn check(&self, caller: &Caller, is_granter: bool) -> Result<()> {
        check_grant(caller, &self.permissions)?;
        if is_granter || (self.realm.is_none() && !self.scopes) {
            return Ok(());
        }
        let what = self.realm.map_or("groups and roles".to_owned(), |realm| format!("the realm {}", realm.spelling()));
        Err(Error::new(ErrorReason::PermissionNotHeld, format!("you cannot give {what} without {GRANTER}"))
            .with("permission", GRANTER)
            .with("application", APPLICATION))
    }
}

/// The permission of granters, as the refusal names it. The role GRANTER of the calls has it.
const GRANTER: &str = "identity.permissions.write";

fn check_grant(caller: &Caller, wanted: &BTreeMap<String, Vec<String>>) -> Result<()> {
    let Some((application, permission)) = find_beyond(&caller.permissions, wanted) else { return Ok(()) };
    let message = format!("you cannot grant {permission}, which you do not have");
    Err(Error::new(ErrorReason::PermissionNotHeld, message)
        .with("permission", permission)
        .with("application", application))
}

/// Refuses a change of the sign-in of an identity that has more rights than the caller: the caller could sign in as that
/// identity.
///
/// # Errors
/// `PERMISSION_NOT_HELD`.
pub(crate) fn check_sign_in_change(call: &Call, identity: &Identity) -> Result<()> {
    if call.caller().identity == identity.id {
        return Ok(());
    }
    GrantedRights::sign_in(identity).check(call.caller(), call.has_role(roles::GRANTER))
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
        assert_eq!(find_beyond(&given(&["*"]), &given(&["billing.invoices.read", "billing.*", "*"])), None);
        assert_eq!(
            find_beyond(&given(&["billing.*"]), &given(&["billing.invoices.read", "billing.invoices.*", "billing.*"])),
            None
        );
        assert_eq!(find_beyond(&given(&["billing.*"]), &given(&["*"])), Some(("pavise", "*")));
        assert_eq!(find_beyond(&given(&["billing.invoices.*"]), &given(&["billing.*"])), Some(("pavise", "billing.*")));
        assert_eq!(
            find_beyond(&given(&["billing.invoices.read"]), &given(&["billing.invoices.readers"])),
            Some(("pavise", "billing.invoices.readers"))
        );
        assert_eq!(find_beyond(&given(&["billing.*"]), &given(&["billings.read"])), Some(("pavise", "billings.read")));
    }

    #[test]
    fn intersection_takes_the_narrower_of_each_two() {
        let both = |one: &[&str], other: &[&str]| intersect_permissions(&given(one), &given(other));
        assert_eq!(both(&["billing.*", "orders.orders.read"], &["*"]), given(&["billing.*", "orders.orders.read"]));
        assert_eq!(both(&["billing.*"], &["billing.invoices.read", "orders.*"]), given(&["billing.invoices.read"]));
        assert_eq!(both(&["billing.*"], &["billing.*"]), given(&["billing.*"]));
        assert_eq!(both(&["billing.*"], &["orders.*"]), BTreeMap::new());
        assert_eq!(
            intersect_permissions(&given(&["*"]), &BTreeMap::from([("reports".to_owned(), vec!["*".to_owned()])])),
            BTreeMap::new()
        );
    }

    #[test]
    fn permissions_of_one_application_say_nothing_of_another() {
        let other = BTreeMap::from([("reports".to_owned(), vec!["read".to_owned()])]);
        assert_eq!(find_beyond(&given(&["*"]), &other), Some(("reports", "read")));
    }

    #[test]
    fn an_application_named_twice_has_both() {
        let one = |name: &str| ApplicationPermissions { application: "pavise".into(), permissions: vec![name.into()] };
        let all = by_application(&[one("b"), one("a"), one("b")]);
        assert_eq!(all, given(&["a", "b"]));
        assert_eq!(by_application(&as_messages(&all)), all);
    }

    /// Random numbers, so that a failure repeats.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % end
        }

        fn some<'a>(&mut self, of: &[&'a str]) -> Vec<&'a str> {
            of.iter().filter(|_| self.below(3) == 0).copied().collect()
        }
    }

    const NAMES: [&str; 6] =
        ["*", "billing.*", "billing.invoices.*", "billing.invoices.read", "orders.*", "orders.read"];
    /// Single permissions that the names include or not.
    const SINGLE: [&str; 6] =
        ["billing.invoices.read", "billing.invoices.pay", "billing.cards.read", "orders.read", "orders.write", "other"];

    /// Whether somebody with these names may do that, said without the code under test.
    fn may(names: &[String], single: &str) -> bool {
        names
            .iter()
            .any(|name| name == single || name.strip_suffix('*').is_some_and(|prefix| single.starts_with(prefix)))
    }

    #[test]
    fn rights_beyond_the_givers_own_are_refused() {
        let mut random = Random(7);
        let (mut given, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let realms = [IdentityRealm::User, IdentityRealm::GroupAdmin, IdentityRealm::Internal];
            let realm = realms[usize::try_from(random.below(3)).unwrap()];
            let mut identity = || Identity {
                realm: realm.into(),
                permissions: as_messages(&super::tests::given(&random.some(&NAMES))),
                group_ids: random.some(&["g1", "g2"]).into_iter().map(str::to_owned).collect(),
                ..Identity::default()
            };
            let (before, after) = (identity(), identity());
            let caller = Caller { permissions: super::tests::given(&random.some(&NAMES)), ..Caller::default() };
            let (is_granter, is_new) = (random.below(2) == 0, random.below(2) == 0);
            let all = |identity: &Identity| by_application(&identity.permissions).remove("pavise").unwrap_or_default();
            let had = if is_new { Identity::default() } else { before.clone() };
            let gained = SINGLE.iter().filter(|one| may(&all(&after), one) && !may(&all(&had), one));
            let held = caller.permissions.get("pavise").cloned().unwrap_or_default();
            let permits = gained.clone().all(|one| may(&held, one));
            let groups = after.group_ids.iter().all(|group| had.group_ids.contains(group));
            let realm_is_free = !is_new || realm == IdentityRealm::User;
            let rights =
                if is_new { GrantedRights::new_identity(&after) } else { GrantedRights::change(&before, &after) };
            match rights.check(&caller, is_granter) {
                Ok(()) => {
                    assert!(permits && (is_granter || (groups && realm_is_free)), "{caller:?} {before:?} {after:?}");
                    given += 1;
                }
                Err(error) => {
                    assert!(error.is(ErrorReason::PermissionNotHeld));
                    refused += 1;
                }
            }
            let all_powerful = Caller { permissions: super::tests::given(&["*"]), ..Caller::default() };
            rights.check(&all_powerful, true).unwrap();
        }
        assert!(given > 1000 && refused > 1000, "{given} {refused}");
    }
}
