//! Sessions: what a sign-in opens, what a refresh token prolongs, and what ends it.

mod address;
pub(crate) mod cookie;
mod impersonations;
mod open;
mod read;
mod refresh;
mod refresh_token;
mod revocations;
mod revoke_all_sessions;
mod sign_out;

pub(crate) use revoke_all_sessions::revoke_all_sessions;
use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::time::{Ids, Micros};
use pavise_kernel::{Call, Kernel, Result};

pub use address::SignInApplication;
pub(crate) use open::SignIn;
pub use revocations::Revocations;
pub(crate) use revoke_all_sessions::{revoke_all, tidy};

use self::address::Addresses;
use crate::config::Config;
use crate::contract::v1;
use crate::contract::v1::IdentityRealm;
use crate::issue::Issuer;
use crate::keys::KeyRing;

/// Opens and prolongs sessions.
#[derive(Debug, Clone)]
pub(crate) struct Sessions {
    issuer: Issuer,
    config: Config,
    addresses: Addresses,
    ids: Ids,
}

impl Sessions {
    pub(crate) fn new(kernel: &Kernel, config: &Config, keys: Arc<KeyRing>) -> Self {
        let addresses = Addresses::new(&config.public_url, &config.applications);
        Self { issuer: Issuer(keys), config: config.clone(), addresses, ids: kernel.ids().clone() }
    }

    /// How long a session of the realm lasts at the most, and how long if it is not used.
    fn terms(&self, realm: IdentityRealm) -> (Duration, Duration) {
        match realm {
            IdentityRealm::User | IdentityRealm::GroupAdmin => (self.config.session_lifetime, self.config.session_idle),
            _ => (self.config.staff_session_lifetime, self.config.staff_session_idle),
        }
    }
}

pub(crate) async fn refresh_token(call: &Call, request: v1::RefreshTokenRequest) -> Result<v1::AccessToken> {
    let service = call.provided::<Sessions>()?;
    service.exchange(call, request).await
}

pub(crate) async fn sign_out(call: &Call, request: v1::SignOutRequest) -> Result<v1::SignOutResponse> {
    let service = call.provided::<Sessions>()?;
    service.end_shown(call, &request).await
}

pub(crate) async fn get_current_session(call: &Call, _request: v1::GetCurrentSessionRequest) -> Result<v1::CurrentSession> {
    read::get_current_session(call).await
}

pub(crate) async fn list_sessions(call: &Call, request: v1::ListSessionsRequest) -> Result<v1::ListSessionsResponse> {
    read::list_sessions(call, request).await
}

pub(crate) async fn end_impersonation(call: &Call, request: v1::EndImpersonationRequest) -> Result<v1::EndImpersonationResponse> {
    let service = call.provided::<Sessions>()?;
    service.end_acting(call, &request).await
}

pub(crate) async fn compose_sign_in_address(call: &Call, request: v1::ComposeSignInAddressRequest) -> Result<v1::SignInAddress> {
    let service = call.provided::<Sessions>()?;
    service.addresses.compose(&request)
}

pub(crate) async fn resolve_return(call: &Call, request: v1::ResolveReturnRequest) -> Result<v1::ReturnAddress> {
    let service = call.provided::<Sessions>()?;
    service.addresses.resolve(&request)
}

/// A time span as the clock counts.
fn span(duration: Duration) -> Micros {
    Micros::try_from(duration.as_micros()).unwrap_or(Micros::MAX)
}
