//! Erases a person again whose key is destroyed and whose profile is there.

use pavise_kernel::sealed::name_key_of;
use pavise_kernel::{Aggregate as _, Call, Error, Result};
use prost_types::Timestamp;
use tonic::Request;

use crate::contract::identity::GetDataKeysRequest;
use crate::contract::identity::data_key_service_client::DataKeyServiceClient;
use crate::contract::v1::{PersonErasure, PersonErasureStatus, Profile, ProfileStatus, RepeatPersonErasureRequest};
use crate::shared::erasures::repeat_erasure;

pub(crate) async fn repeat_person_erasure(call: &Call, request: RepeatPersonErasureRequest) -> Result<PersonErasure> {
    let known = call.find_unscoped::<PersonErasure>(&request.identity_id).await?;
    let has_begun =
        |known: &&PersonErasure| matches!(known.status(), PersonErasureStatus::Running | PersonErasureStatus::Done);
    if let Some(known) = known.as_ref().filter(has_begun) {
        return call.answer_unchanged(known.clone()).await;
    }
    let profile = call.find_unscoped::<Profile>(&request.identity_id).await?;
    let profile = profile.filter(|profile| profile.status() == ProfileStatus::Active);
    let profile = profile.ok_or_else(|| Error::not_found(Profile::TABLE.noun, &request.identity_id))?;
    let destroyed_at = find_destroyed(call, &profile.id).await?;
    let mut unit = call.unit();
    let erasure = repeat_erasure(call, &mut unit, &profile, known, destroyed_at)?;
    unit.commit_answer(erasure).await
}

/// When the person's key was destroyed. Nobody is erased here whose key is not.
async fn find_destroyed(call: &Call, person: &str) -> Result<Timestamp> {
    let mut keys = DataKeyServiceClient::new(call.peer_channel("identity"));
    let request = GetDataKeysRequest { names: vec![name_key_of(person)] };
    let found = keys.get_data_keys(Request::new(request)).await?.into_inner().keys;
    let destroyed = found.into_iter().find(|key| key.wrapped.is_empty()).and_then(|key| key.at);
    destroyed.ok_or_else(|| Error::field("identity_id", "their key is not destroyed, so that they were not erased"))
}
