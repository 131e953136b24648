//! The beginning of an erasure: the request, and the first commit of the work.

use pavise_kernel::time::{DAY, to_date, to_micros, to_timestamp};
use pavise_kernel::{Call, Result, Unit};
use prost_types::Timestamp;

use crate::contract::actions::profile as actions;
use crate::contract::v1::{PersonErasure, PersonErasureOrigin, PersonErasureStatus, Profile, ProfileStatus};

/// The days in which a person can take their request back.
const DAYS_TO_CANCEL: i64 = 7;

/// Adds the request of a person to the commit: the erasure is due after seven days. `known` is their earlier erasure.
pub(crate) fn request_erasure(
    call: &Call,
    unit: &mut Unit<'_>,
    profile: &Profile,
    known: Option<PersonErasure>,
    reason: &str,
) -> Result<Profile> {
    let due_at = Some(to_timestamp(call.now().saturating_add(DAYS_TO_CANCEL * DAY)));
    let status = PersonErasureStatus::Requested.into();
    let erasure = build_erasure(call, &profile.id, PersonErasureOrigin::Member, reason);
    put_erasure(unit, known, PersonErasure { status, due_at, ..erasure }, actions::ERASURE_REQUESTED)?;
    unit.update_as(profile, Profile { erasure_due_at: due_at, ..profile.clone() }, actions::UPDATED)
}

/// Adds the start of an erasure by staff to the commit. Answers the blank profile.
pub(crate) fn start_erasure_now(
    call: &Call,
    unit: &mut Unit<'_>,
    profile: &Profile,
    known: Option<PersonErasure>,
    reason: &str,
) -> Result<Profile> {
    let now = Some(call.timestamp());
    let status = PersonErasureStatus::Running.into();
    let erasure = build_erasure(call, &profile.id, PersonErasureOrigin::Staff, reason);
    let erasure = PersonErasure { status, due_at: now, started_at: now, ..erasure };
    put_erasure(unit, known, erasure, actions::ERASURE_STARTED)?;
    blank_profile(unit, profile)
}

/// Adds to the commit that a person is erased again whose key was destroyed at that time, and who is there all the same.
pub(crate) fn repeat_erasure(
    call: &Call,
    unit: &mut Unit<'_>,
    profile: &Profile,
    known: Option<PersonErasure>,
    destroyed_at: Timestamp,
) -> Result<PersonErasure> {
    let day = to_date(to_micros(&destroyed_at));
    let reason = format!(
        "erased on {:04}-{:02}-{:02}, and again because the profile was there: after a restored backup, or an erasure by hand",
        day.year, day.month, day.day
    );
    let (now, status) = (Some(call.timestamp()), PersonErasureStatus::Running.into());
    let erasure = build_erasure(call, &profile.id, PersonErasureOrigin::DestroyedKey, &reason);
    let key_destroyed_at = Some(destroyed_at);
    let erasure = PersonErasure { status, due_at: now, started_at: now, key_destroyed_at, ..erasure };
    let erasure = put_erasure(unit, known, erasure, actions::ERASURE_STARTED)?;
    blank_profile(unit, profile)?;
    Ok(erasure)
}

/// Adds to the commit that nothing is left of a profile.
pub(crate) fn blank_profile(unit: &mut Unit<'_>, profile: &Profile) -> Result<Profile> {
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
    unit.update_as(profile, blank, actions::REDACTED_PER_REQUEST)
}

fn build_erasure(call: &Call, person: &str, origin: PersonErasureOrigin, reason: &str) -> PersonErasure {
    PersonErasure {
        id: person.to_owned(),
        owner_id: person.to_owned(),
        origin: origin.into(),
        requested_by_id: call.caller().identity.clone(),
        reason: reason.trim().to_owned(),
        ..PersonErasure::default()
    }
}

/// Makes the erasure, or begins the earlier one of the person anew.
fn put_erasure(
    unit: &mut Unit<'_>,
    known: Option<PersonErasure>,
    erasure: PersonErasure,
    action: &str,
) -> Result<PersonErasure> {
    let Some(known) = known else { return unit.create_as(erasure, action) };
    let erasure =
        PersonErasure { version: known.version, created_at: known.created_at, updated_at: known.updated_at, ..erasure };
    unit.update_as(&known, erasure, action)
}
