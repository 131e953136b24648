//! Rules of every stored note, and the fields that follow from others.

use pavise_kernel::{Derive, Error, Invariants, Result};
use prost_types::Timestamp;

use crate::contract::v1::{Note, NotePriority, NoteSubjectType};

/// The longest text, in characters.
const LONGEST: usize = 10_000;

impl Derive for Note {
    /// The text has no spaces around it. A new text or contact has the time of the change.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        self.text = self.text.trim().to_owned();
        if self.priority() == NotePriority::Unspecified {
            self.priority = NotePriority::Medium.into();
        }
        if before.is_some_and(|before| before.text != self.text || before.contact != self.contact) {
            self.edited_at = Some(*at);
        }
        Ok(())
    }
}

impl Invariants for Note {
    fn check(&self) -> Result<()> {
        let wrong = |what: &str| Err(Error::internal(format!("note {}: {what}", self.id)));
        if self.author_id.is_empty() {
            return wrong("it has no author");
        }
        if self.text.is_empty() || self.text.chars().count() > LONGEST {
            return wrong("its text is empty or too long");
        }
        if (self.subject_type() == NoteSubjectType::ContactLog) != self.contact.is_some() {
            return wrong("it has a contact and is no log, or has none and is one");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::NoteContact;

    fn at(seconds: i64) -> Timestamp {
        Timestamp { seconds, nanos: 0 }
    }

    #[test]
    fn a_note_is_trimmed_and_of_medium_priority_unless_it_says_otherwise() {
        let mut note = Note { author_id: "sue".into(), text: "  Called back.\n".into(), ..Note::default() };
        note.derive(None, &at(1)).unwrap();
        assert_eq!((note.text.as_str(), note.priority(), note.edited_at), ("Called back.", NotePriority::Medium, None));
        note.check().unwrap();
        assert!(Note { text: String::new(), ..note.clone() }.check().is_err(), "no text");
        assert!(Note { text: "x".repeat(LONGEST + 1), ..note.clone() }.check().is_err(), "too long");
        assert!(Note { author_id: String::new(), ..note.clone() }.check().is_err(), "no author");
        assert!(Note { contact: Some(NoteContact::default()), ..note }.check().is_err(), "no log");
    }

    #[test]
    fn a_new_text_and_a_new_contact_have_their_time() {
        let mut first = Note { text: "Called.".into(), contact: Some(NoteContact::default()), ..Note::default() };
        first.derive(None, &at(1)).unwrap();
        let mut same = Note { priority: NotePriority::High.into(), ..first.clone() };
        same.derive(Some(&first), &at(2)).unwrap();
        assert_eq!(same.edited_at, None, "a priority is no edit");
        let mut text = Note { text: "Called twice.".into(), ..first.clone() };
        text.derive(Some(&first), &at(3)).unwrap();
        assert_eq!(text.edited_at, Some(at(3)));
        let contact = Some(NoteContact { at: Some(at(1)), ..NoteContact::default() });
        let mut contact = Note { contact, ..text.clone() };
        contact.derive(Some(&text), &at(4)).unwrap();
        assert_eq!(contact.edited_at, Some(at(4)));
    }
}
