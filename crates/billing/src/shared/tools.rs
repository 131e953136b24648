//! The tools of the services, as their calls reach them.

use std::sync::Arc;

use pavise_kernel::{Call, Result};

use crate::config::Config;
use crate::shared::sellers::Sellers;
use crate::shared::vendor::Vendors;

/// The tools that a call of this domain can reach.
///
/// # Errors
/// When the domain did not provide them, which its start rules out.
pub(crate) trait Tools {
    fn vendors(&self) -> Result<Arc<Vendors>>;
    fn config(&self) -> Result<Arc<Config>>;
    fn sellers(&self) -> Result<Arc<Sellers>>;
}

impl Tools for Call {
    fn vendors(&self) -> Result<Arc<Vendors>> {
        self.find_provided()
    }

    fn config(&self) -> Result<Arc<Config>> {
        self.find_provided()
    }

    fn sellers(&self) -> Result<Arc<Sellers>> {
        self.find_provided()
    }
}
