//! Rules of every stored auto comment.

use pavise_kernel::{Error, Invariants, Result};

use crate::contract::v1::{AutoComment, AutoCommentKey, AutoCommentSubjectType};

impl Invariants for AutoComment {
    fn check(&self) -> Result<()> {
        let wrong = |what: &str| Err(Error::internal(format!("auto comment {}: {what}", self.id)));
        if self.key() == AutoCommentKey::Unspecified || self.texts.is_empty() {
            return wrong("it says nothing");
        }
        if self.subject_type() == AutoCommentSubjectType::Unspecified || self.subject_id.is_empty() {
            return wrong("it has no subject");
        }
        Ok(())
    }
}
