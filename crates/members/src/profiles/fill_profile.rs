//! Fills in what a profile lacks.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Call, Common, Result};

use super::consequences::find_of_new_addresses;
use super::support::items::ProfileItem;
use super::support::preferences::set_preferences;
use crate::contract::actions::profile as actions;
use crate::contract::lookups::profile as lookups;
use crate::contract::v1::{AccountIdentifier, FillProfileRequest, Profile, ProfileStatus};

/// The most items of a list: what does not fit is left out.
const MOST: usize = 20;

/// A profile that was erased, or merged into another one, stays as it is.
pub(crate) async fn fill_profile(call: &Call, request: FillProfileRequest) -> Result<Profile> {
    let free = find_free(call, &request).await?;
    loop {
        let known: Option<Profile> = call.find_unscoped(&request.identity_id).await?;
        if let Some(known) = known {
            if known.status() != ProfileStatus::Active || known.merged.is_some() {
                return call.answer_unchanged(known).await;
            }
            let ids: Vec<String> = (0..MOST * 4).map(|_| call.new_id()).collect();
            let after = filled(known.clone(), &request, &free, &mut ids.clone().into_iter());
            let preferences = find_of_new_addresses(call, Some(&known), &after).await?;
            return call
                .change(&request.identity_id, |profile: &mut Profile| {
                    *profile = filled(std::mem::take(profile), &request, &free, &mut ids.clone().into_iter());
                    if !preferences.is_empty() {
                        let new = preferences.iter().cloned();
                        set_preferences(&mut profile.communication_preferences, new, call.timestamp());
                    }
                    Ok(())
                })
                .await;
        }
        match create(call, &request, &free).await {
            // Another worker made it meanwhile.
            Err(error) if error.is(Common::AlreadyExists) => {}
            other => return other,
        }
    }
}

async fn create(call: &Call, request: &FillProfileRequest, free: &[AccountIdentifier]) -> Result<Profile> {
    let id = request.identity_id.clone();
    let new = Profile { id: id.clone(), owner_id: id, ..Profile::default() };
    let mut ids = std::iter::repeat_with(|| call.new_id());
    let mut new = filled(new, request, free, &mut ids);
    let preferences = find_of_new_addresses(call, None, &new).await?;
    set_preferences(&mut new.communication_preferences, preferences, call.timestamp());
    let mut unit = call.unit();
    let made = unit.create_as(new, actions::CREATED)?;
    unit.commit_answer(made).await
}

/// The account identifiers of the request that nobody else has.
async fn find_free(call: &Call, request: &FillProfileRequest) -> Result<Vec<AccountIdentifier>> {
    let mut free = Vec::new();
    for number in &request.account_identifiers {
        let key = format!("{}/{}", number.r#type().spelling(), number.value);
        let holder = call.find_id_by::<Profile>(lookups::ACCOUNT_IDENTIFIERS_KEY, &key).await?;
        if holder.is_none_or(|holder| holder == request.identity_id) {
            free.push(number.clone());
        }
    }
    Ok(free)
}

fn filled(
    mut profile: Profile,
    request: &FillProfileRequest,
    free: &[AccountIdentifier],
    ids: &mut dyn Iterator<Item = String>,
) -> Profile {
    if profile.name.is_none() {
        profile.name.clone_from(&request.name);
    }
    if profile.locale == 0 {
        profile.locale = request.locale;
    }
    profile.date_of_birth = profile.date_of_birth.or(request.date_of_birth);
    let times = [profile.entitlement_created_at, request.entitlement_created_at];
    profile.entitlement_created_at = times.into_iter().flatten().min_by_key(to_micros);
    add_items(&mut profile.emails, &request.emails, ids);
    add_items(&mut profile.phone_numbers, &request.phone_numbers, ids);
    add_items(&mut profile.addresses, &request.addresses, ids);
    add_items(&mut profile.account_identifiers, free, ids);
    profile
}

/// Adds the items that are not there. None of them becomes primary in the place of another.
fn add_items<T: ProfileItem>(list: &mut Vec<T>, new: &[T], ids: &mut dyn Iterator<Item = String>) {
    for item in new {
        if list.len() >= MOST || list.iter().any(|known| known.is_same(item)) {
            continue;
        }
        let mut item = item.clone();
        item.set_primary(list.is_empty());
        if let Some(id) = ids.next() {
            *item.id_mut() = id;
            list.push(item);
        }
    }
}
