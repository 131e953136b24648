//! The service `invitations`: what the contract leaves to Rust. Each call with behaviour has a file of its own.

mod accept;
mod code;
mod create;
mod letter;
mod list;
mod look_up;
mod resend;
mod update_invitee;

use pavise_kernel::{Call, Kernel, Result};

use crate::config::Config;
use crate::contract::InvitationHandler;
use crate::contract::v1;
use crate::notices::Notices;
use crate::throttle::Throttle;

/// The handler of the service.
#[derive(Debug)]
pub(crate) struct Invitations {
    notices: Notices,
    throttle: Throttle,
    config: Config,
}

impl Invitations {
    pub(crate) fn new(kernel: &Kernel, config: &Config) -> Self {
        Self { notices: Notices::new(kernel, config), throttle: Throttle::new(config.free_tries), config: config.clone() }
    }
}

impl InvitationHandler for Invitations {
    async fn create_invitation(&self, call: &Call, request: v1::CreateInvitationRequest) -> Result<v1::Invitation> {
        create::create_invitation(self, call, request).await
    }

    async fn get_invitation_by_verification_code(
        &self,
        call: &Call,
        request: v1::GetInvitationByVerificationCodeRequest,
    ) -> Result<v1::InvitationSummary> {
        look_up::by_verification_code(self, call, &request).await
    }

    async fn list_invitations(&self, call: &Call, request: v1::ListInvitationsRequest) -> Result<v1::ListInvitationsResponse> {
        list::of_identity(call, request).await
    }

    async fn list_invitations_by_invitee(
        &self,
        call: &Call,
        request: v1::ListInvitationsByInviteeRequest,
    ) -> Result<v1::ListInvitationsResponse> {
        list::by_invitee(call, request).await
    }

    async fn resend_invitation(&self, call: &Call, request: v1::ResendInvitationRequest) -> Result<v1::Invitation> {
        resend::one(self, call, &request).await
    }

    async fn resend_all_invitations(
        &self,
        call: &Call,
        request: v1::ResendAllInvitationsRequest,
    ) -> Result<v1::ResendAllInvitationsResponse> {
        resend::all(self, call, &request).await
    }

    async fn update_invitee(&self, call: &Call, request: v1::UpdateInviteeRequest) -> Result<v1::Invitation> {
        update_invitee::update_invitee(self, call, request).await
    }

    async fn accept_invitation(&self, call: &Call, request: v1::AcceptInvitationRequest) -> Result<v1::Invitation> {
        accept::accept_invitation(self, call, &request).await
    }
}
