//! The rule between an entity and its siblings.

use crate::error::Result;

/// The rule between an entity and its siblings, for an aggregate whose contract says `siblings`: periods within a
/// parent do not overlap, only one of them is open.
pub trait Siblings: Sized {
    /// Checks the entity, as it is to be stored, against all others with the same parent. It is pure, and runs on every
    /// write but a removal. The commit fails and starts again if one of the others changes in the meantime.
    ///
    /// # Errors
    /// The broken rule, for the caller; `CONTENTION` where the call has to look again at the others and start again.
    fn check(&self, others: &[Self]) -> Result<()>;

    /// Whether the rule can refuse the entity at all. Without a check, its commit has no condition, which costs further
    /// round trips. Default: it can.
    fn is_concerned(&self) -> bool {
        true
    }
}
