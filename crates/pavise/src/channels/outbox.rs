//! An outbox in memory: the last messages, for developers without a mail server.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::Parcel;

/// How many messages are kept.
const KEPT: usize = 200;

/// The last messages, newest first. Cheap to clone; all clones are one.
#[derive(Clone, Default)]
pub struct Outbox(Arc<Mutex<VecDeque<Parcel>>>);

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outbox")
    }
}

impl Outbox {
    /// Keeps a message, and drops the oldest when there are too many. A message that is delivered again is kept once.
    pub(super) fn keep(&self, message: Parcel) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|other| other.id != message.id || other.channel != message.channel);
        kept.push_front(message);
        kept.truncate(KEPT);
    }

    /// The messages as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let each = kept.iter().map(|message| {
            json!({
                "id": message.id, "channel": message.channel, "address": message.address,
                "subject": message.subject, "text": message.text,
            })
        });
        each.collect()
    }
}
