//! Records that all services have erased.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{FinishPersonErasureRequest, PersonErasure};

impl Edit<FinishPersonErasureRequest> for PersonErasure {
    fn edit(&mut self, _request: &FinishPersonErasureRequest, context: &EditContext) -> Result<()> {
        self.ended_at = Some(context.timestamp());
        Ok(())
    }
}
