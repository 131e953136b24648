//! Takes an erasure back that has not begun.

use pavise_kernel::{Call, Result};

use crate::contract::actions::profile as actions;
use crate::contract::v1::{CancelPersonErasureRequest, PersonErasure, PersonErasureStatus, Profile};

pub(crate) async fn cancel_person_erasure(call: &Call, request: CancelPersonErasureRequest) -> Result<PersonErasure> {
    let erasure: PersonErasure = call.get(&request.identity_id).await?;
    if erasure.status() == PersonErasureStatus::Canceled {
        return call.answer_unchanged(erasure).await;
    }
    call.check_transition(&erasure)?;
    let mut unit = call.unit();
    if let Some(profile) = call.find_unscoped::<Profile>(&erasure.id).await? {
        unit.update_as(&profile, Profile { erasure_due_at: None, ..profile.clone() }, actions::UPDATED)?;
    }
    let status = PersonErasureStatus::Canceled.into();
    let canceled = PersonErasure { status, due_at: None, ended_at: Some(call.timestamp()), ..erasure.clone() };
    let canceled = unit.update(&erasure, canceled)?;
    unit.commit_answer(canceled).await
}
