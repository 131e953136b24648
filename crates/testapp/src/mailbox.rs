//! Channels that keep their messages, so that a test reads the codes for people.

use std::sync::{Arc, Mutex, PoisonError};

use pavise_messaging::contract::v1::{NotificationProvider, NotificationType};
use pavise_messaging::{Channels, HandOverError, OutgoingMessage};
use pavise_testkit::logs;

/// Keeps every message; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Mailbox {
    kept: Arc<Mutex<Vec<OutgoingMessage>>>,
    lacks: Option<NotificationType>,
}

impl Mailbox {
    /// A mailbox without a channel.
    pub(crate) fn lacking(channel: NotificationType) -> Self {
        Self { lacks: Some(channel), ..Self::default() }
    }

    /// The messages to an address in the order in which they were written. They may be handed over in another.
    #[must_use]
    pub fn of(&self, address: &str) -> Vec<OutgoingMessage> {
        let all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<OutgoingMessage> =
            all.iter().filter(|message| message.recipient == address).cloned().collect();
        found.sort_by(|one, other| one.id.cmp(&other.id));
        found
    }
}

#[pavise_kernel::async_trait]
impl Channels for Mailbox {
    fn find_provider(&self, channel: NotificationType) -> Result<NotificationProvider, &'static str> {
        if self.lacks == Some(channel) { Err("outbox") } else { Ok(NotificationProvider::Outbox) }
    }

    async fn hand_over(&self, message: &OutgoingMessage) -> Result<(), HandOverError> {
        // Neither addresses nor codes stand in logs.
        logs::known(&message.recipient);
        message.text.split_whitespace().filter(|word| is_code(word)).for_each(logs::known);
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // A notification may be handed over twice.
        if !all.iter().any(|known| known.id == message.id) {
            all.push(message.clone());
        }
        Ok(())
    }
}

/// A code as messages have them: capitals and digits in groups.
fn is_code(word: &str) -> bool {
    word.contains('-') && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit() || byte.is_ascii_uppercase())
}
