//! Sessions: a sign-in opens one, a refresh token prolongs it, a sign-out ends it.

mod address;
mod compose_sign_in_address;
pub(crate) mod cookie;
mod end_impersonation;
mod ending;
mod get_current_session;
mod impersonation;
mod limits;
mod list_sessions;
mod open;
mod proof;
mod refresh_token;
mod resolve_return;
mod revocations;
mod revoke_all_sessions;
mod session;
mod sign_out;
mod state;
mod token;

pub use address::SignInApplication;
pub use revocations::Revocations;

pub(crate) use compose_sign_in_address::compose_sign_in_address;
pub(crate) use end_impersonation::end_impersonation;
pub(crate) use ending::{revoke_all, tidy};
pub(crate) use get_current_session::get_current_session;
pub(crate) use list_sessions::list_sessions;
pub(crate) use open::SignIn;
pub(crate) use proof::{own_session, prove};
pub(crate) use refresh_token::refresh_token;
pub(crate) use resolve_return::resolve_return;
pub(crate) use revoke_all_sessions::revoke_all_sessions;
pub(crate) use sign_out::sign_out;
pub(crate) use state::Sessions;
