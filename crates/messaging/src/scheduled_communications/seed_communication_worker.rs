//! Makes the worker that sends scheduled communications.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CommunicationWorker, SeedCommunicationWorkerRequest};

impl Edit<SeedCommunicationWorkerRequest> for CommunicationWorker {
    fn edit(&mut self, _request: &SeedCommunicationWorkerRequest, _context: &EditContext) -> Result<()> {
        self.owner_id.clear();
        Ok(())
    }
}
