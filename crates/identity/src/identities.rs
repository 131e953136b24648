//! The service `identities`: what the contract leaves to Rust. Each call with behaviour has a file of its own.

mod answer_challenge;
mod bulk_add_passwords;
mod consequences;
mod create;
mod impersonate;
mod invalidate_passwords;
mod migrate;
mod passwords;
mod prepare_password_reset;
mod read;
mod reset_password;
mod send_password_reset_email;
mod sign_in;

use std::sync::Arc;

use pavise_kernel::{Call, Kernel, Result};

use crate::config::Config;
use crate::contract::IdentityHandler;
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

impl IdentityHandler for Identities {
    async fn create_identity(&self, call: &Call, request: v1::CreateIdentityRequest) -> Result<v1::Identity> {
        create::create_identity(self, call, request).await
    }

    async fn check_identity_exists(
        &self,
        call: &Call,
        request: v1::CheckIdentityExistsRequest,
    ) -> Result<v1::CheckIdentityExistsResponse> {
        read::check_identity_exists(self, call, &request).await
    }

    async fn set_password(&self, call: &Call, request: v1::SetPasswordRequest) -> Result<v1::PasswordChange> {
        passwords::set_password(self, call, request).await
    }

    async fn update_password(&self, call: &Call, request: v1::UpdatePasswordRequest) -> Result<v1::PasswordChange> {
        passwords::update_password(self, call, request).await
    }

    async fn send_password_reset_email(
        &self,
        call: &Call,
        request: v1::SendPasswordResetEmailRequest,
    ) -> Result<v1::SendPasswordResetEmailResponse> {
        send_password_reset_email::send_password_reset_email(self, call, request).await
    }

    async fn prepare_password_reset(&self, call: &Call, request: v1::PreparePasswordResetRequest) -> Result<v1::PasswordReset> {
        prepare_password_reset::prepare_password_reset(self, call, &request).await
    }

    async fn reset_password(&self, call: &Call, request: v1::ResetPasswordRequest) -> Result<v1::PasswordChange> {
        reset_password::reset_password(self, call, request).await
    }

    async fn invalidate_passwords(
        &self,
        call: &Call,
        request: v1::InvalidatePasswordsRequest,
    ) -> Result<v1::InvalidatePasswordsResponse> {
        invalidate_passwords::invalidate_passwords(self, call, request).await
    }

    async fn bulk_add_passwords(
        &self,
        call: &Call,
        request: v1::BulkAddPasswordsRequest,
    ) -> Result<v1::BulkAddPasswordsResponse> {
        bulk_add_passwords::bulk_add_passwords(self, call, request).await
    }

    async fn create_token(&self, call: &Call, request: v1::CreateTokenRequest) -> Result<v1::AccessToken> {
        sign_in::create_token(self, call, request).await
    }

    async fn answer_challenge(&self, call: &Call, request: v1::AnswerChallengeRequest) -> Result<v1::AccessToken> {
        answer_challenge::answer_challenge(self, call, request).await
    }

    async fn send_challenge_code(
        &self,
        call: &Call,
        request: v1::SendChallengeCodeRequest,
    ) -> Result<v1::SendFactorCodeResponse> {
        answer_challenge::send_challenge_code(self, call, &request).await
    }

    async fn begin_challenge_passkey(
        &self,
        call: &Call,
        request: v1::BeginChallengePasskeyRequest,
    ) -> Result<v1::PasskeyCeremony> {
        passkeys::begin_challenge_passkey(&self.factors, call, &request.challenge_id).await
    }

    async fn begin_passkey_sign_in(&self, call: &Call, _request: v1::BeginPasskeySignInRequest) -> Result<v1::PasskeyCeremony> {
        answer_challenge::begin_passkey_sign_in(self, call).await
    }

    async fn finish_passkey_sign_in(&self, call: &Call, request: v1::FinishPasskeySignInRequest) -> Result<v1::AccessToken> {
        answer_challenge::finish_passkey_sign_in(self, call, &request).await
    }

    async fn impersonate(&self, call: &Call, request: v1::ImpersonateRequest) -> Result<v1::AccessToken> {
        impersonate::impersonate(self, call, request).await
    }

    async fn migrate_identity(&self, call: &Call, request: v1::MigrateIdentityRequest) -> Result<v1::Identity> {
        migrate::migrate_identity(call, request).await
    }

    async fn deliver_notice(&self, call: &Call, request: v1::DeliverNoticeRequest) -> Result<v1::DeliverNoticeResponse> {
        self.notices.deliver(call, &request).await
    }

    async fn absorb_identity(&self, call: &Call, request: v1::AbsorbIdentityRequest) -> Result<v1::MovedNames> {
        crate::merges::absorb_identity(call, &request).await
    }

    async fn release_identity(&self, call: &Call, request: v1::ReleaseIdentityRequest) -> Result<v1::MovedNames> {
        crate::merges::release_identity(call, &request).await
    }
}
