//! The settings of orders.

/// The settings of orders.
#[derive(Debug, Clone, Copy, Default)]
pub struct Config {
    /// Whether purchases use the sample tax rates that a new installation has. Nobody has confirmed them, so they are for
    /// trials alone.
    pub sample_taxes: bool,
}
