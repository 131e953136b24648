//! The domain messaging as a double: it keeps the messages that it is given, or refuses them as told.

use std::sync::{Arc, Mutex};

use pavise_identity::contract::v1::ErrorReason;
use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Common, Error, Result};
use pavise_messaging_client::v1::{
    CheckChannelRequest, CheckChannelResponse, Notification, NotificationDraft, NotificationType,
    SendNotificationRequest,
};
use pavise_testkit::scene::{PeerDouble, RecordedCall};

/// A message that messaging was given.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    /// The id of the notice.
    pub(crate) id: String,
    pub(crate) address: String,
    /// The key of the template.
    pub(crate) template: String,
    /// The locale in which it is written where the reader's profile says none.
    pub(crate) locale: Locale,
    /// The values, a line each: the code, then the others.
    pub(crate) text: String,
}

/// The messages, and what is refused.
#[derive(Debug, Default)]
pub(crate) struct Post {
    pub(crate) delivered: Mutex<Vec<Message>>,
    /// The reason why no message is taken.
    pub(crate) failure: Mutex<Option<Common>>,
    /// The setting that every channel lacks.
    pub(crate) missing: Mutex<Option<&'static str>>,
    /// An address that gets nothing.
    pub(crate) suppressed: Mutex<String>,
}

impl Post {
    /// As a double.
    pub(crate) fn double(self: &Arc<Self>) -> PeerDouble {
        let (checks, sends) = (self.clone(), self.clone());
        PeerDouble::default()
            .on_anew("/pavise.messaging.v1.NotificationService/CheckChannel", move |asked| {
                let request: CheckChannelRequest = asked.message;
                checks.check(&request.address).map(|()| CheckChannelResponse::default())
            })
            .with_call("/pavise.messaging.v1.NotificationService/SendNotification", move |asked| sends.send(asked))
    }

    fn check(&self, address: &str) -> Result<()> {
        if let Some(setting) = *self.missing.lock().unwrap() {
            let message = format!("nothing is sent before {setting} is set");
            return Err(Error::new(Common::NotConfigured, message).with("setting", setting));
        }
        if !address.is_empty() && *self.suppressed.lock().unwrap() == address {
            let error = Error::new(ErrorReason::RecipientSuppressed, "nothing is sent to this address: STOP");
            return Err(error.with("suppression", "STOP"));
        }
        Ok(())
    }

    fn send(&self, asked: RecordedCall<SendNotificationRequest>) -> Result<Notification> {
        if let Some(reason) = *self.failure.lock().unwrap() {
            return Err(Error::new(reason, "messages are not taken"));
        }
        let SendNotificationRequest { notification, identity_id, id, fallback_locale } = asked.message;
        let draft = notification.unwrap_or_default();
        assert_eq!(asked.key, id, "the id of the notice is the key of the hand-over, too");
        assert!(!identity_id.is_empty() && draft.expires_at.is_some());
        let channel = draft.types().next().unwrap_or_default();
        let address = address_of(&draft, channel);
        self.check(&address)?;
        let locale = if draft.locale == 0 { fallback_locale } else { draft.locale };
        let (codes, others): (Vec<_>, Vec<_>) = draft.values.iter().partition(|value| value.name == "code");
        let lines = codes.into_iter().chain(others).map(|value| format!("{} {}\n", value.name, value.text));
        let message = Message {
            id: id.clone(),
            address,
            template: draft.template_key.clone(),
            locale: Locale::try_from(locale).unwrap(),
            text: lines.collect(),
        };
        self.delivered.lock().unwrap().push(message);
        Ok(Notification { id, ..Notification::default() })
    }
}

fn address_of(draft: &NotificationDraft, channel: NotificationType) -> String {
    if channel == NotificationType::Sms { draft.phone_number.clone() } else { draft.email.clone() }
}
