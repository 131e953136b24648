//! Sessions: a sign-in opens one, a refresh token prolongs it, a sign-out ends it.

mod compose_sign_in_address;
mod end_impersonation;
mod get_current_session;
mod list_sessions;
mod refresh_token;
mod resolve_return;
mod revoke_all_sessions;
mod sign_out;
pub(crate) mod support;

pub use support::address::SignInApplication;
pub use support::revocations::Revocations;

pub(crate) use compose_sign_in_address::compose_sign_in_address;
pub(crate) use end_impersonation::end_impersonation;
pub(crate) use get_current_session::get_current_session;
pub(crate) use list_sessions::list_sessions;
pub(crate) use refresh_token::refresh_token;
pub(crate) use resolve_return::resolve_return;
pub(crate) use revoke_all_sessions::revoke_all_sessions;
pub(crate) use sign_out::sign_out;
pub(crate) use support::ending::{remove_old, revoke_all};
pub(crate) use support::open::SignIn;
pub(crate) use support::proof::{mark_proved, own_session};
pub(crate) use support::state::Sessions;
