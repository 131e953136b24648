//! Takes the published copy of an entry as its draft.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{ContentEntry, RestoreContentEntryRequest};

impl Edit<RestoreContentEntryRequest> for ContentEntry {
    fn edit(&mut self, _request: &RestoreContentEntryRequest, _context: &EditContext) -> Result<()> {
        self.draft.clone_from(&self.published);
        Ok(())
    }
}
