//! Removes what the draft of a template says on a channel in a locale.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{DeleteTemplateContentRequest, NotificationTemplate};

impl Edit<DeleteTemplateContentRequest> for NotificationTemplate {
    fn edit(&mut self, request: &DeleteTemplateContentRequest, _context: &EditContext) -> Result<()> {
        let count = self.contents.len();
        self.contents.retain(|one| (one.r#type, one.locale) != (request.r#type, request.locale));
        if self.contents.len() == count {
            return Err(Error::not_found("content of the template", request.locale().spelling()));
        }
        Ok(())
    }
}
