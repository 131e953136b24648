//! Rules of every stored note, and the fields that follow from others.

use pavise_kernel::{Derive, Error, Invariants, Result};
use prost_types::Timestamp;

use crate::contract::v1::{OrderNote, OrderNoteKind, OrderNoteStatus};

/// The longest text, in characters.
const LONGEST: usize = 4_000;

impl Derive for OrderNote {
    /// The text has no spaces around it. A new text and a pin have the time of the change.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        self.text = self.text.trim().to_owned();
        if self.kind() == OrderNoteKind::Unspecified {
            self.kind = OrderNoteKind::General.into();
        }
        if before.is_some_and(|before| before.text != self.text) {
            self.edited_at = Some(*at);
        }
        let was_pinned_at = before.and_then(|before| before.pinned_at);
        self.pinned_at = (self.status() == OrderNoteStatus::Pinned).then(|| was_pinned_at.unwrap_or(*at));
        Ok(())
    }
}

impl Invariants for OrderNote {
    fn check(&self) -> Result<()> {
        let wrong = |what: &str| Err(Error::internal(format!("note {}: {what}", self.id)));
        if self.author_id.is_empty() {
            return wrong("it has no author");
        }
        if self.text.is_empty() || self.text.chars().count() > LONGEST {
            return wrong("its text is empty or too long");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp { seconds, nanos: 0 }
    }

    fn note(text: &str) -> OrderNote {
        let mut note = OrderNote { author_id: "staff".into(), text: text.into(), ..OrderNote::default() };
        note.derive(None, &at(1)).unwrap();
        note
    }

    #[test]
    fn a_note_is_general_and_trimmed_unless_it_says_otherwise() {
        let new = note("  Called back.\n");
        assert_eq!((new.text.as_str(), new.kind()), ("Called back.", OrderNoteKind::General));
        assert_eq!((new.edited_at, new.pinned_at), (None, None));
        assert!(new.check().is_ok());
        assert!(note(" ").check().is_err(), "no text");
        assert!(OrderNote { author_id: String::new(), ..new }.check().is_err(), "no author");
    }

    #[test]
    fn a_new_text_and_a_pin_have_their_time() {
        let first = note("Called back.");
        let mut changed = OrderNote { text: "Called back twice. ".into(), ..first.clone() };
        changed.derive(Some(&first), &at(2)).unwrap();
        assert_eq!((changed.edited_at, changed.pinned_at), (Some(at(2)), None));
        let mut pinned = OrderNote { status: OrderNoteStatus::Pinned.into(), ..changed.clone() };
        pinned.derive(Some(&changed), &at(3)).unwrap();
        assert_eq!((pinned.edited_at, pinned.pinned_at), (Some(at(2)), Some(at(3))));
        let mut again = OrderNote { text: "Called back thrice.".into(), ..pinned.clone() };
        again.derive(Some(&pinned), &at(4)).unwrap();
        assert_eq!((again.edited_at, again.pinned_at), (Some(at(4)), Some(at(3))), "the pin stays");
        let mut free = OrderNote { status: OrderNoteStatus::Active.into(), ..again.clone() };
        free.derive(Some(&again), &at(5)).unwrap();
        assert_eq!(free.pinned_at, None);
    }
}
