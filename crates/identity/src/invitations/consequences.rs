//! The letter of an invitation.

use pavise_kernel::{Call, Consequences, Result, Step, email};

use super::support::{letter, pending};
use crate::contract::v1::Invitation;
use crate::shared::notices::{Channel, check_ready};
use crate::shared::tools::Tools as _;

impl Consequences for Invitation {
    /// Sends a letter with a new code, if the code is void or the address has changed.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let service = call.invitations()?;
        let Step { unit, before, after: Some(after), .. } = step else { return Ok(()) };
        let moved = before.as_ref().is_none_or(|before| !email::is_same(before.address(), after.address()));
        if !moved && after.code_digest.is_some() {
            return Ok(());
        }
        match before {
            Some(before) => letter::check_rate_limit(before, call.now())?,
            None => pending::check_creation(call, unit, after).await?,
        }
        check_ready(call, Channel::Email, "").await?;
        let inviter = letter::load_inviter(call, &after.owner_id).await?;
        letter::send_letter(&service, call, unit, after, &inviter)
    }
}
