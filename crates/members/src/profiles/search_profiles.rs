//! Finds people by what they say of themselves: as it is written, with other first names, and by the sound.

use futures::try_join;
use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Common, Criterion, Error, Page, Result, Search, SearchPage};

use super::rules::day_text;
use super::support::words::{are_in_pairs, has_words, to_pairs, to_sounds};
use crate::contract::lookups::profile as lookups;
use crate::contract::v1::{Profile, SearchProfilesRequest, SearchProfilesResponse};

/// Profiles of a page where the caller gives no size.
const PAGE: i32 = 50;
/// The searches of the kernel that one caller may make in a minute: three for each of 120 calls.
const PER_MINUTE: u32 = 360;
/// The places of a text that is no name, in the order of the answer.
const PLACES: [&str; 4] = [lookups::ACCOUNT_IDENTIFIERS_VALUE, lookups::EMPLOYEE_ID, lookups::EMAILS_ADDRESS, "id"];

/// One of the searches of a call, each less strict than the one before.
struct Stage {
    text: String,
    places: &'static [&'static str],
    words: &'static str,
    /// Pairs of the text's sounds, of which each person who is found has all. Few people have two sounds, so that the
    /// kernel reads by a pair.
    pairs: Vec<String>,
    /// Whether the pairs hold every word of the text: who has them has the words.
    pairs_say_all: bool,
}

impl Stage {
    /// Whether the stage answers a profile.
    fn finds(&self, profile: &Profile) -> bool {
        let begins = |value: &str| value.to_lowercase().starts_with(&self.text.to_lowercase());
        let in_places = !self.places.is_empty()
            && (begins(&profile.employee_id)
                || begins(&profile.id)
                || profile.account_identifiers.iter().any(|number| begins(&number.value))
                || profile.emails.iter().any(|email| begins(&email.address)));
        let words = if self.words == lookups::SEARCH_WORDS {
            &profile.search_words
        } else if self.words == lookups::NICKNAME_WORDS {
            &profile.nickname_words
        } else {
            &profile.sound_words
        };
        let has_pairs = || self.pairs.iter().all(|pair| profile.sound_pairs.contains(pair));
        in_places || (has_words(words, &self.text) && has_pairs())
    }
}

pub(crate) async fn search_profiles(call: &Call, request: SearchProfilesRequest) -> Result<SearchProfilesResponse> {
    let stages = list_stages(&request);
    let start = read_token(&request.page_token, stages.len())?;
    match stages.split_last() {
        Some((last, before)) if request.page_token.is_empty() && !last.pairs.is_empty() => {
            // Of all who are found, those who sound alike are the most. They are read while the others are.
            let (first, found) = try_join!(
                search_in_order(call, &request, before, start),
                search_stage(call, &request, last, (size_of(&request), ""), &[])
            )?;
            Ok(add_stage(call, first, found, before.len(), size_of(&request)))
        }
        _ => search_in_order(call, &request, &stages, start).await,
    }
}

/// The stages from a place on, until the page is full.
async fn search_in_order(
    call: &Call,
    request: &SearchProfilesRequest,
    stages: &[Stage],
    (mut at, mut token): (usize, String),
) -> Result<SearchProfilesResponse> {
    let told = if request.page_token.is_empty() { 0 } else { at + 1 };
    let mut profiles: Vec<Profile> = Vec::new();
    while let Some(stage) = stages.get(at) {
        let left = size_of(request).saturating_sub(i32::try_from(profiles.len()).unwrap_or(i32::MAX));
        if left == 0 {
            return Ok(SearchProfilesResponse { profiles, next_page_token: format!("{at}:") });
        }
        // A later stage mostly finds the people of an earlier one, too.
        let found_ids: Vec<String> = profiles.iter().map(|profile| profile.id.clone()).collect();
        let found = search_stage(call, request, stage, (left, &token), &found_ids).await?;
        // An earlier page may have answered the people of these stages. Those of this page are left out by their ids.
        let earlier = stages.get(..at.min(told)).unwrap_or_default();
        let is_new = |profile: &Profile| !earlier.iter().any(|stage| stage.finds(profile));
        profiles.extend(found.entities.into_iter().filter(|profile| profile.merged.is_none() && is_new(profile)));
        if !found.next_page_token.is_empty() {
            return Ok(SearchProfilesResponse { profiles, next_page_token: format!("{at}:{}", found.next_page_token) });
        }
        at += 1;
        token.clear();
    }
    Ok(SearchProfilesResponse { profiles, next_page_token: String::new() })
}

