//! Rules of every notification, suppression and template.

use std::collections::BTreeSet;

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::{Derive, Error, Result};
use prost_types::Timestamp;

use super::support::suppressed::active_key;
use crate::contract::v1::*;
use crate::shared::template_text::SITE;
use crate::shared::values::write_value;

impl Derive for Notification {
    /// A new status has the time of the change, unless the change says another. One that is to be sent now is due.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        if before.is_some_and(|before| before.status != self.status && before.status_at == self.status_at) {
            self.status_at = Some(*at);
        }
        let was_scheduled = before.is_some_and(|before| before.status() == NotificationStatus::Scheduled);
        if was_scheduled && self.status() == NotificationStatus::Pending && self.next_try_at.is_none() {
            self.next_try_at = Some(*at);
        }
        if !matches!(self.status(), NotificationStatus::Pending | NotificationStatus::Scheduled) {
            self.next_try_at = None;
            // A code is shown to nobody, and is of no use any more.
            self.secret_content = None;
        }
        Ok(())
    }
}

impl Derive for Suppression {
    /// An address has small letters. While it is suppressed, it is found by its key.
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        self.address = self.address.trim().to_lowercase();
        let is_active = matches!(self.status(), SuppressionStatus::Active | SuppressionStatus::Unspecified);
        self.claim = if is_active { active_key(self.r#type(), &self.address, self.reason()) } else { String::new() };
        Ok(())
    }
}

impl Invariants for Suppression {
    fn check(&self) -> Result<()> {
        if !matches!(self.r#type(), NotificationType::Email | NotificationType::Sms) {
            return Err(Error::field("type", "only addresses of mails and texts are suppressed"));
        }
        if self.address.is_empty() {
            return Err(Error::field("email", "names the address that is suppressed"));
        }
        Ok(())
    }
}

impl Invariants for NotificationTemplate {
    fn check(&self) -> Result<()> {
        let mut names = BTreeSet::new();
        for (place, variable) in self.variables.iter().enumerate() {
            let path = |field: &str| format!("variables[{place}].{field}");
            if !names.insert(&variable.name) {
                return Err(Error::field(path("name"), "is there twice"));
            }
            if variable.name == SITE {
                return Err(Error::field(path("name"), "is filled by the platform: the address of its pages"));
            }
            if write_value(variable.kind(), &variable.sample, pavise_kernel::common::v1::Locale::EnUs).is_none() {
                return Err(Error::field(path("sample"), "is no value of the kind"));
            }
        }
        let mut places = BTreeSet::new();
        for (place, content) in self.contents.iter().enumerate() {
            if content.r#type == 0 || content.locale == 0 {
                return Err(Error::field(format!("contents[{place}]"), "must name a channel and a locale"));
            }
            if !places.insert((content.r#type, content.locale)) {
                return Err(Error::field(format!("contents[{place}]"), "is there twice"));
            }
        }
        Ok(())
    }
}
