//! The names of an identity, and the claims of its tokens.

use pavise_kernel::caller::Realm;
use pavise_kernel::{Caller, Error};

use super::{grants, scopes};
use crate::contract::v1::{ErrorReason, Identity, IdentityRealm};

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
            scopes: scopes::of(self),
            version: self.version,
            ..Caller::default()
        }
    }

    /// The address that messages go to.
    pub(crate) fn primary_email(&self) -> Option<&str> {
        self.emails.iter().find(|email| email.primary).map(|email| email.address.as_str())
    }

    /// Makes its first primary e-mail address the only one, or its first address, where none is primary.
    pub(crate) fn one_primary(&mut self) {
        let place = self.emails.iter().position(|email| email.primary).unwrap_or(0);
        for (at, email) in self.emails.iter_mut().enumerate() {
            email.primary = at == place;
        }
    }

    /// The language of its messages.
    pub(crate) fn locale(&self) -> &'static str {
        self.settings.as_ref().map_or("", |settings| settings.locale().spelling())
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

    /// The realm of a caller.
    pub(crate) fn of_caller(realm: Realm) -> Self {
        match realm {
            Realm::Unspecified => Self::Unspecified,
            Realm::User => Self::User,
            Realm::Machine => Self::Machine,
            Realm::Internal => Self::Internal,
            Realm::Partner => Self::Partner,
            Realm::GroupAdmin => Self::GroupAdmin,
        }
    }

    /// Whether identities of the realm have permissions; members and group administrators have what is theirs.
    pub(crate) fn has_permissions(self) -> bool {
        matches!(self, Self::Internal | Self::Machine | Self::Partner)
    }

    /// Refuses what identities of the realm do not have.
    pub(crate) fn lacks_error(self, what: &str) -> Error {
        Error::new(
            ErrorReason::NotInThisRealm,
            format!("an identity of realm {} has no {what} of its own", self.spelling()),
        )
    }
}
