//! Rules of every write of a merge.

use pavise_kernel::{Derive, Error, Invariants, Result};
use prost_types::Timestamp;

use crate::contract::v1::{IdentityMerge, IdentityMergeStatus};

/// How many processors a merge has at most.
const MOST_PROCESSORS: usize = 40;

impl Derive for IdentityMerge {
    fn derive(&mut self, _before: Option<&Self>, at: &Timestamp) -> Result<()> {
        // The platform's own processors have a status from the beginning. A processor without one is external.
        for processor in self.processors.iter_mut().filter(|one| one.status() == IdentityMergeStatus::Unspecified) {
            processor.status = IdentityMergeStatus::Created.into();
            processor.external = true;
            processor.updated_at = Some(*at);
        }
        Ok(())
    }
}

impl Invariants for IdentityMerge {
    fn check(&self) -> Result<()> {
        if self.processors.len() > MOST_PROCESSORS {
            return Err(Error::field("processors", format!("a merge has at most {MOST_PROCESSORS}")));
        }
        Ok(())
    }
}
