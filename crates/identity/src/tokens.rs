//! The service `tokens`: signing keys, and the tokens that are made by call.

mod create_jwt;
mod rotate_key;
mod support;
mod verify_jwt;

pub(crate) use create_jwt::create_jwt;
pub(crate) use rotate_key::rotate_key;
pub(crate) use support::state::Tokens;
pub(crate) use verify_jwt::verify_jwt;
