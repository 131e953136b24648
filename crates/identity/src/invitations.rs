//! The service `invitations`: members and staff invite people by letter.

mod accept_invitation;
mod consequences;
mod get_invitation_by_verification_code;
mod resend_all_invitations;
mod rules;
mod support;

pub(crate) use accept_invitation::accept_invitation;
pub(crate) use get_invitation_by_verification_code::get_invitation_by_verification_code;
pub(crate) use resend_all_invitations::resend_all_invitations;
pub(crate) use support::state::Invitations;
