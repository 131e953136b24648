//! The helpers of several services.

pub(crate) mod addresses;
pub(crate) mod bootstrap;
pub(crate) mod grants;
pub(crate) mod held_names;
pub(crate) mod identity;
pub(crate) mod issue;
pub(crate) mod keys;
pub(crate) mod notices;
pub(crate) mod password;
pub(crate) mod resets;
pub(crate) mod scopes;
pub(crate) mod throttle;
pub(crate) mod tools;
