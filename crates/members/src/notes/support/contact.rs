//! The contact of a note.

use pavise_kernel::time::{MINUTE, to_micros};
use pavise_kernel::{EditContext, Error, Result};

use crate::contract::v1::{NoteContact, NoteSubjectType};

/// The contact as it is stored: one without a time was now.
///
/// # Errors
/// `INVALID_FIELD` for a contact of another note than a CONTACT_LOG, and for one that has not been yet.
pub(crate) fn complete_contact(
    subject_type: NoteSubjectType,
    contact: NoteContact,
    context: &EditContext,
) -> Result<NoteContact> {
    if subject_type != NoteSubjectType::ContactLog {
        return Err(Error::field("contact", "only a CONTACT_LOG has a contact"));
    }
    // The clocks of two machines differ by some seconds.
    if contact.at.is_some_and(|at| to_micros(&at) > context.now() + MINUTE) {
        return Err(Error::field("contact.at", "must not lie in the future"));
    }
    Ok(NoteContact { at: Some(contact.at.unwrap_or_else(|| context.timestamp())), ..contact })
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::to_timestamp;

    use super::*;

    #[test]
    fn a_contact_was_and_belongs_to_a_contact_log() {
        let context = EditContext::at(10 * MINUTE);
        let complete = |subject, at: Option<i64>| {
            complete_contact(subject, NoteContact { at: at.map(to_timestamp), ..NoteContact::default() }, &context)
        };
        let log = NoteSubjectType::ContactLog;
        assert_eq!(complete(log, None).unwrap().at, Some(to_timestamp(10 * MINUTE)), "now");
        assert_eq!(complete(log, Some(5 * MINUTE)).unwrap().at, Some(to_timestamp(5 * MINUTE)));
        assert_eq!(complete(log, Some(12 * MINUTE)).unwrap_err().violations()[0].field, "contact.at");
        let elsewhere = complete(NoteSubjectType::Entitlement, None).unwrap_err();
        assert_eq!(elsewhere.violations()[0].field, "contact");
    }
}
