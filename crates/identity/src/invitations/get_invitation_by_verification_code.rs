//! Shows an invitation to the bearer of its code, without a sign-in.

use pavise_kernel::{Call, Result};

use super::support::code;
use crate::contract::v1::{GetInvitationByVerificationCodeRequest, InvitationSummary};
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

pub(crate) async fn get_invitation_by_verification_code(
    call: &Call,
    request: GetInvitationByVerificationCodeRequest,
) -> Result<InvitationSummary> {
    let service = &*call.invitations()?;
    let address = Throttle::key(Kind::Address, call.address());
    service.throttle.check_wait(&address, call.machine_now())?;
    let Some(invitation) = code::find_opened(call, &request.code).await? else {
        // Calls without a known address are not counted together.
        if !call.address().is_empty() {
            service.throttle.count_failure(&address, call.machine_now());
        }
        return Err(code::wrong_code_error());
    };
    let resource_type = invitation.resource_type;
    let invitee = invitation.invitee.unwrap_or_default();
    Ok(InvitationSummary {
        invitation_id: invitation.id,
        masked_email: masked(&invitee.email),
        invitee_name: invitee.name,
        locale: invitee.locale,
        resource_type,
        expires_at: invitation.expires_at,
        relation_type: invitee.relation_type,
    })
}

/// The masked address: the first letter and the domain.
fn masked(email: &str) -> String {
    let (name, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    format!("{}…@{domain}", name.chars().next().unwrap_or('…'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_its_first_letter_and_its_domain() {
        assert_eq!(masked("ada.lovelace@example.com"), "a…@example.com");
        assert_eq!(masked(""), "……@");
    }
}
