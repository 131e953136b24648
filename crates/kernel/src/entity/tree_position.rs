//! The place of an entity in a tree.

/// The place of an entity in a tree, where the contract says `tree`.
#[derive(Debug, Clone, Copy)]
pub struct TreePosition<'e> {
    /// The field with the id of the entity above, which is a lookup.
    pub field: &'static str,
    /// The id of the entity above; empty at the top.
    pub above: &'e str,
    /// The most entities on a way from the top down.
    pub depth: usize,
}
