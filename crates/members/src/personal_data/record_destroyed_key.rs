//! Records that the person's key is destroyed.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{PersonErasure, RecordDestroyedKeyRequest};

impl Edit<RecordDestroyedKeyRequest> for PersonErasure {
    fn edit(&mut self, _request: &RecordDestroyedKeyRequest, context: &EditContext) -> Result<()> {
        if self.key_destroyed_at.is_none() {
            self.key_destroyed_at = Some(context.timestamp());
        }
        Ok(())
    }
}
