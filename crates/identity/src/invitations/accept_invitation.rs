//! Accepts an invitation for the bearer of its code.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Error, Result, time};

use super::support::code;
use crate::contract::v1::{AcceptInvitationRequest, ErrorReason, Invitation, InvitationStatus};
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

pub(crate) async fn accept_invitation(call: &Call, request: AcceptInvitationRequest) -> Result<Invitation> {
    let is_past = |born: Date| time::is_real(born) && time::to_days(born) <= time::to_days(call.today());
    if request.birth_date.is_some_and(|born| !is_past(born)) {
        return Err(Error::field("birth_date", "is no day of the past"));
    }
    let service = &*call.invitations()?;
    let me = &call.caller().identity;
    let attempts = Throttle::key(Kind::Account, &format!("invitation {me}"));
    service.throttle.check_wait(&attempts, call.machine_now())?;
    // The ownership check is skipped: the caller is not the owner, and the code gives access.
    let found: Option<Invitation> = call.find_unscoped(&request.invitation_id).await?;
    if let Some(accepted) = found.filter(|invitation| invitation.accepted_by_id == *me) {
        return call.answer_unchanged(accepted).await;
    }
    let opened =
        code::find_opened(call, &request.code).await?.filter(|invitation| invitation.id == request.invitation_id);
    let Some(before) = opened else {
        service.throttle.count_failure(&attempts, call.machine_now());
        return Err(code::wrong_code_error());
    };
    if before.owner_id == *me {
        return Err(Error::new(ErrorReason::OwnInvitation, "you cannot accept your own invitation"));
    }
    call.check_transition(&before)?;
    let after = Invitation {
        status: InvitationStatus::Accepted.into(),
        accepted_by_id: me.clone(),
        accepted_at: Some(call.timestamp()),
        birth_date: request.birth_date,
        code_digest: None,
        pending_digest: None,
        ..before.clone()
    };
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.commit_answer(after).await
}
