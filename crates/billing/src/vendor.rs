//! The port to the payment vendors.
//!
//! What a vendor owes, whoever implements it: a reference moves money at most once, however often it is submitted; and a
//! question about a reference is answered with what became of it. The rest of billing relies on both and on nothing else.

mod test;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pavise_kernel::common::v1::Money;
use pavise_kernel::{Call, Common, Error, Result};

use crate::Config;
use crate::contract::v1::{DeclineReason, TransactionType, Vendor};
use test::TestVendor;

/// What a vendor is asked to do.
#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    /// Our reference: the transaction's id.
    pub(crate) reference: String,
    /// What is asked.
    pub(crate) kind: TransactionType,
    /// The vendor's token of the card or the account.
    pub(crate) token: String,
    /// How much; nothing for VERIFY.
    pub(crate) amount: Option<Money>,
}

/// What a vendor decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Whether it was accepted.
    pub(crate) decision: Decision,
    /// The vendor's reference.
    pub(crate) vendor_reference: String,
}

/// Whether a vendor accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It did.
    Approved,
    /// It did not; another attempt may succeed.
    Declined(DeclineReason),
    /// It did not and will not.
    HardDeclined(DeclineReason),
}

/// What is known of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The vendor has decided.
    Decided(Verdict),
    /// The vendor has it, or may have it, and has not said what became of it.
    Undecided,
    /// The vendor says that it has never seen it.
    Unknown,
}

/// A payment vendor.
#[async_trait]
pub(crate) trait PaymentVendor: Send + Sync + fmt::Debug + 'static {
    /// Asks for a charge, a sale, an authorization, a verification or a refund, as the instruction's kind says. A
    /// reference that the vendor knows already is answered as before.
    ///
    /// # Errors
    /// When the vendor cannot be reached. It may have received the request all the same.
    async fn submit(&self, call: &Call, instruction: &Instruction) -> Result<Standing>;

    /// Asks what became of a reference.
    ///
    /// # Errors
    /// When the vendor cannot be reached.
    async fn query(&self, call: &Call, reference: &str) -> Result<Standing>;
}

/// The vendors that this server can ask.
#[derive(Debug, Clone)]
pub(crate) struct Vendors {
    test: Option<Arc<dyn PaymentVendor>>,
}

impl Vendors {
    /// Those of the settings.
    pub(crate) fn new(config: &Config) -> Self {
        let test: Option<Arc<dyn PaymentVendor>> = if config.test_vendor { Some(Arc::new(TestVendor)) } else { None };
        Self { test }
    }

    /// The vendor, if it is configured.
    ///
    /// # Errors
    /// `NOT_CONFIGURED`, naming the setting.
    pub(crate) fn get(&self, vendor: Vendor) -> Result<&dyn PaymentVendor> {
        let (found, setting) = match vendor {
            Vendor::Test => (self.test.as_deref(), "billing.test_vendor"),
            Vendor::TokenexVantiv => (None, "billing.vendors.tokenex_vantiv"),
            Vendor::Vantiv => (None, "billing.vendors.vantiv"),
            Vendor::Iseries => (None, "billing.vendors.iseries"),
            Vendor::Unspecified => return Err(Error::internal("a payment method that is charged has no vendor")),
        };
        found.ok_or_else(|| {
            let message = format!("the payment vendor {} is not configured: set {setting}", vendor.spelling());
            Error::new(Common::NotConfigured, message).with("setting", setting)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vendor_that_is_not_configured_says_which_setting_is_missing() {
        let vendors = Vendors::new(&Config { test_vendor: true });
        assert!(vendors.get(Vendor::Test).is_ok());
        for vendor in [Vendor::Iseries, Vendor::Vantiv, Vendor::TokenexVantiv] {
            let error = vendors.get(vendor).err();
            assert!(error.is_some_and(|error| error.is(Common::NotConfigured) && error.message().contains("billing.vendors.")));
        }
        assert!(Vendors::new(&Config { test_vendor: false }).get(Vendor::Test).is_err());
    }
}
