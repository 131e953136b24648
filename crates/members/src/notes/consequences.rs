//! The callers who may change or remove a note.

use pavise_kernel::{Call, Consequences, Error, Result, Step};

use crate::contract::roles;
use crate::contract::v1::{ErrorReason, Note};

impl Consequences for Note {
    /// Refuses a change and a removal by another than the author, unless the caller moderates notes.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Some(before) = &step.before else { return Ok(()) };
        if before.author_id == call.caller().actor_identity() || call.has_role(roles::MODERATOR) {
            return Ok(());
        }
        Err(Error::new(ErrorReason::NotTheAuthor, "only the author of the note may change it"))
    }
}
