//! Letters about bills: whom they reach, and what they say. The words are templates of messaging.

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::money::currency_code;
use pavise_kernel::range::SortKey as _;
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result};
use tonic::{Code, Request};

use crate::contract::members::profile_service_client::ProfileServiceClient;
use crate::contract::members::{GetProfileRequest, Profile};
use crate::contract::messaging::notification_service_client::NotificationServiceClient;
use crate::contract::messaging::{NotificationDraft, NotificationSource, SendNotificationRequest, TextValue};

/// The name in the keys of all letters. A letter of one cause is sent once, whichever worker and entry lead to it.
const SENDER: &str = "billing.letters";

/// A letter to a member.
#[derive(Debug)]
pub(crate) struct Letter<'a> {
    /// The template. Besides its own gaps it has `name`, the reader's first name.
    pub(crate) template_key: &'static str,
    /// The member's identity.
    pub(crate) reader_id: &'a str,
    /// The event that it is sent for, with its id and day.
    pub(crate) cause: String,
    /// The values of the template's own gaps.
    pub(crate) values: Vec<(&'static str, String)>,
    /// The kind of the entity that it is about, and its id.
    pub(crate) source: (&'static str, &'a str),
}

impl Letter<'_> {
    /// Sends it, once for its cause. A reader without a profile or an e-mail address gets none.
    ///
    /// # Errors
    /// When members or messaging does not answer.
    pub(crate) async fn send(&self, work: &Work) -> Result<()> {
        let ask = GetProfileRequest { identity_id: self.reader_id.to_owned() };
        let found = ProfileServiceClient::new(work.peer_channel("members")).get_profile(Request::new(ask)).await;
        let profile = match found {
            Ok(found) => found.into_inner(),
            Err(status) if status.code() == Code::NotFound => return Ok(()),
            Err(status) => return Err(Error::from(status)),
        };
        let Some(send) = self.address_to(&profile) else { return Ok(()) };
        let once = Work::new(work.kernel(), SENDER, self.cause.clone(), "");
        let mut messages = NotificationServiceClient::new(work.peer_channel("messaging"));
        let sent = messages.send_notification(once.new_request(send, self.template_key)).await;
        work.skip_refused(sent, "message").map(|_| ())
    }

    /// The request, to the reader's e-mail address; none if there is none.
    fn address_to(&self, profile: &Profile) -> Option<SendNotificationRequest> {
        let emails = &profile.emails;
        let email = emails.iter().find(|one| one.primary).or_else(|| emails.first())?.address.clone();
        let name = profile.name.as_ref().map(|name| name.first_name.clone()).unwrap_or_default();
        let values = [("name", name)].into_iter().chain(self.values.iter().cloned());
        let (source, id) = self.source;
        let draft = NotificationDraft {
            template_key: self.template_key.to_owned(),
            locale: profile.locale,
            email,
            values: values.map(|(name, text)| TextValue { name: name.to_owned(), text }).collect(),
            source: Some(NotificationSource { r#type: source.to_owned(), id: id.to_owned() }),
            ..NotificationDraft::default()
        };
        let identity_id = self.reader_id.to_owned();
        Some(SendNotificationRequest { notification: Some(draft), identity_id, ..SendNotificationRequest::default() })
    }
}

/// An amount as the gap of a template takes it: `29.95 USD`.
pub(crate) fn write_money(money: Option<Money>) -> String {
    let money = money.unwrap_or_default();
    let (whole, cents) = (money.amount.div_euclid(100), money.amount.rem_euclid(100));
    format!("{whole}.{cents:02} {}", currency_code(money.currency))
}

/// A day as the gap of a template takes it: `2026-03-31`.
pub(crate) fn write_day(day: Date) -> String {
    day.key()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::members::ProfileEmail;
    use pavise_kernel::common::v1::{Locale, PersonName};

    #[test]
    fn a_letter_goes_to_the_primary_address_in_the_readers_locale() {
        let email = |address: &str, primary: bool| ProfileEmail {
            address: address.to_owned(),
            primary,
            ..ProfileEmail::default()
        };
        let profile = Profile {
            name: Some(PersonName { first_name: "Ada".to_owned(), ..PersonName::default() }),
            locale: Locale::FrCa.into(),
            emails: vec![email("other@example.com", false), email("ada@example.com", true)],
            ..Profile::default()
        };
        let letter = Letter {
            template_key: "billing.receipt",
            reader_id: "ada",
            cause: String::new(),
            values: vec![("amount", write_money(Some(Money { currency: 1, amount: 2905 })))],
            source: ("Invoice", "i"),
        };
        let sent = letter.address_to(&profile).unwrap();
        let draft = sent.notification.unwrap();
        assert_eq!((draft.email.as_str(), draft.locale()), ("ada@example.com", Locale::FrCa));
        let values: Vec<String> = draft.values.iter().map(|one| format!("{}={}", one.name, one.text)).collect();
        assert_eq!(values, ["name=Ada", "amount=29.05 USD"]);
        assert_eq!(letter.address_to(&Profile::default()), None);
    }
}
