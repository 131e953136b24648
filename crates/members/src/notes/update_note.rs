//! Replaces the contact of a note, if the request has one. The contract sets the text.

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
