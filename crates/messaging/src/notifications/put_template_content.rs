//! Replaces what the draft of a template says on a channel in a locale.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{NotificationTemplate, PutTemplateContentRequest, TemplateContent};

impl Edit<PutTemplateContentRequest> for NotificationTemplate {
    fn edit(&mut self, request: &PutTemplateContentRequest, _context: &EditContext) -> Result<()> {
        let content = TemplateContent {
            r#type: request.r#type,
            locale: request.locale,
            subject: request.subject.clone(),
            text: request.text.clone(),
            html: request.html.clone(),
        };
        let is_same = |one: &&mut TemplateContent| (one.r#type, one.locale) == (content.r#type, content.locale);
        match self.contents.iter_mut().find(is_same) {
            Some(known) => *known = content,
            None => self.contents.push(content),
        }
        Ok(())
    }
}
