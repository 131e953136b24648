//! The payment vendors of this server.

use std::sync::Arc;

use pavise_kernel::{Error, Result};

use super::port::PaymentVendor;
use super::stripe::StripeVendor;
use super::test::TestVendor;
use crate::config::{Config, STRIPE_KEY, TEST_VENDOR};
use crate::contract::v1::{ErrorReason, Vendor};

/// The vendors that this server can ask.
#[derive(Debug, Clone)]
pub(crate) struct Vendors {
    test: Option<Arc<dyn PaymentVendor>>,
    stripe: Option<Arc<dyn PaymentVendor>>,
}

impl Vendors {
    /// The vendors that the settings name.
    ///
    /// # Errors
    /// When this machine cannot make connections.
    pub(crate) fn new(config: &Config) -> Result<Self> {
        let test: Option<Arc<dyn PaymentVendor>> = if config.test_vendor { Some(Arc::new(TestVendor)) } else { None };
        let stripe: Option<Arc<dyn PaymentVendor>> = match &config.stripe {
            Some(account) => Some(Arc::new(StripeVendor::new(account, &config.public_url)?)),
            None => None,
        };
        Ok(Self { test, stripe })
    }

    /// Finds the vendor.
    ///
    /// # Errors
    /// `VENDOR_NOT_CONFIGURED` with the setting, if there is one that turns it on.
    pub(crate) fn get(&self, vendor: Vendor) -> Result<&dyn PaymentVendor> {
        match vendor {
            Vendor::Test => self.test.as_deref().ok_or_else(|| {
                let message = format!("the payment vendor TEST is off: set --{TEST_VENDOR} where no money is to move");
                Error::new(ErrorReason::VendorNotConfigured, message).with("setting", TEST_VENDOR)
            }),
            Vendor::Stripe => self.stripe.as_deref().ok_or_else(|| {
                let message = format!("the payment vendor STRIPE is off: set --{STRIPE_KEY}");
                Error::new(ErrorReason::VendorNotConfigured, message).with("setting", STRIPE_KEY)
            }),
            Vendor::TokenexVantiv | Vendor::Vantiv | Vendor::Iseries => {
                let message = format!("this server has no connection to the payment vendor {}", vendor.spelling());
                Err(Error::new(ErrorReason::VendorNotConfigured, message))
            }
            Vendor::Unspecified => Err(Error::internal("a payment method that is charged has no vendor")),
        }
    }

    /// The vendors that list their movements of money.
    pub(crate) fn list_reconciled(&self) -> Vec<Vendor> {
        let all = self.test.iter().chain(&self.stripe);
        all.filter(|vendor| vendor.capabilities().movements).map(|vendor| vendor.vendor()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vendor_that_is_off_names_its_setting() {
        let vendors = Vendors::new(&Config { test_vendor: true, ..Config::default() }).unwrap();
        assert!(vendors.get(Vendor::Test).is_ok());
        for vendor in [Vendor::Iseries, Vendor::Vantiv, Vendor::TokenexVantiv] {
            let error = vendors.get(vendor).err();
            assert!(
                error
                    .is_some_and(|error| error.is(ErrorReason::VendorNotConfigured) && !error.message().contains("--"))
            );
        }
        let off = Vendors::new(&Config::default()).unwrap();
        for (vendor, setting) in [(Vendor::Test, "--test-vendor"), (Vendor::Stripe, "--stripe-key-file")] {
            assert!(off.get(vendor).err().is_some_and(|error| error.message().contains(setting)));
        }
        assert!(vendors.list_reconciled().is_empty());
    }
}
