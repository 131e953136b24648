//! Rules of every write of an identity.

use std::collections::BTreeSet;

use pavise_kernel::words::SearchWords;
use pavise_kernel::{Derive, Error, Invariants, Result, email};
use prost_types::Timestamp;

use crate::contract::v1::{Email, ErrorReason, Identity, IdentityRealm, IdentitySettings};
use crate::shared::{grants, scopes};

/// How many e-mail addresses, usernames and classic numbers an identity has at most.
const MOST_EMAILS: usize = 10;
const MOST_USERNAMES: usize = 10;
const MOST_CLASSIC_IDS: usize = 20;

impl Derive for Identity {
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        self.derive_emails(before, at);
        for number in &mut self.classic_ids {
            number.key = format!("{}/{}", number.r#type().spelling(), number.value);
        }
        let mut keys = BTreeSet::new();
        self.classic_ids.retain(|number| keys.insert(number.key.clone()));
        let mut names = BTreeSet::new();
        self.usernames.retain(|name| names.insert(name.to_ascii_lowercase()));
        self.permissions = grants::as_messages(&grants::by_application(&self.permissions));
        // Settings that all have their default are left out.
        if before.is_some_and(|before| before.settings.is_none()) {
            self.settings = self.settings.filter(|settings| *settings != IdentitySettings::default());
        }
        self.search_words = list_words(self);
        // A merged identity has given its names away.
        let gave_them_away = self.merged.is_some();
        let had_one = before.is_some_and(|before| before.names().next().is_some());
        if had_one && !gave_them_away { self.check_names() } else { Ok(()) }
    }

    /// An address from before proofs were asked for counts as proved since it was added.
    fn complete(&mut self) {
        let made_at = self.created_at;
        for email in &mut self.emails {
            email.added_at = email.added_at.or(made_at);
            email.verified_at = email.verified_at.or(email.added_at);
        }
    }
}

/// The words by which an identity is searched. One that went up in another is not.
fn list_words(identity: &Identity) -> Vec<String> {
    if identity.merged.is_some() {
        return Vec::new();
    }
    let words = identity
        .usernames
        .iter()
        .fold(SearchWords::default().name(&identity.display_name), |words, name| words.name(name));
    identity.emails.iter().fold(words, |words, email| words.address(&email.address)).into_list()
}

impl Invariants for Identity {
    fn check(&self) -> Result<()> {
        if !self.permissions.is_empty() && !self.realm().has_permissions() {
            return Err(self.realm().lacks_error("permissions"));
        }
        if !self.group_ids.is_empty() && self.realm() != IdentityRealm::GroupAdmin {
            return Err(self.realm().lacks_error("administered groups"));
        }
        let counts = [
            ("emails", self.emails.len(), MOST_EMAILS, "e-mail addresses"),
            ("usernames", self.usernames.len(), MOST_USERNAMES, "usernames"),
            ("classic_ids", self.classic_ids.len(), MOST_CLASSIC_IDS, "classic numbers"),
        ];
        if let Some((field, _, most, what)) = counts.into_iter().find(|(_, count, most, _)| count > most) {
            return Err(Error::field(field, format!("an identity has at most {most} {what}")));
        }
        let primaries = self.emails.iter().filter(|email| email.primary).count();
        if primaries != usize::from(!self.emails.is_empty()) {
            return Err(Error::internal("an identity has one primary e-mail address when it has any"));
        }
        scopes::check_scopes(self)?;
        grants::check_token_size(&self.permissions, &self.group_ids, scopes::measure_scopes(self))
    }
}

impl Identity {
    /// Keeps each address once, with the time when it was added, and makes exactly one primary. That is the address
    /// just marked; else the former primary one; else the oldest.
    pub(crate) fn derive_emails(&mut self, before: Option<&Self>, at: &Timestamp) {
        let had = |address: &str| {
            let emails = before.map(|before| before.emails.as_slice()).unwrap_or_default();
            emails.iter().find(|email| email::is_same(&email.address, address))
        };
        let mut seen: Vec<String> = Vec::new();
        self.emails.retain(|email| {
            let address = email::fold_address(&email.address);
            let first = !seen.contains(&address);
            seen.push(address);
            first
        });
        for email in &mut self.emails {
            let added_at = had(&email.address).and_then(|known| known.added_at);
            email.added_at = Some(added_at.unwrap_or(*at));
            // Only what was proved gets here. What was here before proofs were asked for counts since it was added.
            let verified_at = had(&email.address).and_then(|known| known.verified_at).or(email.verified_at);
            email.verified_at = verified_at.or(added_at).or(Some(*at));
        }
        let was = |email: &Email| had(&email.address).is_some_and(|known| known.primary);
        let chosen = self.emails.iter().rposition(|email| email.primary && !was(email));
        let chosen = chosen.or_else(|| self.emails.iter().position(was)).unwrap_or(0);
        for (place, email) in self.emails.iter_mut().enumerate() {
            email.primary = place == chosen;
        }
    }

