//! Rules of every file.

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::{Derive, Error, Result};
use prost_types::Timestamp;

use super::support::named::name_key;
use crate::contract::v1::{ErrorReason, File, FileStatus};

impl Derive for File {
    /// A file is found by what it belongs to and by its name, and is due unless it is on hold.
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        self.name_key = name_key(self.container(), &self.resource_id, &self.name);
        let is_kept = !self.legal_hold && self.status() != FileStatus::Deleted;
        self.due_on = self.delete_after.filter(|_| is_kept);
        Ok(())
    }
}

impl Invariants for File {
    fn check(&self) -> Result<()> {
        if self.legal_hold && self.status() == FileStatus::Deleted {
            return Err(Error::new(ErrorReason::LegalHold, "the file is on hold and must not be deleted"));
        }
        Ok(())
    }
}
