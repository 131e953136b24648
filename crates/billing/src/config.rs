//! The settings of billing.

use std::fmt;
use std::time::Duration;

/// The setting that turns the test vendor on.
pub(crate) const TEST_VENDOR: &str = "test-vendor";
/// The setting that names the file with the key of Stripe.
pub(crate) const STRIPE_KEY: &str = "stripe-key-file";
/// The setting that names the file with the secrets of Stripe's events.
pub(crate) const STRIPE_EVENTS: &str = "stripe-events-secret-file";

/// The settings of billing.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Whether payment methods of the TEST vendor can be added and charged. Its charges move no money, so it is off
    /// unless the operator says otherwise.
    pub test_vendor: bool,
    /// The account at Stripe, if there is one.
    pub stripe: Option<StripeConfig>,
    /// Where the pages are to which a vendor leads members back: `https://pavise.example`.
    pub public_url: String,
}

/// An account at Stripe.
#[derive(Clone)]
pub struct StripeConfig {
    /// The secret key.
    pub api_key: String,
    /// The secrets that its events are signed with. While one is being replaced, there are two.
    pub event_secrets: Vec<String>,
    /// The address of its API, without a slash at the end.
    pub api_url: String,
    /// How long an answer is waited for, further tries included. It is less than the time that a caller has.
    pub patience: Duration,
}

impl StripeConfig {
    /// The address of the API.
    pub const API_URL: &'static str = "https://api.stripe.com";
    /// How long an answer is waited for.
    pub const PATIENCE: Duration = Duration::from_secs(15);
}

impl fmt::Debug for StripeConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secrets are left out.
        f.debug_struct("StripeConfig").field("api_url", &self.api_url).finish_non_exhaustive()
    }
}
