//! The port to the providers that hand notifications over.

use std::fmt;

use pavise_kernel::async_trait;

use crate::contract::v1::{NotificationProvider, NotificationType};

/// A notification as it is handed over.
#[derive(Clone, PartialEq, Eq)]
pub struct OutgoingMessage {
    /// The notification's id: the same whenever it is handed over again.
    pub id: String,
    /// The channel.
    pub channel: NotificationType,
    /// The e-mail address, the telephone number or the address of a device.
    pub recipient: String,
    /// The subject of a mail, or the title of another message.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The HTML of a mail; empty for a mail of text.
    pub html: String,
    /// Where the reader of a mail unsubscribes with one request (RFC 8058); empty where nobody does.
    pub unsubscribe_url: String,
}

impl fmt::Debug for OutgoingMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Address and texts are left out: they would end in a log.
        f.debug_struct("OutgoingMessage").field("id", &self.id).field("channel", &self.channel).finish_non_exhaustive()
    }
}

/// The reason of a failed hand-over. The texts are the provider's adapter's own: an answer can hold the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOverError {
    /// It was refused for good.
    Refused(&'static str),
    /// It could not be handed over now.
    Unavailable(&'static str),
}

/// The providers of the channels but PULSE, which is the platform's own.
#[async_trait]
pub trait Channels: Send + Sync + fmt::Debug + 'static {
    /// The provider of a channel.
    ///
    /// # Errors
    /// The setting that the channel lacks.
    fn find_provider(&self, channel: NotificationType) -> Result<NotificationProvider, &'static str>;

    /// Hands a notification over; within seconds, or not at all.
    ///
    /// # Errors
    /// Why not.
    async fn hand_over(&self, message: &OutgoingMessage) -> Result<(), HandOverError>;
}

/// The channels without a configuration: they hand nothing over.
#[derive(Debug)]
pub(crate) struct NoChannels;

#[async_trait]
impl Channels for NoChannels {
    fn find_provider(&self, channel: NotificationType) -> Result<NotificationProvider, &'static str> {
        Err(if channel == NotificationType::Email { "smtp-url" } else { "outbox" })
    }

    async fn hand_over(&self, _message: &OutgoingMessage) -> Result<(), HandOverError> {
        Err(HandOverError::Unavailable("nobody hands notifications over here"))
    }
}
