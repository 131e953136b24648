//! The helpers of the service `profiles`.

pub(super) mod consents;
pub(super) mod identifiers;
pub(super) mod items;
pub(super) mod names;
pub(super) mod nicknames;
pub(super) mod preferences;
pub(super) mod sounds;
mod thin;
pub(super) mod words;
