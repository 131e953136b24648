//! Letters about an answer: whom they reach, and what they say.

use pavise_kernel::common::v1::LocalizedText;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::{Error, Result};
use tonic::{Code, Request};

use super::answer_text::ReaderWords;
use crate::contract::members::profile_service_client::ProfileServiceClient;
use crate::contract::members::{GetProfileRequest, Profile};
use crate::contract::messaging::{NotificationDraft, NotificationSource, SendNotificationRequest, TextValue};
use crate::contract::v1::{Answer, ReminderChannel};

/// The most characters of a title.
const LONGEST: usize = 200;

/// A letter about an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerLetter<'a> {
    /// The template. Its gaps are `name`, the reader's first name, and `title`, that of the questionnaire.
    pub(crate) template_key: &'a str,
    pub(crate) channel: ReminderChannel,
    /// The identity that is told.
    pub(crate) reader_id: &'a str,
    /// The titles of the questionnaire.
    pub(crate) titles: &'a [LocalizedText],
}

impl AnswerLetter<'_> {
    /// The request that sends it; none to a reader without a profile, or without an address of the channel.
    ///
    /// # Errors
    /// When members does not answer. `members` leads there.
    pub(crate) async fn build_request(
        &self,
        answer: &Answer,
        members: PeerChannel,
    ) -> Result<Option<SendNotificationRequest>> {
        let ask = GetProfileRequest { identity_id: self.reader_id.to_owned() };
        match ProfileServiceClient::new(members).get_profile(Request::new(ask)).await {
            Ok(found) => Ok(self.address_to(answer, &found.into_inner())),
            Err(status) if status.code() == Code::NotFound => Ok(None),
            Err(status) => Err(Error::from(status)),
        }
    }

    /// The request, to the reader's address of the channel; none if there is none.
    fn address_to(&self, answer: &Answer, profile: &Profile) -> Option<SendNotificationRequest> {
        let locale = if self.reader_id == answer.owner_id { answer.locale() } else { profile.locale() };
        let name = profile.name.as_ref().map(|name| name.first_name.clone()).unwrap_or_default();
        let title: String = ReaderWords::of(locale).pick_text(self.titles).chars().take(LONGEST).collect();
        let value = |name: &str, text: String| TextValue { name: name.to_owned(), text };
        let draft = NotificationDraft {
            template_key: self.template_key.to_owned(),
            locale: locale.into(),
            values: vec![value("name", name), value("title", title)],
            source: Some(NotificationSource { r#type: "Answer".to_owned(), id: answer.id.clone() }),
            ..NotificationDraft::default()
        };
        let draft = match self.channel {
            ReminderChannel::Email => {
                let emails = &profile.emails;
                let chosen = emails.iter().find(|one| one.primary).or_else(|| emails.first())?;
                NotificationDraft { email: chosen.address.clone(), ..draft }
            }
            ReminderChannel::Sms => {
                let numbers = &profile.phone_numbers;
                let chosen = numbers.iter().find(|one| one.primary).or_else(|| numbers.first())?;
                NotificationDraft { phone_number: chosen.number.clone(), ..draft }
            }
            // No device is known.
            ReminderChannel::Push | ReminderChannel::Unspecified => return None,
        };
        let identity_id = self.reader_id.to_owned();
        Some(SendNotificationRequest { notification: Some(draft), identity_id, ..SendNotificationRequest::default() })
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{Locale, PersonName};

    use super::*;
    use crate::contract::members::{ProfileEmail, ProfilePhoneNumber};

    fn profile() -> Profile {
        let email = |address: &str, primary: bool| ProfileEmail {
            address: address.to_owned(),
            primary,
            ..ProfileEmail::default()
        };
        Profile {
            name: Some(PersonName { first_name: "Ben".to_owned(), ..PersonName::default() }),
            locale: Locale::FrCa.into(),
            emails: vec![email("other@example.com", false), email("ben@example.com", true)],
            phone_numbers: vec![ProfilePhoneNumber { number: "+15125550100".to_owned(), ..Default::default() }],
            ..Profile::default()
        }
    }

    fn draft(channel: ReminderChannel, reader_id: &str, profile: &Profile) -> Option<NotificationDraft> {
        let titles = [(Locale::EnUs, "Last will"), (Locale::FrCa, "Testament")]
            .map(|(locale, text)| LocalizedText { locale: locale.into(), text: text.to_owned() });
        let answer = Answer { owner_id: "ada".to_owned(), locale: Locale::EnUs.into(), ..Answer::default() };
        let letter = AnswerLetter { template_key: "documents.ready", channel, reader_id, titles: &titles };
        letter.address_to(&answer, profile)?.notification
    }

    #[test]
    fn a_letter_is_in_the_locale_of_its_reader_and_has_the_values_of_every_gap() {
        let values = |draft: &NotificationDraft| {
            draft.values.iter().map(|one| format!("{}={}", one.name, one.text)).collect::<Vec<_>>()
        };
        let own = draft(ReminderChannel::Email, "ada", &profile()).unwrap();
        assert_eq!(
            (own.locale(), values(&own)),
            (Locale::EnUs, vec!["name=Ben".to_owned(), "title=Last will".to_owned()])
        );
        let other = draft(ReminderChannel::Sms, "ben", &profile()).unwrap();
        assert_eq!(
            (other.locale(), values(&other)),
            (Locale::FrCa, vec!["name=Ben".to_owned(), "title=Testament".to_owned()])
        );
        let nameless = draft(ReminderChannel::Email, "ada", &Profile { name: None, ..profile() }).unwrap();
        assert_eq!(values(&nameless), ["name=", "title=Last will"]);
    }

    #[test]
    fn a_letter_goes_to_the_primary_address_of_its_channel_or_nowhere() {
        let email = draft(ReminderChannel::Email, "ben", &profile()).unwrap();
        assert_eq!((email.email.as_str(), email.phone_number.as_str()), ("ben@example.com", ""));
        let text = draft(ReminderChannel::Sms, "ben", &profile()).unwrap();
        assert_eq!((text.email.as_str(), text.phone_number.as_str()), ("", "+15125550100"));
        assert_eq!(draft(ReminderChannel::Push, "ben", &profile()), None);
        assert_eq!(draft(ReminderChannel::Sms, "ben", &Profile { phone_numbers: Vec::new(), ..profile() }), None);
    }
}
