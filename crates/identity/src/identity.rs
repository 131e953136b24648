//! What an identity is and keeps to: its names, its numbers, what its token says of it.

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::caller::Realm;
use pavise_kernel::{Caller, Error, Result};
use prost_types::Timestamp;

use crate::contract::v1::{ApplicationPermissions, ClassicIdInput, Email, ErrorReason, Identity, IdentityRealm, LinkedClassicId};
use crate::grants;

/// How many e-mail addresses, usernames and classic numbers an identity has at most.
const MOST_EMAILS: usize = 10;
const MOST_USERNAMES: usize = 10;
const MOST_CLASSIC_IDS: usize = 20;
/// How many bytes of permissions and groups an identity has at most: they go into every token, and tokens into headers.
const MOST_CLAIMS: usize = 4096;

impl Identity {
    /// Its names, for rules on passwords.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.emails.iter().map(|email| email.address.as_str()).chain(self.usernames.iter().map(String::as_str))
    }

    /// Its permissions and groups as a token says them.
    pub(crate) fn caller(&self) -> Caller {
        Caller {
            identity: self.id.clone(),
            realm: self.realm().as_caller(),
            sub_type: self.sub_type.clone(),
            permissions: grants::by_application(&self.permissions),
            groups: self.group_ids.clone(),
            ..Caller::default()
        }
    }

    /// Adds an e-mail address, or makes one that it has the primary one.
    pub(crate) fn add_email(&mut self, address: &str, primary: bool, now: Timestamp) -> Result<()> {
        let known = self.emails.iter().position(|email| email.address.eq_ignore_ascii_case(address));
        if known.is_none() {
            if self.emails.len() >= MOST_EMAILS {
                return Err(Error::field("email", format!("an identity has at most {MOST_EMAILS} e-mail addresses")));
            }
            self.emails.push(Email { address: address.to_owned(), primary: false, added_at: Some(now) });
        }
        let place = known.unwrap_or(self.emails.len() - 1);
        if primary || self.emails.len() == 1 {
            for (at, email) in self.emails.iter_mut().enumerate() {
                email.primary = at == place;
            }
        }
        Ok(())
    }

    /// Removes an e-mail address that it has; the oldest that is left becomes primary when it was.
    pub(crate) fn remove_email(&mut self, address: &str) -> Result<()> {
        let before = self.emails.len();
        self.emails.retain(|email| !email.address.eq_ignore_ascii_case(address));
        if self.emails.len() < before {
            self.keeps_a_name()?;
        }
        if !self.emails.iter().any(|email| email.primary)
            && let Some(first) = self.emails.first_mut()
        {
            first.primary = true;
        }
        Ok(())
    }

    /// Adds a username.
    pub(crate) fn add_username(&mut self, username: &str) -> Result<()> {
        if self.usernames.iter().any(|known| known.eq_ignore_ascii_case(username)) {
            return Ok(());
        }
        if self.usernames.len() >= MOST_USERNAMES {
            return Err(Error::field("username", format!("an identity has at most {MOST_USERNAMES} usernames")));
        }
        self.usernames.push(username.to_owned());
        Ok(())
    }

    /// Removes a username that it has.
    pub(crate) fn remove_username(&mut self, username: &str) -> Result<()> {
        let before = self.usernames.len();
        self.usernames.retain(|known| !known.eq_ignore_ascii_case(username));
        if self.usernames.len() < before { self.keeps_a_name() } else { Ok(()) }
    }

    /// Connects a number of the classic system.
    pub(crate) fn add_classic_id(&mut self, number: &ClassicIdInput) -> Result<()> {
        let linked = number.linked();
        if self.classic_ids.contains(&linked) {
            return Ok(());
        }
        if self.classic_ids.len() >= MOST_CLASSIC_IDS {
            return Err(Error::field("classic_id", format!("an identity has at most {MOST_CLASSIC_IDS} classic numbers")));
        }
        self.classic_ids.push(linked);
        Ok(())
    }

    /// Disconnects a number of the classic system.
    pub(crate) fn remove_classic_id(&mut self, number: &ClassicIdInput) {
        let key = number.linked().key;
        self.classic_ids.retain(|known| known.key != key);
    }

    fn keeps_a_name(&self) -> Result<()> {
        if self.emails.is_empty() && self.usernames.is_empty() {
            let message = "this is the last e-mail address or username; add another one first";
            return Err(Error::new(ErrorReason::LastSignInName, message));
        }
        Ok(())
    }
}

