//! Erases the personal data of a profile.

use pavise_kernel::worker::Work;
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{ErrorReason, Profile, ProfileStatus, RedactPersonalInformationRequest};

/// The name under which it asks the other services.
const ERASURE: &str = "profiles.erasure";

pub(crate) async fn redact_personal_information(
    call: &Call,
    request: RedactPersonalInformationRequest,
) -> Result<Profile> {
    let profile: Profile = call.get(&request.identity_id).await?;
    if profile.status() == ProfileStatus::Redacted {
        return call.answer_unchanged(profile).await;
    }
    call.check_transition(&profile)?;
    check_nothing_open(call, &profile.id).await?;
    let blank = Profile {
        id: profile.id.clone(),
        owner_id: profile.owner_id.clone(),
        status: ProfileStatus::Redacted.into(),
        version: profile.version,
        created_at: profile.created_at,
        updated_at: profile.updated_at,
        locale: profile.locale,
        entitlement_created_at: profile.entitlement_created_at,
        ..Profile::default()
    };
    let mut unit = call.unit();
    let redacted = unit.update(&profile, blank)?;
    unit.commit_answer(redacted).await
}

/// Refuses while a service has records of the person that are open. A service that does not answer refuses, too.
async fn check_nothing_open(call: &Call, person: &str) -> Result<()> {
    let work = Work::new(call.kernel(), ERASURE, format!("redact {}", call.request_id()), call.request_id());
    let mut open = Vec::new();
    for owned_entity in call.kernel().owned_entities() {
        let ids = work.list_in_use(owned_entity, person).await?;
        open.extend(ids.into_iter().map(|id| (owned_entity.processor, id)));
    }
    if open.is_empty() {
        return Ok(());
    }
    let error = Error::new(ErrorReason::RecordsOpen, format!("{} records of this person are open", open.len()));
    Err(open.into_iter().fold(error, |error, (what, id)| error.precondition(what, id, "is open")))
}
