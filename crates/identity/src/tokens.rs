//! The service `tokens`: signing keys, and the tokens that are made by call.

mod create_jwt;
mod public_key;
mod rotate_key;
mod state;
mod verify_jwt;

pub(crate) use create_jwt::create_jwt;
pub(crate) use rotate_key::rotate_key;
pub(crate) use state::Tokens;
pub(crate) use verify_jwt::verify_jwt;
