//! The channels of messages to people: a mail server, or an outbox in memory that a developer can read.

mod outbox;
mod smtp;

use std::sync::Arc;

use pavise_kernel::async_trait;
use pavise_messaging::contract::v1::{NotificationProvider, NotificationType};
use pavise_messaging::{Channels, HandOverError, OutgoingMessage};

pub use outbox::Outbox;
use smtp::Smtp;

use crate::settings::Settings;

/// The channels of the settings. Without a mail server and an outbox nothing is sent, and calls say so.
#[derive(Debug, Clone, Default)]
pub struct Post {
    smtp: Option<Arc<Smtp>>,
    outbox: Option<Outbox>,
}

impl Post {
    /// The channels that the settings describe.
    ///
    /// # Errors
    /// When the mail server's address or the sender cannot be read; the text says what to do and never shows a password.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let smtp = settings.smtp_url.as_ref().map(|url| Smtp::new(url, &settings.mail_from)).transpose()?;
        Ok(Self { smtp: smtp.map(Arc::new), outbox: settings.outbox.then(Outbox::default) })
    }

    /// The messages that were not sent by mail, for the admin port; `None` where none are kept.
    #[must_use]
    pub fn outbox(&self) -> Option<&Outbox> {
        self.outbox.as_ref()
    }
}

/// A message as a mail server or the outbox gets it.
#[derive(Clone, PartialEq, Eq)]
struct Parcel {
    /// The same whenever the same message is delivered again.
    id: String,
    /// How it is delivered, in the spelling of the contract.
    channel: &'static str,
    /// The e-mail address or the telephone number.
    address: String,
    subject: String,
    text: String,
    /// The HTML of a mail; empty for a mail of text.
    html: String,
    /// Where the reader of a mail unsubscribes; empty where nobody does.
    unsubscribe_url: String,
}

impl From<&OutgoingMessage> for Parcel {
    fn from(message: &OutgoingMessage) -> Self {
        let OutgoingMessage { id, channel, recipient, subject, text, html, unsubscribe_url } = message.clone();
        Self { id, channel: channel.spelling(), address: recipient, subject, text, html, unsubscribe_url }
    }
}

#[async_trait]
impl Channels for Post {
    fn find_provider(&self, channel: NotificationType) -> Result<NotificationProvider, &'static str> {
        match channel {
            NotificationType::Email if self.smtp.is_some() => Ok(NotificationProvider::Smtp),
            _ if self.outbox.is_some() => Ok(NotificationProvider::Outbox),
            NotificationType::Email => Err("smtp-url"),
            _ => Err("outbox"),
        }
    }

    async fn hand_over(&self, message: &OutgoingMessage) -> Result<(), HandOverError> {
        match (&self.smtp, &self.outbox) {
            (Some(smtp), _) if message.channel == NotificationType::Email => smtp.deliver(&message.into()).await,
            (_, Some(outbox)) => {
                outbox.keep(message.into());
                Ok(())
            }
            _ => Err(HandOverError::Unavailable("nobody delivers over this channel")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Given;

    fn post(given: Given) -> Post {
        Post::new(&given.decide().unwrap()).unwrap()
    }

    fn message(channel: NotificationType) -> OutgoingMessage {
        OutgoingMessage {
            id: "one".into(),
            channel,
            recipient: "ada@example.com".into(),
            subject: "Your code".into(),
            text: "Your code is 42".into(),
            html: String::new(),
            unsubscribe_url: String::new(),
        }
    }

    #[tokio::test]
    async fn without_settings_nothing_is_sent_and_what_is_missing_is_named() {
        let post = post(Given::default());
        assert_eq!(post.find_provider(NotificationType::Email), Err("smtp-url"));
        assert_eq!(post.find_provider(NotificationType::Sms), Err("outbox"));
        assert!(post.hand_over(&message(NotificationType::Email)).await.is_err());
        assert!(post.outbox().is_none());
    }

    #[tokio::test]
    async fn an_outbox_keeps_what_no_mail_server_takes() {
        for given in
            [Given { outbox: Some(true), ..Given::default() }, Given { demo_data: Some(true), ..Given::default() }]
        {
            let post = post(given);
            for channel in [NotificationType::Email, NotificationType::Sms, NotificationType::Push] {
                assert_eq!(post.find_provider(channel), Ok(NotificationProvider::Outbox));
                post.hand_over(&message(channel)).await.unwrap();
            }
            let kept = post.outbox().unwrap().json();
            assert_eq!(kept[0]["channel"], "PUSH", "the newest first");
            assert_eq!(kept[2]["address"], "ada@example.com");
            assert_eq!(kept[2]["text"], "Your code is 42");
        }
        let mail = Given { smtp_url: Some("smtp://127.0.0.1:1".into()), ..Given::default() };
        assert_eq!(post(mail.clone()).find_provider(NotificationType::Email), Ok(NotificationProvider::Smtp));
        assert_eq!(post(mail).find_provider(NotificationType::Sms), Err("outbox"));
    }

    #[test]
    fn a_wrong_address_is_refused_without_its_password() {
        for (url, from) in
            [("https://user:hunter22@mail.example.com", "a@b.example"), ("smtp://mail.example.com", "nobody")]
        {
            let given = Given { smtp_url: Some(url.into()), mail_from: Some(from.into()), ..Given::default() };
            let error = format!("{:#}", Post::new(&given.decide().unwrap()).unwrap_err());
            assert!(error.contains("--") && !error.contains("hunter22"), "{error}");
        }
    }
}
