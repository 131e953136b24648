//! The state of the service.

use crate::config::Config;

/// The settings of the service's calls.
#[derive(Debug)]
pub(crate) struct Merges {
    pub(crate) config: Config,
}

impl Merges {
    pub(crate) fn new(config: &Config) -> Self {
        Self { config: config.clone() }
    }
}
