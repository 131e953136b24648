//! Adds to a profile what the profile of a merged identity has.

use pavise_kernel::{Call, Result};

use super::support::items::ProfileItem;
use super::support::preferences::name_of;
use crate::contract::v1::{AbsorbProfileRequest, AbsorbedProfile, MergedProfile, Profile, ProfileStatus};

/// The most items of a list: what does not fit stays with the merged profile.
const MOST: usize = 20;

/// Without two profiles in use there is nothing to add. A merge that was done before is done.
pub(crate) async fn absorb_profile(call: &Call, request: AbsorbProfileRequest) -> Result<Profile> {
    let survivor: Option<Profile> = call.find_unscoped(&request.identity_id).await?;
    let merged: Option<Profile> = call.find_unscoped(&request.merged_identity_id).await?;
    let in_use = |profile: &Profile| profile.status() == ProfileStatus::Active && profile.merged.is_none();
    let (Some(survivor), Some(merged)) = (survivor.clone().filter(in_use), merged.filter(in_use)) else {
        return call.answer_unchanged(survivor.unwrap_or_default()).await;
    };
    let mut after = survivor.clone();
    let mut brought = AbsorbedProfile {
        merge_id: request.merge_id.clone(),
        identity_id: merged.id.clone(),
        merged_at: Some(call.timestamp()),
        ..AbsorbedProfile::default()
    };
    join_singles(&mut after, &merged, &mut brought);
    join_lists(&mut after, &merged, &mut brought);
    after.absorbed.push(brought);
    let gone = Profile {
        account_identifiers: Vec::new(),
        merged: Some(MergedProfile {
            merge_id: request.merge_id,
            identity_id: survivor.id.clone(),
            account_identifiers: merged.account_identifiers.clone(),
            merged_at: Some(call.timestamp()),
        }),
        ..merged.clone()
    };
    let mut unit = call.unit();
    unit.update(&merged, gone)?;
    let after = unit.update(&survivor, after)?;
    unit.commit_answer(after).await
}

/// Takes single values where the survivor has none.
fn join_singles(after: &mut Profile, merged: &Profile, brought: &mut AbsorbedProfile) {
    macro_rules! take {
        ($field:ident, $is_empty:expr) => {
            let (is_empty, from) = ($is_empty, &merged.$field);
            if is_empty(&after.$field) && !is_empty(from) {
                after.$field = from.clone();
                brought.filled_fields.push(stringify!($field).to_owned());
            }
        };
    }
    take!(name, Option::is_none);
    take!(pronouns, String::is_empty);
    take!(locale, |locale: &i32| *locale == 0);
    take!(date_of_birth, Option::is_none);
    take!(date_of_death, Option::is_none);
    take!(national_identifier, Option::is_none);
    take!(employee_id, String::is_empty);
    take!(marketing_opt_in, Option::is_none);
    take!(sms_opt_in, Option::is_none);
    take!(tcpa, Option::is_none);
    take!(terms_of_service, Option::is_none);
    take!(entitlement_created_at, Option::is_none);
}

fn join_lists(after: &mut Profile, merged: &Profile, brought: &mut AbsorbedProfile) {
    join_items(&mut after.emails, &merged.emails, brought);
    join_items(&mut after.phone_numbers, &merged.phone_numbers, brought);
    join_items(&mut after.addresses, &merged.addresses, brought);
    join_items(&mut after.account_identifiers, &merged.account_identifiers, brought);
    for flag in merged.service_flags() {
        let flag = flag.into();
        if !after.service_flags.contains(&flag) {
            after.service_flags.push(flag);
            brought.service_flags.push(flag);
        }
    }
    for preference in &merged.communication_preferences {
        let name = name_of(preference);
        if !after.communication_preferences.iter().any(|known| name_of(known) == name) {
            after.communication_preferences.push(preference.clone());
            brought.preference_keys.push(name);
        }
    }
}

fn join_items<T: ProfileItem>(list: &mut Vec<T>, from: &[T], brought: &mut AbsorbedProfile) {
    for item in from {
        if list.len() < MOST && !list.iter().any(|known| known.is_same(item) || known.id() == item.id()) {
            let mut item = item.clone();
            item.set_primary(false);
            brought.item_ids.push(item.id().to_owned());
            list.push(item);
        }
    }
}
