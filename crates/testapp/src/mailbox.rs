//! A courier that keeps its messages, so that a test reads the codes for people.

use std::sync::{Arc, Mutex, PoisonError};

use pavise_identity::contract::v1::NoticeChannel;
use pavise_identity::{Courier, DeliveryError, Message};
use pavise_messaging::contract::v1::{NotificationProvider, NotificationType};
use pavise_messaging::{Channels, HandOverError, OutgoingMessage};

/// Keeps every message; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Mailbox {
    kept: Arc<Mutex<Vec<Message>>>,
    sent: Arc<Mutex<Vec<OutgoingMessage>>>,
    lacks: Option<NoticeChannel>,
}

impl Mailbox {
    /// A mailbox without a channel.
    pub(crate) fn lacking(channel: NoticeChannel) -> Self {
        Self { lacks: Some(channel), ..Self::default() }
    }

    /// The messages to an address in the order in which they were written. They may be delivered in another.
    #[must_use]
    pub fn of(&self, address: &str) -> Vec<Message> {
        let all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<Message> = all.iter().filter(|message| message.address == address).cloned().collect();
        found.sort_by(|one, other| one.id.cmp(&other.id));
        found
    }

    /// The notifications to an address in the order in which they were written.
    #[must_use]
    pub fn notifications_of(&self, address: &str) -> Vec<OutgoingMessage> {
        let all = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<OutgoingMessage> =
            all.iter().filter(|message| message.recipient == address).cloned().collect();
        found.sort_by(|one, other| one.id.cmp(&other.id));
        found
    }
}

#[pavise_kernel::async_trait]
impl Channels for Mailbox {
    fn find_provider(&self, _channel: NotificationType) -> Result<NotificationProvider, &'static str> {
        Ok(NotificationProvider::Outbox)
    }

    async fn hand_over(&self, message: &OutgoingMessage) -> Result<(), HandOverError> {
        let mut all = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        // A notification may be handed over twice.
        if !all.iter().any(|known| known.id == message.id) {
            all.push(message.clone());
        }
        Ok(())
    }
}

#[pavise_kernel::async_trait]
impl Courier for Mailbox {
    fn missing(&self, channel: NoticeChannel) -> Option<&'static str> {
        (self.lacks == Some(channel)).then_some("outbox")
    }

    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError> {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // A notice may be delivered twice.
        if !all.iter().any(|known| known.id == message.id) {
            all.push(message.clone());
        }
        Ok(())
    }
}
