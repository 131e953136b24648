//! Begins an erasure whose time has come, unless records of the person are open.

use pavise_kernel::{Call, Result};

use crate::contract::actions::profile as actions;
use crate::contract::v1::{PersonErasure, PersonErasureStatus, Profile, ProfileStatus, StartPersonErasureRequest};
use crate::shared::erasures::blank_profile;
use crate::shared::open_records::find_open;

/// The open records that a failed erasure names at most.
const MOST_NAMED: usize = 50;

/// An erasure that was started, or taken back, stays as it is.
pub(crate) async fn start_person_erasure(call: &Call, request: StartPersonErasureRequest) -> Result<PersonErasure> {
    let erasure: PersonErasure = call.get(&request.identity_id).await?;
    if erasure.status() != PersonErasureStatus::Requested {
        return call.answer_unchanged(erasure).await;
    }
    let profile = call.find_unscoped::<Profile>(&erasure.id).await?;
    let profile = profile.filter(|profile| profile.status() == ProfileStatus::Active);
    let mut open = find_open(call, &erasure.id).await?;
    let now = Some(call.timestamp());
    let mut unit = call.unit();
    let (after, action) = if open.is_empty() {
        if let Some(profile) = &profile {
            blank_profile(&mut unit, profile)?;
        }
        let status = PersonErasureStatus::Running.into();
        (PersonErasure { status, started_at: now, ..erasure.clone() }, actions::ERASURE_STARTED)
    } else {
        if let Some(profile) = &profile {
            unit.update_as(profile, Profile { erasure_due_at: None, ..profile.clone() }, actions::UPDATED)?;
        }
        open.truncate(MOST_NAMED);
        let status = PersonErasureStatus::Failed.into();
        let failed = PersonErasure { status, ended_at: now, open_records: open, ..erasure.clone() };
        (failed, actions::ERASURE_FAILED)
    };
    let after = unit.update_as(&erasure, after, action)?;
    unit.commit_answer(after).await
}
