//! The service `factors`: the second factors, recovery codes and passkeys of identities.

mod begin_passkey_registration;
mod consequences;
mod create_factor;
mod create_passkey;
mod create_recovery_codes;
mod list_factor_types;
mod reseal_factor;
mod rules;
mod send_factor_code;
pub(crate) mod support;
mod validate_factor;
mod verify_factor;

pub(crate) use begin_passkey_registration::begin_passkey_registration;
pub(crate) use create_factor::create_factor;
pub(crate) use create_passkey::create_passkey;
pub(crate) use create_recovery_codes::create_recovery_codes;
pub(crate) use list_factor_types::list_factor_types;
pub(crate) use reseal_factor::reseal_factor;
pub(crate) use rules::has_second_factor;
pub(crate) use send_factor_code::send_factor_code;
pub(crate) use support::prove::{Answer, Place, build_proof, build_proof_in, wrong_answer_error};
pub(crate) use support::removal::remove_all;
pub(crate) use support::set::Set;
pub(crate) use support::state::Factors;
pub(crate) use validate_factor::validate_factor;
pub(crate) use verify_factor::verify_factor;
