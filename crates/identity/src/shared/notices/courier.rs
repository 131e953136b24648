//! The port to the delivery of notices.

use std::fmt;

use async_trait::async_trait;

use crate::contract::v1::NoticeChannel as Channel;

/// A message as it is delivered.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    /// The notice's id: the same whenever the same notice is delivered again.
    pub id: String,
    /// How it is delivered.
    pub channel: Channel,
    /// The e-mail address or telephone number.
    pub address: String,
    /// The subject of a mail.
    pub subject: String,
    /// The text.
    pub text: String,
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Address and text are left out: they would end in a log.
        f.debug_struct("Message").field("id", &self.id).field("channel", &self.channel).finish_non_exhaustive()
    }
}

/// The reason of a failed delivery. The texts are the courier's own: a mail server's answer can hold the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryError {
    /// It was refused for good.
    Refused(&'static str),
    /// It could not be handed over now.
    Unavailable(&'static str),
}

/// The delivery of notices.
#[async_trait]
pub trait Courier: Send + Sync + fmt::Debug + 'static {
    /// The setting that the channel lacks; `None` when it delivers.
    fn missing(&self, channel: Channel) -> Option<&'static str>;

    /// Delivers a message; within seconds, or not at all.
    ///
    /// # Errors
    /// Why not.
    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError>;
}

/// The courier without a configuration: it delivers nothing.
#[derive(Debug)]
pub(crate) struct NoCourier;

#[async_trait]
impl Courier for NoCourier {
    fn missing(&self, channel: Channel) -> Option<&'static str> {
        Some(if channel == Channel::Sms { "outbox" } else { "smtp-url" })
    }

    async fn deliver(&self, _message: &Message) -> Result<(), DeliveryError> {
        Err(DeliveryError::Unavailable("nobody delivers notices here"))
    }
}
