//! Delivers messages to people: by a mail server, or into an outbox in memory that a developer can read.

mod outbox;
mod smtp;

use std::sync::Arc;

use pavise_identity::contract::v1::NoticeChannel;
use pavise_identity::{Courier, DeliveryError, Message};
use pavise_kernel::async_trait;
use pavise_messaging::contract::v1::{NotificationProvider, NotificationType};
use pavise_messaging::{Channels, HandOverError, OutgoingMessage};

pub use outbox::Outbox;
use smtp::Smtp;

use crate::settings::Settings;

/// The courier of the settings. Without a mail server and an outbox it delivers nothing, and reports that.
#[derive(Debug, Clone, Default)]
pub struct Post {
    smtp: Option<Arc<Smtp>>,
    outbox: Option<Outbox>,
}

impl Post {
    /// The courier that the settings describe.
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
}

impl From<&Message> for Parcel {
    fn from(message: &Message) -> Self {
        let Message { id, channel, address, subject, text } = message.clone();
        Self { id, channel: channel.spelling(), address, subject, text, html: String::new() }
    }
}

impl From<&OutgoingMessage> for Parcel {
    fn from(message: &OutgoingMessage) -> Self {
        let OutgoingMessage { id, channel, recipient, subject, text, html } = message.clone();
        Self { id, channel: channel.spelling(), address: recipient, subject, text, html }
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
            (Some(smtp), _) if message.channel == NotificationType::Email => {
                smtp.deliver(&message.into()).await.map_err(|error| match error {
                    DeliveryError::Refused(why) => HandOverError::Refused(why),
                    DeliveryError::Unavailable(why) => HandOverError::Unavailable(why),
                })
            }
            (_, Some(outbox)) => {
                outbox.keep(message.into());
                Ok(())
            }
            _ => Err(HandOverError::Unavailable("nobody delivers over this channel")),
        }
    }
}

#[async_trait]
impl Courier for Post {
    fn missing(&self, channel: NoticeChannel) -> Option<&'static str> {
        match channel {
            _ if self.outbox.is_some() => None,
            NoticeChannel::Email if self.smtp.is_some() => None,
            NoticeChannel::Email => Some("smtp-url"),
            _ => Some("outbox"),
        }
    }

    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError> {
        match (&self.smtp, &self.outbox, message.channel) {
            (Some(smtp), _, NoticeChannel::Email) => smtp.deliver(&message.into()).await,
            (_, Some(outbox), _) => {
                outbox.keep(message.into());
                Ok(())
            }
            _ => Err(DeliveryError::Unavailable("nobody delivers over this channel")),
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

    fn message(channel: NoticeChannel) -> Message {
        let text = "Your code is 42".to_owned();
        Message { id: "one".into(), channel, address: "ada@example.com".into(), subject: "Your code".into(), text }
    }

    #[tokio::test]
    async fn without_settings_nothing_is_delivered_and_what_is_missing_is_named() {
        let post = post(Given::default());
        assert_eq!(post.missing(NoticeChannel::Email), Some("smtp-url"));
        assert_eq!(post.missing(NoticeChannel::Sms), Some("outbox"));
        assert!(post.deliver(&message(NoticeChannel::Email)).await.is_err());
        assert_eq!(post.find_provider(NotificationType::Email), Err("smtp-url"));
        assert_eq!(post.find_provider(NotificationType::Sms), Err("outbox"));
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
            }
            for channel in [NoticeChannel::Email, NoticeChannel::Sms] {
                assert_eq!(post.missing(channel), None);
                post.deliver(&message(channel)).await.unwrap();
            }
            let kept = post.outbox().unwrap().json();
            assert_eq!(kept[0]["channel"], "SMS", "the newest first");
            assert_eq!(kept[1]["address"], "ada@example.com");
            assert_eq!(kept[1]["text"], "Your code is 42");
        }
        let mail = Given { smtp_url: Some("smtp://127.0.0.1:1".into()), ..Given::default() };
        assert_eq!(post(mail.clone()).missing(NoticeChannel::Email), None);
        assert_eq!(post(mail).missing(NoticeChannel::Sms), Some("outbox"));
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
