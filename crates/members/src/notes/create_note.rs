//! Writes a note on a member.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::contact::complete_contact;
use crate::contract::v1::{CreateNoteRequest, Note, NoteSubjectType};
use crate::shared::entitlements::check_entitlement;

impl CheckRequest<CreateNoteRequest> for Note {
    /// Refuses a note about an entitlement of somebody else.
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateNoteRequest) -> Result<()> {
        if request.subject_type() != NoteSubjectType::Entitlement || request.subject_id.is_empty() {
            return Ok(());
        }
        check_entitlement(call, call.owner(), &request.subject_id, "subject_id").await
    }
}

impl Edit<CreateNoteRequest> for Note {
    fn edit(&mut self, request: &CreateNoteRequest, context: &EditContext) -> Result<()> {
        let subject_type = request.subject_type();
        let names_one = matches!(subject_type, NoteSubjectType::Entitlement | NoteSubjectType::Branch);
        if names_one && self.subject_id.is_empty() {
            return Err(Error::field("subject_id", "a note about an ENTITLEMENT or a BRANCH names it"));
        }
        if !names_one && !self.subject_id.is_empty() {
            return Err(Error::field("subject_id", "only a note about an ENTITLEMENT or a BRANCH names one"));
        }
        self.contact = match request.contact {
            Some(contact) => Some(complete_contact(subject_type, contact, context)?),
            None if subject_type == NoteSubjectType::ContactLog => {
                return Err(Error::field("contact", "a CONTACT_LOG says how the contact was"));
            }
            None => None,
        };
        context.actor().clone_into(&mut self.author_id);
        Ok(())
    }
}
