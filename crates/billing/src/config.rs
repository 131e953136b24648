//! The settings of billing.

/// The setting that turns the test vendor on.
pub(crate) const TEST_VENDOR: &str = "test-vendor";

/// The settings of billing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Config {
    /// Whether payment methods of the TEST vendor can be added and charged. Its charges move no money, so it is off
    /// unless the operator says otherwise.
    pub test_vendor: bool,
}
