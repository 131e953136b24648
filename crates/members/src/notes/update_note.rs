//! Replaces the text of a note, and its contact if the request has one.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::contact::complete_contact;
use crate::contract::v1::{Note, UpdateNoteRequest};

impl Edit<UpdateNoteRequest> for Note {
    fn edit(&mut self, request: &UpdateNoteRequest, context: &EditContext) -> Result<()> {
        if let Some(contact) = request.contact {
            self.contact = Some(complete_contact(self.subject_type(), contact, context)?);
        }
        Ok(())
    }
}
