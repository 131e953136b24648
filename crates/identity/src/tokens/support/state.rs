//! The state of the service.

use std::sync::Arc;

use pavise_kernel::Kernel;
use pavise_kernel::time::Ids;
use pavise_kernel::token::KeySource;

use crate::shared::issue::Issuer;
use crate::shared::keys::KeyRing;

/// The tools of the service's calls.
#[derive(Debug)]
pub(crate) struct Tokens {
    pub(crate) keys: Arc<KeyRing>,
    pub(crate) issuer: Issuer,
    pub(crate) public: Arc<dyn KeySource>,
    pub(crate) ids: Ids,
}

impl Tokens {
    pub(crate) fn new(kernel: &Kernel, keys: Arc<KeyRing>) -> Self {
        let public = Arc::new(keys.public());
        Self { issuer: Issuer(keys.clone()), keys, public, ids: kernel.ids().clone() }
    }
}
