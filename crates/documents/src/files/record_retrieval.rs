//! Records that somebody gets the content of a file.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{File, RecordRetrievalRequest};

impl Edit<RecordRetrievalRequest> for File {
    fn edit(&mut self, _request: &RecordRetrievalRequest, context: &EditContext) -> Result<()> {
        self.retrieved_at = Some(context.timestamp());
        self.retrieval_count = self.retrieval_count.saturating_add(1);
        Ok(())
    }
}
