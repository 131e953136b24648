//! Views of an entity that depend on the caller.

use crate::call::caller::Caller;
use crate::entity::aggregate::Aggregate;

/// The view of a declared read whose contract says `show`. It is pure, so that a unit test needs no kernel.
pub trait Show: Aggregate {
    /// The entity without the parts that the caller may not know.
    #[must_use]
    fn show(self, caller: &Caller) -> Self;
}
