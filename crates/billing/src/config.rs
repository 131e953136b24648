//! The settings of billing.

use std::fmt;
use std::time::Duration;

use pavise_kernel::common::v1::CountryCode;

use crate::contract::v1::UnusedDays;

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
    /// The seller in each country, as invoices name it.
    pub sellers: Vec<Seller>,
    /// The use of the paid days that are left when a subscription is ended at once. Not said: nothing.
    pub unused_days: UnusedDays,
    /// How many days after today a new price of running subscriptions counts at the earliest. Not said: 30.
    pub repricing_notice_days: Option<u16>,
}

impl Config {
    /// The days of notice before a new price.
    const REPRICING_NOTICE_DAYS: u16 = 30;

    /// The days of notice that a new price of running subscriptions needs.
    #[must_use]
    pub fn repricing_notice(&self) -> i64 {
        i64::from(self.repricing_notice_days.unwrap_or(Self::REPRICING_NOTICE_DAYS))
    }
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

/// The seller in a country.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seller {
    /// The country.
    pub country: CountryCode,
    /// The name of the company.
    pub name: String,
    /// The lines of its address.
    pub address: Vec<String>,
    /// The taxes that it pays, such as "GST/HST", each with its number.
    pub tax_numbers: Vec<(String, String)>,
}
