//! The service `identities`: what the contract leaves to Rust. Each call with behaviour has a file of its own.

mod answer_challenge;
mod create;
mod delete;
mod impersonate;
mod names;
mod passwords;
mod permissions;
mod read;
mod sign_in;

use std::sync::Arc;

use pavise_kernel::{Call, Kernel, Result};

use crate::config::Config;
use crate::contract::IdentityHandler;
use crate::contract::v1;
use crate::factors::Factors;
use crate::issue::Issuer;
use crate::keys::KeyRing;
use crate::notices::Notices;
use crate::password::Passwords;
use crate::sessions::Sessions;
use crate::throttle::Throttle;

/// The handler of the service.
#[derive(Debug)]
pub(crate) struct Identities {
    passwords: Passwords,
    throttle: Throttle,
    notices: Notices,
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
            throttle: Throttle::default(),
            notices: Notices::new(kernel, config),
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

    async fn list_identities(&self, call: &Call, request: v1::ListIdentitiesRequest) -> Result<v1::ListIdentitiesResponse> {
        read::list_identities(call, request).await
    }

    async fn delete_identity(&self, call: &Call, request: v1::DeleteIdentityRequest) -> Result<v1::Identity> {
        delete::delete_identity(call, &request).await
    }

    async fn check_identity_exists(
        &self,
        call: &Call,
        request: v1::CheckIdentityExistsRequest,
    ) -> Result<v1::CheckIdentityExistsResponse> {
        read::check_identity_exists(call, &request).await
    }

    async fn get_key(&self, call: &Call, request: v1::GetKeyRequest) -> Result<v1::PublicKey> {
        crate::tokens::get_key(call, &request).await
    }

    async fn set_password(&self, call: &Call, request: v1::SetPasswordRequest) -> Result<v1::PasswordChange> {
        passwords::set_password(self, call, request).await
    }

    async fn update_password(&self, call: &Call, request: v1::UpdatePasswordRequest) -> Result<v1::PasswordChange> {
        passwords::update_password(self, call, request).await
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

    async fn impersonate(&self, call: &Call, request: v1::ImpersonateRequest) -> Result<v1::AccessToken> {
        impersonate::impersonate(self, call, request).await
    }

    async fn add_email(&self, call: &Call, request: v1::AddEmailRequest) -> Result<v1::Identity> {
        names::add_email(call, &request).await
    }

    async fn remove_email(&self, call: &Call, request: v1::RemoveEmailRequest) -> Result<v1::Identity> {
        names::remove_email(call, &request).await
    }

    async fn add_username(&self, call: &Call, request: v1::AddUsernameRequest) -> Result<v1::Identity> {
        names::add_username(call, &request).await
    }

    async fn remove_username(&self, call: &Call, request: v1::RemoveUsernameRequest) -> Result<v1::Identity> {
        names::remove_username(call, &request).await
    }

    async fn add_classic_id(&self, call: &Call, request: v1::AddClassicIdRequest) -> Result<v1::Identity> {
        names::add_classic_id(call, &request).await
    }

    async fn remove_classic_id(&self, call: &Call, request: v1::RemoveClassicIdRequest) -> Result<v1::Identity> {
        names::remove_classic_id(call, &request).await
    }

    async fn update_permissions(&self, call: &Call, request: v1::UpdatePermissionsRequest) -> Result<v1::Identity> {
        permissions::update_permissions(call, &request).await
    }

    async fn update_groups(&self, call: &Call, request: v1::UpdateGroupsRequest) -> Result<v1::Identity> {
        permissions::update_groups(call, request).await
    }

    async fn deliver_notice(&self, call: &Call, request: v1::DeliverNoticeRequest) -> Result<v1::DeliverNoticeResponse> {
        self.notices.deliver(call, &request).await
    }
}
