//! The reader of the demonstration's messages.

/// The identity that they go to: nobody signs in with it.
pub(super) const MEMBER: &str = "70000000-0000-4000-8000-000000000001";
