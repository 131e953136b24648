//! Sets any field of a draft by its type, or removes it.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::draft::check_value;
use crate::contract::v1::{ContentEntry, UpdateContentEntryFieldRequest};

impl CheckRequest<UpdateContentEntryFieldRequest> for ContentEntry {
    async fn check_request(call: &Call, entry: Option<&Self>, request: &UpdateContentEntryFieldRequest) -> Result<()> {
        match &request.value {
            Some(value) if !request.remove => check_value(call, entry, value, "value.").await,
            _ => Ok(()),
        }
    }
}

impl Edit<UpdateContentEntryFieldRequest> for ContentEntry {
    fn edit(&mut self, request: &UpdateContentEntryFieldRequest, _context: &EditContext) -> Result<()> {
        let Some(value) = &request.value else { return Ok(()) };
        if request.remove {
            self.remove_value(&value.field_key, value.locale);
        } else {
            self.put_value(value.clone());
        }
        Ok(())
    }
}