impl ClassicIdInput {
    /// The number with its key.
    pub(crate) fn linked(&self) -> LinkedClassicId {
        let key = format!("{}/{}", self.r#type().spelling(), self.value);
        LinkedClassicId { r#type: self.r#type, value: self.value.clone(), key }
    }
}

impl IdentityRealm {
    /// The realm as callers carry it.
    pub(crate) fn as_caller(self) -> Realm {
        match self {
            Self::Unspecified => Realm::Unspecified,
            Self::User => Realm::User,
            Self::Machine => Realm::Machine,
            Self::Internal => Realm::Internal,
            Self::Partner => Realm::Partner,
            Self::GroupAdmin => Realm::GroupAdmin,
        }
    }

    /// Whether identities of the realm have permissions; members and group administrators have what is theirs.
    pub(crate) fn has_permissions(self) -> bool {
        matches!(self, Self::Internal | Self::Machine | Self::Partner)
    }

    /// Refuses what identities of the realm do not have.
    pub(crate) fn lacks(self, what: &str) -> Error {
        Error::new(ErrorReason::NotInThisRealm, format!("an identity of realm {} has no {what} of its own", self.spelling()))
    }
}

impl Invariants for Identity {
    fn check(&self) -> Result<()> {
        if !self.permissions.is_empty() && !self.realm().has_permissions() {
            return Err(self.realm().lacks("permissions"));
        }
        if !self.group_ids.is_empty() && self.realm() != IdentityRealm::GroupAdmin {
            return Err(self.realm().lacks("administered groups"));
        }
        let primaries = self.emails.iter().filter(|email| email.primary).count();
        if primaries != usize::from(!self.emails.is_empty()) {
            return Err(Error::internal("an identity has one primary e-mail address when it has any"));
        }
        fits_into_a_token(&self.permissions, &self.group_ids)
    }
}

/// Refuses permissions and groups that no token could carry.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn fits_into_a_token(permissions: &[ApplicationPermissions], group_ids: &[String]) -> Result<()> {
    let names = permissions.iter().flat_map(|one| one.permissions.iter().chain([&one.application]));
    let claims: usize = names.chain(group_ids).map(|name| name.len() + 3).sum();
    if claims > MOST_CLAIMS {
        let field = if group_ids.is_empty() { "permissions" } else { "group_ids" };
        return Err(Error::field(field, "are too many for a token; name prefixes, or fewer"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp { seconds: 1_800_000_000, nanos: 0 };

    fn addresses(identity: &Identity) -> Vec<(&str, bool)> {
        identity.emails.iter().map(|email| (email.address.as_str(), email.primary)).collect()
    }

    #[test]
    fn there_is_one_primary_address_whatever_is_added_and_removed() {
        let mut ada = Identity::default();
        ada.add_email("a@example.com", false, NOW).unwrap();
        ada.add_email("b@example.com", true, NOW).unwrap();
        ada.add_email("c@example.com", false, NOW).unwrap();
        assert_eq!(addresses(&ada), [("a@example.com", false), ("b@example.com", true), ("c@example.com", false)]);
        ada.add_email("C@Example.com", true, NOW).unwrap();
        assert_eq!(addresses(&ada), [("a@example.com", false), ("b@example.com", false), ("c@example.com", true)]);
        ada.remove_email("C@EXAMPLE.COM").unwrap();
        assert_eq!(addresses(&ada), [("a@example.com", true), ("b@example.com", false)]);
        ada.check().unwrap();
        let before = ada.clone();
        ada.remove_email("nobody@example.com").unwrap();
        assert_eq!(ada, before);
    }

    #[test]
    fn the_last_name_to_sign_in_with_stays() {
        let mut ada = Identity::default();
        ada.remove_email("a@example.com").unwrap();
        ada.add_email("a@example.com", false, NOW).unwrap();
        assert!(ada.clone().remove_email("a@example.com").unwrap_err().is(ErrorReason::LastSignInName));
        ada.add_username("ada").unwrap();
        ada.remove_email("a@example.com").unwrap();
        assert!(ada.clone().remove_username("ADA").unwrap_err().is(ErrorReason::LastSignInName));
    }

    #[test]
    fn numbers_are_told_apart_by_kind() {
        let number = |kind: i32| ClassicIdInput { r#type: kind, value: "12345".into() };
        let mut ada = Identity::default();
        ada.add_classic_id(&number(1)).unwrap();
        ada.add_classic_id(&number(2)).unwrap();
        ada.add_classic_id(&number(1)).unwrap();
        assert_eq!(ada.classic_ids.iter().map(|id| id.key.as_str()).collect::<Vec<_>>(), ["Member/12345", "Associate/12345"]);
        ada.remove_classic_id(&number(1));
        assert_eq!(ada.classic_ids.len(), 1);
    }

    #[test]
    fn what_a_realm_does_not_have_is_refused() {
        let permissions = vec![ApplicationPermissions { application: "pavise".into(), permissions: vec!["*".into()] }];
        let member = Identity { realm: IdentityRealm::User.into(), permissions: permissions.clone(), ..Identity::default() };
        assert!(member.check().unwrap_err().is(ErrorReason::NotInThisRealm));
        let staff = Identity { realm: IdentityRealm::Internal.into(), permissions, ..Identity::default() };
        staff.check().unwrap();
        let staff = Identity { group_ids: vec!["g".into()], ..staff };
        assert!(staff.check().unwrap_err().is(ErrorReason::NotInThisRealm));
    }

    #[test]
    fn claims_fit_into_a_header() {
        let groups = |count: usize| Identity {
            realm: IdentityRealm::GroupAdmin.into(),
            group_ids: (0..count).map(|n| format!("01900000-0000-7000-8000-{n:012}")).collect(),
            ..Identity::default()
        };
        groups(100).check().unwrap();
        assert!(groups(500).check().is_err());
        let token = pavise_kernel::token::issue(
            &groups(100).caller(),
            std::time::Duration::from_secs(900),
            &pavise_kernel::token::TokenKey::mesh(b"test"),
            0,
        );
        assert!(token.len() < pavise_kernel::token::LARGEST);
    }
}
