//! Rules of every alert and of every template of alerts.

use std::collections::BTreeSet;

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::common::v1::{Locale, LocalizedText};
use pavise_kernel::{Derive, Error, Result};
use prost_types::Timestamp;

use crate::contract::v1::{Alert, AlertNotificationStatus, AlertStatus, AlertTemplate};
use crate::shared::template_text::{TextFault, find_gaps};

/// The longest title, in characters.
const LONGEST_TITLE: usize = 200;

impl Derive for Alert {
    /// Reports have the time of the first of their way. Together they are a success, a failure, or both.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        let reported = before.map(|before| before.notifications.as_slice()).unwrap_or_default();
        for one in &mut self.notifications {
            let known = reported.iter().find(|known| known.r#type == one.r#type).and_then(|known| known.reported_at);
            one.reported_at = Some(known.unwrap_or(*at));
        }
        let of = |status: AlertNotificationStatus| self.notifications.iter().any(|one| one.status() == status);
        let overall = match (of(AlertNotificationStatus::Success), of(AlertNotificationStatus::Failed)) {
            (true, true) => AlertNotificationStatus::Mixed,
            (true, false) => AlertNotificationStatus::Success,
            (false, true) => AlertNotificationStatus::Failed,
            (false, false) => AlertNotificationStatus::Unspecified,
        };
        self.set_notification_status(overall);
        if self.acknowledged_at.is_none() && self.status() == AlertStatus::Acknowledged {
            self.acknowledged_at = Some(*at);
        }
        let is_unread = matches!(self.status(), AlertStatus::Unread | AlertStatus::Unspecified);
        self.due_to_escalate_at = self.escalates_at.filter(|_| is_unread);
        Ok(())
    }
}

impl Invariants for Alert {
    fn check(&self) -> Result<()> {
        if self.titles.is_empty() {
            return Err(Error::field("titles", "an alert without a template has a title of its own"));
        }
        check_titles(&self.titles)?;
        let has_audience = !self.audience_permission.is_empty() || !self.branch_id.is_empty();
        match (self.owner_id.is_empty(), has_audience) {
            (true, false) => Err(Error::field("audience_permission", "an alert is for a permission or for a branch")),
            (false, true) => Err(Error::field("audience_permission", "the alert of an identity has no other readers")),
            _ if self.branch_role != 0 && self.branch_id.is_empty() => {
                Err(Error::field("branch_role", "is a role in a branch: name the branch"))
            }
            _ => Ok(()),
        }
    }
}

impl Invariants for AlertTemplate {
    fn check(&self) -> Result<()> {
        check_titles(&self.titles)?;
        for (field, texts) in [("titles", &self.titles), ("texts", &self.texts)] {
            if !texts.is_empty() && !texts.iter().any(|text| text.locale() == Locale::EnUs) {
                return Err(Error::field(field, "lacks the text in en-US, which readers of other languages get"));
            }
            for (place, text) in texts.iter().enumerate() {
                let gaps = find_gaps(&text.text).map_err(|fault| syntax_error(field, place, fault))?;
                check_gaps(&gaps).map_err(|wrong| Error::field(format!("{field}[{place}].text"), wrong))?;
            }
        }
        Ok(())
    }
}

fn check_titles(titles: &[LocalizedText]) -> Result<()> {
    let long = titles.iter().position(|title| title.text.chars().count() > LONGEST_TITLE);
    match long {
        Some(place) => Err(Error::field(format!("titles[{place}].text"), "is longer than 200 characters")),
        None => Ok(()),
    }
}

/// A gap has the name of a value.
fn check_gaps(gaps: &BTreeSet<String>) -> Result<(), String> {
    let known = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    let is_name =
        |gap: &str| gap.len() <= 40 && gap.starts_with(|one: char| one.is_ascii_lowercase()) && gap.chars().all(known);
    match gaps.iter().find(|gap| !is_name(gap)) {
        Some(wrong) => Err(format!("has the gap {wrong}: a gap's name is of small letters, digits and _")),
        None => Ok(()),
    }
}

fn syntax_error(field: &str, place: usize, fault: TextFault) -> Error {
    let cause = match fault {
        TextFault::Syntax(cause) => cause,
        TextFault::Missing(gap) => format!("{gap} has no value"),
        TextFault::TooLarge => "it is too long".to_owned(),
    };
    Error::field(format!("{field}[{place}].text"), format!("is no template: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{AlertNotification, AlertNotificationType};

    fn report(way: AlertNotificationType, status: AlertNotificationStatus) -> AlertNotification {
        AlertNotification { r#type: way.into(), status: status.into(), reported_at: None }
    }

    #[test]
    fn reports_are_a_success_a_failure_or_mixed() {
        let (email, sms) = (AlertNotificationType::Email, AlertNotificationType::Sms);
        let (good, bad) = (AlertNotificationStatus::Success, AlertNotificationStatus::Failed);
        for (reports, overall) in [
            (vec![], AlertNotificationStatus::Unspecified),
            (vec![report(email, good)], good),
            (vec![report(email, bad), report(sms, bad)], bad),
            (vec![report(email, bad), report(sms, good)], AlertNotificationStatus::Mixed),
        ] {
            let mut alert = Alert { notifications: reports, ..Alert::default() };
            alert.derive(None, &Timestamp { seconds: 5, nanos: 0 }).unwrap();
            assert_eq!(alert.notification_status(), overall);
            assert!(alert.notifications.iter().all(|one| one.reported_at.is_some_and(|at| at.seconds == 5)));
        }
    }

    #[test]
    fn only_an_unread_alert_is_due() {
        let mut alert = Alert { escalates_at: Some(Timestamp { seconds: 9, nanos: 0 }), ..Alert::default() };
        for (status, due) in [(AlertStatus::Unread, true), (AlertStatus::Acknowledged, false)] {
            alert.set_status(status);
            alert.derive(None, &Timestamp::default()).unwrap();
            assert_eq!(alert.due_to_escalate_at.is_some(), due);
        }
    }
}
