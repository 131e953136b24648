//! Finds the people who may be the one who is described.

use pavise_kernel::store::Filter;
use pavise_kernel::{Call, Result};

use super::rules::{day_text, identifier_key};
use crate::contract::lookups::profile as lookups;
use crate::contract::v1::{
    AccountIdentifierType, MatchProfilesRequest, MatchProfilesResponse, Profile, ProfileMatch, ProfileMatchReason,
    ProfileStatus,
};
use crate::shared::found::find_by;

/// The most profiles that one lookup reads: a telephone may be that of a whole office.
const MOST_READ: u32 = 100;
/// The most matches of an answer.
const MOST: usize = 20;

/// A profile that was erased, or merged into another one, matches nobody.
pub(crate) async fn match_profiles(call: &Call, request: MatchProfilesRequest) -> Result<MatchProfilesResponse> {
    let mut matches: Vec<ProfileMatch> = Vec::new();
    for (lookup, value, reason) in list_lookups(&request) {
        let filter = Filter { limit: MOST_READ, ..Filter::default() };
        let found: Vec<Profile> = find_by(call, lookup, &value, filter).await?;
        for profile in found.iter().filter(|profile| is_match(profile, &request, reason)) {
            if !matches.iter().any(|known| known.identity_id == profile.id) {
                matches.push(ProfileMatch { identity_id: profile.id.clone(), reason: reason.into() });
            }
        }
    }
    matches.truncate(MOST);
    Ok(MatchProfilesResponse { matches })
}

/// The lookups, each with the fact that a profile found by it shares with the description.
fn list_lookups(request: &MatchProfilesRequest) -> Vec<(&'static str, String, ProfileMatchReason)> {
    let mut all = Vec::new();
    if let Some(number) = &request.national_identifier {
        let key = identifier_key(number.r#type, &number.value);
        all.push((lookups::IDENTIFIER_KEY, key, ProfileMatchReason::NationalIdentifier));
    }
    let kind = request.account_identifier_type();
    if kind != AccountIdentifierType::Unspecified && !request.account_identifier.is_empty() {
        let key = format!("{}/{}", kind.spelling(), request.account_identifier);
        all.push((lookups::ACCOUNT_IDENTIFIERS_KEY, key, ProfileMatchReason::AccountIdentifier));
    }
    if let Some(day) = request.date_of_birth.filter(|_| !request.last_name.trim().is_empty()) {
        all.push((lookups::BIRTH_DAY, day_text(day), ProfileMatchReason::NameAndBirth));
    }
    if !request.phone_number.is_empty() {
        all.push((lookups::PHONE_NUMBERS_NUMBER, request.phone_number.clone(), ProfileMatchReason::PhoneAndName));
    }
    all
}

fn is_match(profile: &Profile, request: &MatchProfilesRequest, reason: ProfileMatchReason) -> bool {
    let is_in_use = profile.status() == ProfileStatus::Active && profile.merged.is_none();
    let name = profile.name.clone().unwrap_or_default();
    let has_first =
        || is_same(&name.first_name, &request.first_name) || is_same(&name.preferred_name, &request.first_name);
    is_in_use
        && match reason {
            ProfileMatchReason::NameAndBirth => has_first() && is_same(&name.last_name, &request.last_name),
            // A family shares its number.
            ProfileMatchReason::PhoneAndName => has_first(),
            ProfileMatchReason::NationalIdentifier | ProfileMatchReason::AccountIdentifier => true,
            ProfileMatchReason::Unspecified => false,
        }
}

/// Whether two parts of a name are the same, whatever their case. No name is none.
fn is_same(one: &str, other: &str) -> bool {
    !one.trim().is_empty() && one.trim().to_lowercase() == other.trim().to_lowercase()
}
