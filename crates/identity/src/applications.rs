//! The service `applications`: the programs that call the platform, and their keys.

mod consequences;
mod create_application;
mod create_application_token;
mod rules;
mod support;
mod update_application_key;
mod verify_application_key;

pub(crate) use create_application::create_application;
pub(crate) use create_application_token::create_application_token;
pub(crate) use support::state::Applications;
pub(crate) use update_application_key::update_application_key;
pub(crate) use verify_application_key::verify_application_key;
