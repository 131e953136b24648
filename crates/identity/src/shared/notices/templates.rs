//! The templates of letters. Their words are built-in templates of the domain messaging.

use std::time::Duration;

use crate::contract::v1::NoticeTemplate as Template;

const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

impl Template {
    /// The key of the built-in template with its words.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Unspecified => "",
            Self::PasswordReset => "security.password-reset",
            Self::PasswordChanged => "security.password-changed",
            Self::PasswordInvalidated => "security.password-invalidated",
            Self::SessionsRevoked => "security.sessions-revoked",
            Self::FactorCode => "security.factor-code",
            Self::FactorChanged => "security.factor-changed",
            Self::NamesChanged => "security.names-changed",
            Self::Invitation => "account.invitation",
            Self::EmailCode => "security.email-code",
            Self::ActedFor => "security.acted-for",
            Self::NamesHeld => "security.names-held",
        }
    }

    /// The gaps that a letter has to fill; that of its code is filled besides.
    pub(super) fn list_gaps(self) -> &'static [&'static str] {
        match self {
            Self::PasswordReset => &["user"],
            Self::Invitation => &["inviter", "path"],
            Self::NamesHeld => &["added", "removed", "primary"],
            _ => &[],
        }
    }

    /// How long it is of use.
    pub(super) fn lifetime(self) -> Duration {
        Duration::from_secs(match self {
            Self::PasswordReset => 30 * MINUTE,
            Self::FactorCode => 10 * MINUTE,
            Self::Invitation => 7 * DAY,
            _ => DAY,
        })
    }
}
