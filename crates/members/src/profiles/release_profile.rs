//! Takes away what a merge added to a profile.

use pavise_kernel::{Call, Result};

use super::support::items::ProfileItem;
use super::support::preferences::name_of;
use crate::contract::v1::{AbsorbedProfile, Profile, ReleaseProfileRequest};

/// A field that was changed since the merge stays where it is. A merge that was undone before is undone.
pub(crate) async fn release_profile(call: &Call, request: ReleaseProfileRequest) -> Result<Profile> {
    let survivor: Option<Profile> = call.find_unscoped(&request.identity_id).await?;
    let merged: Option<Profile> = call.find_unscoped(&request.merged_identity_id).await?;
    let gone = merged.filter(|one| one.merged.as_ref().is_some_and(|mark| mark.merge_id == request.merge_id));
    let Some(gone) = gone else {
        return call.answer_unchanged(survivor.unwrap_or_default()).await;
    };
    let mut unit = call.unit();
    let mut answer = survivor.clone().unwrap_or_default();
    let mut kept = Vec::new();
    if let Some(survivor) = survivor {
        let mut after = survivor.clone();
        let place = after.absorbed.iter().position(|one| one.merge_id == request.merge_id);
        if let Some(brought) = place.map(|place| after.absorbed.remove(place)) {
            take_singles(&mut after, &gone, &brought);
            take_lists(&mut after, &brought);
        }
        kept = after.account_identifiers.iter().map(|number| number.key.clone()).collect();
        answer = unit.update(&survivor, after)?;
    }
    let mut back = gone.clone();
    let mark = back.merged.take().unwrap_or_default();
    back.account_identifiers = mark.account_identifiers;
    // A number that somebody gave the survivor since stays there.
    back.account_identifiers.retain(|number| !kept.contains(&number.key));
    unit.update(&gone, back)?;
    unit.commit_answer(answer).await
}

/// Clears the single values that came from there, as far as they are the same still.
fn take_singles(after: &mut Profile, merged: &Profile, brought: &AbsorbedProfile) {
    let was = |field: &str| brought.filled_fields.iter().any(|filled| filled == field);
    macro_rules! clear {
        ($($field:ident),+) => {$(
            if was(stringify!($field)) && after.$field == merged.$field {
                after.$field = Default::default();
            }
        )+};
    }
    clear!(
        name,
        pronouns,
        locale,
        date_of_birth,
        date_of_death,
        national_identifier,
        employee_id,
        marketing_opt_in,
        sms_opt_in,
        tcpa,
        terms_of_service,
        entitlement_created_at
    );
}

fn take_lists(after: &mut Profile, brought: &AbsorbedProfile) {
    take_items(&mut after.emails, brought);
    take_items(&mut after.phone_numbers, brought);
    take_items(&mut after.addresses, brought);
    take_items(&mut after.account_identifiers, brought);
    after.service_flags.retain(|flag| !brought.service_flags.contains(flag));
    after.communication_preferences.retain(|one| !brought.preference_keys.contains(&name_of(one)));
}

fn take_items<T: ProfileItem>(list: &mut Vec<T>, brought: &AbsorbedProfile) {
    list.retain(|item| !brought.item_ids.iter().any(|id| id == item.id()));
}
