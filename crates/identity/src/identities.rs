//! The service `identities`: what the contract leaves to Rust. Each call with behaviour has a file of its own.

mod answer_challenge;
mod bulk_add_passwords;
mod check_identity_exists;
mod consequences;
mod create_identity;
mod create_token;
mod impersonate;
mod invalidate_passwords;
mod migrate_identity;
mod passwords;
mod prepare_password_reset;
mod reset_password;
mod send_password_reset_email;

pub(crate) use bulk_add_passwords::bulk_add_passwords;
pub(crate) use check_identity_exists::check_identity_exists;
pub(crate) use create_identity::create_identity;
pub(crate) use create_token::create_token;
pub(crate) use impersonate::impersonate;
pub(crate) use invalidate_passwords::invalidate_passwords;
pub(crate) use migrate_identity::migrate_identity;
pub(crate) use prepare_password_reset::prepare_password_reset;
pub(crate) use reset_password::reset_password;
pub(crate) use send_password_reset_email::send_password_reset_email;
use std::sync::Arc;

use pavise_kernel::{Call, Kernel, Result};

use crate::config::Config;
use crate::contract::v1;
use crate::factors::{Factors, passkeys};
use crate::issue::Issuer;
use crate::keys::KeyRing;
use crate::notices::Notices;
use crate::password::Passwords;
use crate::resets::Resets;
use crate::sessions::Sessions;
use crate::stand_in::StandIn;
use crate::throttle::Throttle;

/// The handler of the service.
#[derive(Debug)]
pub(crate) struct Identities {
    passwords: Passwords,
    throttle: Throttle,
    /// Of those who ask without a token whether a name is taken, or for a new password.
    questions: Throttle,
    /// Of those who begin to sign in with a passkey, which is written down for whoever asks.
    ceremonies: Throttle,
    /// Whose password and whose reset is read where a name is nobody's.
    credentials: StandIn,
    asked: StandIn,
    notices: Notices,
    resets: Resets,
    sessions: Sessions,
    issuer: Issuer,
    config: Config,
    pub(crate) factors: Factors,
}

impl Identities {
    pub(crate) fn new(kernel: &Kernel, config: &Config, keys: Arc<KeyRing>) -> Self {
        let passwords = Passwords::new(config, kernel.ids());
        Self {
            factors: Factors::new(kernel, config, passwords.clone()),
            passwords,
            throttle: Throttle::new(config.free_tries),
            questions: Throttle::new(config.free_tries),
            ceremonies: Throttle::new(config.free_tries),
            credentials: StandIn::default(),
            asked: StandIn::default(),
            notices: Notices::new(kernel, config),
            resets: Resets::new(kernel, config),
            sessions: Sessions::new(kernel, config, keys.clone()),
            issuer: Issuer(keys),
            config: config.clone(),
        }
    }
}

pub(crate) async fn set_password(call: &Call, request: v1::SetPasswordRequest) -> Result<v1::PasswordChange> {
    let service = call.provided::<Identities>()?;
    passwords::set_password(&service, call, request).await
}

pub(crate) async fn update_password(call: &Call, request: v1::UpdatePasswordRequest) -> Result<v1::PasswordChange> {
    let service = call.provided::<Identities>()?;
    passwords::update_password(&service, call, request).await
}

pub(crate) async fn answer_challenge(call: &Call, request: v1::AnswerChallengeRequest) -> Result<v1::AccessToken> {
    let service = call.provided::<Identities>()?;
    answer_challenge::answer_challenge(&service, call, request).await
}

pub(crate) async fn send_challenge_code(
    call: &Call,
    request: v1::SendChallengeCodeRequest,
) -> Result<v1::SendFactorCodeResponse> {
    let service = call.provided::<Identities>()?;
    answer_challenge::send_challenge_code(&service, call, &request).await
}

pub(crate) async fn begin_challenge_passkey(
    call: &Call,
    request: v1::BeginChallengePasskeyRequest,
) -> Result<v1::PasskeyCeremony> {
    let service = call.provided::<Identities>()?;
    passkeys::begin_challenge_passkey(&service.factors, call, &request.challenge_id).await
}

pub(crate) async fn begin_passkey_sign_in(call: &Call, _request: v1::BeginPasskeySignInRequest) -> Result<v1::PasskeyCeremony> {
    let service = call.provided::<Identities>()?;
    answer_challenge::begin_passkey_sign_in(&service, call).await
}

pub(crate) async fn finish_passkey_sign_in(call: &Call, request: v1::FinishPasskeySignInRequest) -> Result<v1::AccessToken> {
    let service = call.provided::<Identities>()?;
    answer_challenge::finish_passkey_sign_in(&service, call, &request).await
}

pub(crate) async fn deliver_notice(call: &Call, request: v1::DeliverNoticeRequest) -> Result<v1::DeliverNoticeResponse> {
    let service = call.provided::<Identities>()?;
    service.notices.deliver(call, &request).await
}

pub(crate) async fn absorb_identity(call: &Call, request: v1::AbsorbIdentityRequest) -> Result<v1::MovedNames> {
    crate::identity_merge::absorb_identity(call, &request).await
}

pub(crate) async fn release_identity(call: &Call, request: v1::ReleaseIdentityRequest) -> Result<v1::MovedNames> {
    crate::identity_merge::release_identity(call, &request).await
}
