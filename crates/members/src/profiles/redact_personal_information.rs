//! Erases a person's data: at once for staff, after seven days for the person.

use pavise_kernel::{Call, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{
    PersonErasure, PersonErasureStatus, Profile, ProfileStatus, RedactPersonalInformationRequest,
};
use crate::shared::erasures::{request_erasure, start_erasure_now};
use crate::shared::open_records::{find_open, records_open_error};

pub(crate) async fn redact_personal_information(
    call: &Call,
    request: RedactPersonalInformationRequest,
) -> Result<Profile> {
    let profile: Profile = call.get(&request.identity_id).await?;
    if profile.status() == ProfileStatus::Redacted {
        return call.answer_unchanged(profile).await;
    }
    call.check_transition(&profile)?;
    let is_staff = call.has_role(roles::STAFF);
    if is_staff && request.reason.trim().is_empty() {
        return Err(Error::field("reason", "says why staff erase the person"));
    }
    let known = call.find_unscoped::<PersonErasure>(&profile.id).await?;
    let is_requested = known.as_ref().is_some_and(|known| known.status() == PersonErasureStatus::Requested);
    if is_requested && !is_staff {
        return call.answer_unchanged(profile).await;
    }
    let open = find_open(call, &profile.id).await?;
    if !open.is_empty() {
        return Err(records_open_error(&open));
    }
    let mut unit = call.unit();
    let begin = if is_staff { start_erasure_now } else { request_erasure };
    let profile = begin(call, &mut unit, &profile, known, &request.reason)?;
    unit.commit_answer(profile).await
}
