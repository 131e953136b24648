//! The payment vendors of this server.

use std::sync::Arc;

use pavise_kernel::{Common, Error, Result};

use super::port::PaymentVendor;
use super::test::TestVendor;
use crate::config::Config;
use crate::contract::v1::Vendor;

/// The vendors that this server can ask.
#[derive(Debug, Clone)]
pub(crate) struct Vendors {
    test: Option<Arc<dyn PaymentVendor>>,
}

impl Vendors {
    /// The vendors that the settings name.
    pub(crate) fn new(config: &Config) -> Self {
        let test: Option<Arc<dyn PaymentVendor>> = if config.test_vendor { Some(Arc::new(TestVendor)) } else { None };
        Self { test }
    }

    /// Finds the vendor.
    ///
    /// # Errors
    /// `NOT_CONFIGURED` with the missing setting.
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
    fn a_vendor_that_is_not_configured_names_its_setting() {
        let vendors = Vendors::new(&Config { test_vendor: true });
        assert!(vendors.get(Vendor::Test).is_ok());
        for vendor in [Vendor::Iseries, Vendor::Vantiv, Vendor::TokenexVantiv] {
            let error = vendors.get(vendor).err();
            assert!(
                error.is_some_and(
                    |error| error.is(Common::NotConfigured) && error.message().contains("billing.vendors.")
                )
            );
        }
        assert!(Vendors::new(&Config { test_vendor: false }).get(Vendor::Test).is_err());
    }
}
