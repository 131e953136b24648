//! The helpers of the service.

pub(crate) mod answer;
pub(crate) mod base32;
pub(crate) mod ceremony;
pub(crate) mod challenge;
pub(crate) mod kind;
pub(crate) mod notice;
pub(crate) mod passkey_sign_in;
pub(crate) mod passkeys;
pub(crate) mod prove;
pub(crate) mod recovery_codes;
pub(crate) mod refusals;
pub(crate) mod removal;
pub(crate) mod send;
pub(crate) mod sent;
pub(crate) mod set;
pub(crate) mod setup;
pub(crate) mod site;
pub(crate) mod state;
pub(crate) mod totp;