/// The page with the people of a further stage, as far as there is room for them.
fn add_stage(
    call: &Call,
    mut answer: SearchProfilesResponse,
    mut found: SearchPage<Profile>,
    stage: usize,
    size: i32,
) -> SearchProfilesResponse {
    if !answer.next_page_token.is_empty() {
        return answer;
    }
    let size = usize::try_from(size).unwrap_or_default();
    let known: Vec<String> = answer.profiles.iter().map(|profile| profile.id.clone()).collect();
    for (before, profile) in std::mem::take(&mut found.entities).into_iter().enumerate() {
        if profile.merged.is_some() || known.contains(&profile.id) {
            continue;
        }
        if answer.profiles.len() >= size {
            answer.next_page_token = format!("{stage}:{}", call.page_token_after(&found, before));
            return answer;
        }
        answer.profiles.push(profile);
    }
    if !found.next_page_token.is_empty() {
        answer.next_page_token = format!("{stage}:{}", found.next_page_token);
    }
    answer
}

/// The page of one stage.
async fn search_stage(
    call: &Call,
    request: &SearchProfilesRequest,
    stage: &Stage,
    (size, token): (i32, &str),
    without: &[String],
) -> Result<SearchPage<Profile>> {
    let search = Search {
        text: if stage.pairs_say_all { "" } else { &stage.text },
        lookups: stage.places,
        per_minute: PER_MINUTE,
        words: stage.words,
        criteria: &list_criteria(request, stage),
        without,
    };
    call.search_for::<Profile>(search, Page { size, token, filters: list_filters(request) }).await
}

/// The profiles of a page.
fn size_of(request: &SearchProfilesRequest) -> i32 {
    if request.page_size == 0 { PAGE } else { request.page_size }
}

/// The searches for a text; one without a text reads what the other fields ask for.
fn list_stages(request: &SearchProfilesRequest) -> Vec<Stage> {
    let text = request.text.trim();
    let stage = |places: &'static [&'static str], words: &'static str| Stage {
        text: text.to_owned(),
        places,
        words,
        pairs: Vec::new(),
        pairs_say_all: false,
    };
    let mut stages = vec![stage(&PLACES, lookups::SEARCH_WORDS)];
    if text.is_empty() || request.exact {
        return stages;
    }
    stages.push(stage(&[], lookups::NICKNAME_WORDS));
    if let Some(sounds) = to_sounds(text) {
        let (pairs, pairs_say_all) = (to_pairs(&sounds), are_in_pairs(&sounds));
        stages.push(Stage { text: sounds, places: &[], words: lookups::SOUND_WORDS, pairs, pairs_say_all });
    }
    stages
}

/// The pairs of the stage come first: a search counts the first criteria only.
fn list_criteria<'a>(request: &'a SearchProfilesRequest, stage: &'a Stage) -> Vec<Criterion<'a>> {
    let criterion = |lookup, text: &'a str, exact| Criterion { lookup, text, exact };
    let pairs = stage.pairs.iter().map(|pair| criterion(lookups::SOUND_PAIRS, pair, true));
    let mut criteria: Vec<Criterion<'a>> = pairs.collect();
    criteria.extend([
        criterion(lookups::ACCOUNT_IDENTIFIERS_VALUE, &request.account_identifier, false),
        criterion(lookups::EMAILS_ADDRESS, &request.email, false),
        criterion(lookups::PHONE_NUMBERS_NUMBER, &request.phone_number, true),
        criterion(lookups::EMPLOYEE_ID, &request.employee_id, false),
    ]);
    // The longest word of an address has the fewest profiles.
    let mut words: Vec<&str> = request.address.split_whitespace().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    criteria.extend(words.into_iter().map(|word| criterion(lookups::PLACE_WORDS, word, false)));
    criteria
}

/// The values that are sealed: they are compared as a whole.
fn list_filters(request: &SearchProfilesRequest) -> Vec<(&'static str, String)> {
    let day = request.date_of_birth.map(|day: Date| day_text(day)).unwrap_or_default();
    vec![(lookups::LAST4, request.last4.clone()), (lookups::BIRTH_DAY, day)]
}

/// The search and the place in it where the page before ended.
fn read_token(token: &str, stages: usize) -> Result<(usize, String)> {
    if token.is_empty() {
        return Ok((0, String::new()));
    }
    let parts = token.split_once(':').and_then(|(at, rest)| Some((at.parse().ok()?, rest.to_owned())));
    parts.filter(|(at, _)| *at < stages).ok_or_else(|| {
        let why = "was not made by this list";
        Error::new(Common::InvalidPageToken, format!("page_token {why}")).violation("page_token", why)
    })
}
