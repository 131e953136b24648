//! Sets a yes or no of a draft.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::draft::admit_field;
use crate::contract::v1::{ContentEntry, ContentFieldType, ContentValue, UpdateBooleanFieldRequest};

impl CheckRequest<UpdateBooleanFieldRequest> for ContentEntry {
    async fn check_request(call: &Call, entry: Option<&Self>, request: &UpdateBooleanFieldRequest) -> Result<()> {
        admit_field(call, entry, &request.field_key, &[ContentFieldType::Boolean]).await.map(drop)
    }
}

impl Edit<UpdateBooleanFieldRequest> for ContentEntry {
    fn edit(&mut self, request: &UpdateBooleanFieldRequest, _context: &EditContext) -> Result<()> {
        let field_key = request.field_key.clone();
        self.put_value(ContentValue { field_key, boolean: request.boolean, ..ContentValue::default() });
        Ok(())
    }
}
