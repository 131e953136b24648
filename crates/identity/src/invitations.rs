//! The service `invitations`: what the contract leaves to Rust. Each call with behaviour has a file of its own.

mod accept_invitation;
mod code;
mod create;
mod get_invitation_by_verification_code;
mod letter;
mod resend_all_invitations;

pub(crate) use accept_invitation::accept_invitation;
pub(crate) use get_invitation_by_verification_code::get_invitation_by_verification_code;
use pavise_kernel::{Call, Consequences, Kernel, Result, Settle, Step};
use prost_types::Timestamp;
pub(crate) use resend_all_invitations::resend_all_invitations;

use crate::config::Config;
use crate::contract::v1::{Invitation, InvitationStatus};
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

impl Settle for Invitation {
    fn settle(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        // What was accepted makes room for another invitation to the same thing.
        self.pending_digest = (self.status() != InvitationStatus::Accepted).then(|| create::pending_digest(self));
        Ok(())
    }
}

impl Consequences for Invitation {
    /// A pending invitation whose code is void, or that is for another address than before, gets a letter with a new code.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let service = call.provided::<Invitations>()?;
        let Step { unit, before, after: Some(after), .. } = step else { return Ok(()) };
        let moved = before.as_ref().is_none_or(|before| !before.address().eq_ignore_ascii_case(after.address()));
        if !moved && after.code_digest.is_some() {
            return Ok(());
        }
        match before {
            Some(before) => letter::may_be_sent(before, call.now())?,
            None => create::may_be_made(call, after).await?,
        }
        let inviter = resend_all_invitations::inviter(call, &after.owner_id).await?;
        letter::send(&service, call, unit, after, &inviter)
    }
}

impl Invitation {
    /// Where its letters go.
    fn address(&self) -> &str {
        self.invitee.as_ref().map(|invitee| invitee.email.as_str()).unwrap_or_default()
    }
}
