//! The tools of the services, as their calls reach them.

use std::sync::Arc;

use pavise_kernel::{Call, Result};

use crate::applications::Applications;
use crate::factors::Factors;
use crate::identities::Identities;
use crate::identity_merge::Merges;
use crate::invitations::Invitations;
use crate::sessions::Sessions;
use crate::tokens::Tokens;

/// The tools that a call of this domain can reach.
///
/// # Errors
/// When the domain did not provide them, which its start rules out.
pub(crate) trait Tools {
    fn applications(&self) -> Result<Arc<Applications>>;

    fn factors(&self) -> Result<Arc<Factors>>;

    fn identities(&self) -> Result<Arc<Identities>>;

    fn invitations(&self) -> Result<Arc<Invitations>>;

    fn merges(&self) -> Result<Arc<Merges>>;

    fn sessions(&self) -> Result<Arc<Sessions>>;

    fn tokens(&self) -> Result<Arc<Tokens>>;
}

impl Tools for Call {
    fn applications(&self) -> Result<Arc<Applications>> {
        self.find_provided()
    }

    fn factors(&self) -> Result<Arc<Factors>> {
        self.find_provided()
    }

    fn identities(&self) -> Result<Arc<Identities>> {
        self.find_provided()
    }

    fn invitations(&self) -> Result<Arc<Invitations>> {
        self.find_provided()
    }

    fn merges(&self) -> Result<Arc<Merges>> {
        self.find_provided()
    }

    fn sessions(&self) -> Result<Arc<Sessions>> {
        self.find_provided()
    }

    fn tokens(&self) -> Result<Arc<Tokens>> {
        self.find_provided()
    }
}
