//! The settings of the domain.

use std::fmt;
use std::sync::Arc;

use crate::shared::channels::{Channels, NoChannels};

/// The settings of messages.
#[derive(Clone)]
pub struct Config {
    /// The providers that hand notifications over.
    pub channels: Arc<dyn Channels>,
    /// Where the pages are that messages lead to: `https://pavise.example`.
    pub public_url: String,
    /// The key that proves events of SendGrid: that of its page "Signed Event Webhook", in base64.
    pub sendgrid_verification_key: Option<String>,
    /// The token that proves requests of Twilio: the account's auth token.
    pub twilio_auth_token: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            channels: Arc::new(NoChannels),
            public_url: "http://localhost:8080".to_owned(),
            sendgrid_verification_key: None,
            twilio_auth_token: None,
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The token is left out.
        f.debug_struct("Config").field("channels", &self.channels).finish_non_exhaustive()
    }
}