    fn check_names(&self) -> Result<()> {
        if self.emails.is_empty() && self.usernames.is_empty() {
            let message = "this is the last e-mail address or username; add another one first";
            return Err(Error::new(ErrorReason::LastSignInName, message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ApplicationPermissions, LinkedClassicId};

    const NOW: Timestamp = Timestamp { seconds: 1_800_000_000, nanos: 0 };

    fn addresses(identity: &Identity) -> Vec<(&str, bool)> {
        identity.emails.iter().map(|email| (email.address.as_str(), email.primary)).collect()
    }

    fn email(address: &str, primary: bool) -> Email {
        Email { address: address.into(), primary, added_at: None, verified_at: None }
    }

    /// The identity after an edit, settled as every write is.
    fn edited(before: &Identity, edit: impl FnOnce(&mut Identity)) -> Result<Identity> {
        let mut after = before.clone();
        edit(&mut after);
        after.derive(Some(before), &NOW)?;
        let once = after.clone();
        after.derive(Some(before), &NOW)?;
        assert_eq!(after, once, "settling what is settled changes nothing");
        after.check()?;
        Ok(after)
    }

    fn with_emails(emails: &[(&str, bool)]) -> Identity {
        let emails = emails.iter().map(|(address, primary)| email(address, *primary)).collect();
        let mut ada = Identity { emails, ..Identity::default() };
        ada.derive(None, &NOW).unwrap();
        ada
    }

    #[test]
    fn there_is_one_primary_address_whatever_is_added_and_removed() {
        let ada = with_emails(&[("a@example.com", false)]);
        assert_eq!(addresses(&ada), [("a@example.com", true)]);
        assert_eq!(ada.emails[0].added_at, Some(NOW));
        let ada = edited(&ada, |ada| ada.emails.push(email("b@example.com", true))).unwrap();
        let ada = edited(&ada, |ada| ada.emails.push(email("c@example.com", false))).unwrap();
        assert_eq!(addresses(&ada), [("a@example.com", false), ("b@example.com", true), ("c@example.com", false)]);
        let ada = edited(&ada, |ada| ada.emails[2].primary = true).unwrap();
        assert_eq!(addresses(&ada), [("a@example.com", false), ("b@example.com", false), ("c@example.com", true)]);
        let same = edited(&ada, |ada| ada.emails[2].primary = false).unwrap();
        assert_eq!(same, ada, "the primary one stays so until another is");
        let ada = edited(&ada, |ada| ada.emails.truncate(2)).unwrap();
        assert_eq!(addresses(&ada), [("a@example.com", true), ("b@example.com", false)]);
    }

    #[test]
    fn all_addresses_are_replaced_and_those_that_stay_keep_their_day() {
        let ada = with_emails(&[("a@example.com", true), ("b@example.com", false)]);
        let mut after = ada.clone();
        after.emails = vec![email("c@example.com", false), email("B@example.com", false), email("b@example.com", true)];
        let later = Timestamp { seconds: NOW.seconds + 60, nanos: 0 };
        after.derive(Some(&ada), &later).unwrap();
        assert_eq!(addresses(&after), [("c@example.com", true), ("B@example.com", false)]);
        assert_eq!(after.emails.iter().map(|email| email.added_at.unwrap()).collect::<Vec<_>>(), [later, NOW]);
    }

    #[test]
    fn the_last_name_to_sign_in_with_stays() {
        let ada = with_emails(&[("a@example.com", true)]);
        assert!(edited(&ada, |ada| ada.emails.clear()).unwrap_err().is(ErrorReason::LastSignInName));
        let ada = edited(&ada, |ada| ada.usernames.push("ada".into())).unwrap();
        let ada = edited(&ada, |ada| ada.emails.clear()).unwrap();
        assert!(edited(&ada, |ada| ada.usernames.clear()).unwrap_err().is(ErrorReason::LastSignInName));
        edited(&Identity::default(), |nobody| nobody.sub_type = "job".into()).unwrap();
    }

    #[test]
    fn names_beyond_the_limit_are_refused() {
        let ada = with_emails(&[("a@example.com", true)]);
        let many = |count: usize| edited(&ada, |ada| ada.usernames = (0..count).map(|n| format!("name{n}")).collect());
        assert_eq!(many(MOST_USERNAMES).unwrap().usernames.len(), MOST_USERNAMES);
        assert!(many(MOST_USERNAMES + 1).is_err());
    }

    #[test]
    fn numbers_are_told_apart_by_kind() {
        let number = |kind: i32| LinkedClassicId { r#type: kind, value: "12345".into(), key: String::new() };
        let ada = edited(&Identity::default(), |ada| ada.classic_ids = vec![number(1), number(2), number(1)]).unwrap();
        assert_eq!(
            ada.classic_ids.iter().map(|id| id.key.as_str()).collect::<Vec<_>>(),
            ["Member/12345", "Associate/12345"]
        );
    }

    #[test]
    fn fields_of_another_realm_are_refused() {
        let permissions = vec![ApplicationPermissions { application: "pavise".into(), permissions: vec!["*".into()] }];
        let member =
            Identity { realm: IdentityRealm::User.into(), permissions: permissions.clone(), ..Identity::default() };
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
        let token = pavise_kernel::token::issue_token(
            &groups(100).caller(),
            std::time::Duration::from_secs(900),
            &pavise_kernel::token::TokenKey::mesh(b"test"),
            0,
        );
        assert!(token.len() < pavise_kernel::token::LARGEST);
    }
}
