//! The tools of the services, as their calls reach them.

use std::sync::Arc;

use pavise_kernel::{Call, Result};

use crate::config::Config;

/// The tools that a call of this domain can reach.
///
/// # Errors
/// When the domain did not provide them, which its start rules out.
pub(crate) trait Tools {
    fn config(&self) -> Result<Arc<Config>>;
}

impl Tools for Call {
    fn config(&self) -> Result<Arc<Config>> {
        self.find_provided()
    }
}
