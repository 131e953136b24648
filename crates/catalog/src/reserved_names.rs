//! The name registry: which entity has which name in a space, or is about to get it.

mod cancel_name;
mod check_name;
mod consequences;
mod expire_name;
mod hold_name;
mod release_names;
mod rules;
mod support;

pub(crate) use cancel_name::cancel_name;
pub(crate) use check_name::check_name;
pub(crate) use expire_name::expire_name;
pub(crate) use hold_name::hold_name;
pub(crate) use release_names::release_names;
