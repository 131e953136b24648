//! The settings of billing.

/// The settings of billing.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// Whether payment methods of the TEST vendor can be charged. Its charges move no money: turn it off where a real
    /// vendor is configured.
    pub test_vendor: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { test_vendor: true }
    }
}
