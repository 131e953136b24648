//! The words by which a profile is searched: as they are, with nicknames, and by their sound.

use std::cmp::Reverse;

use pavise_kernel::words::{SearchWords, words_of_query};

use super::nicknames::find_nicknames;
use super::sounds::code_of;
use crate::contract::v1::Profile;

/// The most sounds of one person's names. Further ones are left out: the number of pairs grows with the square.
const MOST_SOUNDS: usize = 24;

/// Fills in the words. A profile that was merged into another has none: the other one is found.
pub(crate) fn derive_words(profile: &mut Profile) {
    if profile.merged.is_some() {
        for words in [
            &mut profile.search_words,
            &mut profile.nickname_words,
            &mut profile.sound_words,
            &mut profile.sound_pairs,
            &mut profile.place_words,
        ] {
            words.clear();
        }
        return;
    }
    let places = address_words(profile);
    let given = given_names(profile);
    let names = name_words(profile);
    let others: Vec<&str> = given.iter().flat_map(|name| find_nicknames(name)).collect();
    let all = all_words(profile);
    profile.nickname_words = if others.is_empty() {
        Vec::new()
    } else {
        others.iter().fold(all.clone(), |words, name| words.name(name)).into_list()
    };
    let mut sounds = list_sounds(names.iter().map(String::as_str).chain(others));
    profile.sound_pairs = list_pairs(&sounds);
    sounds.extend(all.clone().into_list().into_iter().filter(|word| has_digit(word)));
    sounds.sort_unstable();
    profile.sound_words = sounds;
    profile.search_words = all.into_list();
    profile.place_words = places;
}

/// A text as it sounds; `None` where it has words without a sound, such as an e-mail address.
pub(crate) fn to_sounds(text: &str) -> Option<String> {
    let words = words_of_query(text);
    let sounds: Option<Vec<String>> =
        words.iter().map(|word| if has_digit(word) { Some(word.clone()) } else { code_of(word) }).collect();
    sounds.filter(|sounds| !sounds.is_empty()).map(|sounds| sounds.join(" "))
}

/// The pairs of the longest sound of a text with each of the others. A profile that has all sounds has all these pairs.
pub(crate) fn to_pairs(sounds: &str) -> Vec<String> {
    let codes = codes_of(sounds);
    let Some((longest, others)) = codes.split_first() else { return Vec::new() };
    others.iter().map(|other| if longest < other { pair(longest, other) } else { pair(other, longest) }).collect()
}

/// Whether each word of a text that is written in sounds is in one of its pairs. A number has no sound, and one sound alone
/// has no pair.
pub(crate) fn are_in_pairs(sounds: &str) -> bool {
    codes_of(sounds).len() > 1 && !sounds.split_whitespace().any(has_digit)
}

/// The sounds of a text, each once, the longest first.
fn codes_of(sounds: &str) -> Vec<&str> {
    let mut codes: Vec<&str> = sounds.split_whitespace().filter(|word| !has_digit(word)).collect();
    codes.sort_unstable_by_key(|code| (Reverse(code.len()), *code));
    codes.dedup();
    codes
}

/// Whether a list of words has the beginning of each word of a text.
pub(crate) fn has_words(list: &[String], text: &str) -> bool {
    let asked = words_of_query(text);
    !asked.is_empty() && asked.iter().all(|word| list.iter().any(|known| known.starts_with(word.as_str())))
}

/// The sounds of names, sorted, each once. Those that come first stay where there are too many.
fn list_sounds<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut sounds: Vec<String> = Vec::new();
    for code in names.filter_map(code_of) {
        if sounds.len() < MOST_SOUNDS && !sounds.contains(&code) {
            sounds.push(code);
        }
    }
    sounds.sort_unstable();
    sounds
}

/// Each two of sorted sounds. No sound is the beginning of another one, so that one order of the two is enough.
fn list_pairs(sounds: &[String]) -> Vec<String> {
    let others = |at: usize| sounds.iter().skip(at + 1);
    sounds.iter().enumerate().flat_map(|(at, one)| others(at).map(move |other| pair(one, other))).collect()
}

fn pair(one: &str, other: &str) -> String {
    format!("{one} {other}")
}

fn has_digit(word: &str) -> bool {
    !word.contains('@') && word.chars().any(|letter| letter.is_ascii_digit())
}

/// The words of the names by which people of the same first name differ.
fn given_names(profile: &Profile) -> Vec<String> {
    let Some(name) = &profile.name else { return Vec::new() };
    [&name.first_name, &name.middle_name, &name.preferred_name]
        .into_iter()
        .fold(SearchWords::default(), |words, name| words.name(name))
        .into_list()
}

fn name_words(profile: &Profile) -> Vec<String> {
    whole_name(SearchWords::default(), profile).into_list()
}

fn whole_name(words: SearchWords, profile: &Profile) -> SearchWords {
    let Some(name) = &profile.name else { return words };
    [&name.last_name, &name.first_name, &name.preferred_name, &name.middle_name]
        .into_iter()
        .fold(words, |words, name| words.name(name))
}

fn address_words(profile: &Profile) -> Vec<String> {
    places(SearchWords::default(), profile).into_list()
}

fn places(words: SearchWords, profile: &Profile) -> SearchWords {
    let lines = profile.addresses.iter().filter_map(|item| item.address.as_ref()).flat_map(|address| {
        [&address.address1, &address.address2, &address.city, &address.postal_code]
            .map(Clone::clone)
            .into_iter()
            .chain([address.locality().spelling().to_owned()])
    });
    lines.fold(words, |words, line| words.name(&line))
}

fn all_words(profile: &Profile) -> SearchWords {
    let words = whole_name(SearchWords::default(), profile);
    let words = profile.emails.iter().fold(words, |words, email| words.address(&email.address));
    let words = profile.phone_numbers.iter().fold(words, |words, phone| words.phone(&phone.number));
    let words = profile.account_identifiers.iter().fold(words, |words, number| words.name(&number.value));
    places(words.name(&profile.employee_id), profile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::PersonName;

    fn profile(first: &str, last: &str) -> Profile {
        let name = PersonName { first_name: first.into(), last_name: last.into(), ..PersonName::default() };
        let mut profile = Profile { name: Some(name), ..Profile::default() };
        derive_words(&mut profile);
        profile
    }

    #[test]
    fn a_name_is_found_as_it_is_by_nickname_and_by_sound() {
        let robert = profile("Róbert", "Smith");
        assert!(has_words(&robert.search_words, "rob smi"), "a beginning");
        assert!(!has_words(&robert.search_words, "bob smith"));
        assert!(has_words(&robert.nickname_words, "bob smith"));
        assert!(has_words(&robert.sound_words, &to_sounds("Bob Smyth").unwrap()));
        assert!(!has_words(&robert.sound_words, &to_sounds("Bob Smart").unwrap()));
    }

    #[test]
    fn addresses_and_numbers_have_no_sound_of_their_own() {
        assert_eq!(to_sounds("bob@example.com"), None);
        assert_eq!(to_sounds("Tom 512-555-0100").as_deref(), Some("tm= 5125550100"));
        assert_eq!(to_sounds(" "), None);
    }

    #[test]
    fn a_merged_profile_has_no_words() {
        let mut merged = profile("Ada", "Lee");
        merged.merged = Some(crate::contract::v1::MergedProfile::default());
        derive_words(&mut merged);
        assert!(merged.search_words.is_empty() && merged.sound_words.is_empty() && merged.sound_pairs.is_empty());
    }

    #[test]
    fn a_name_has_each_two_of_its_sounds() {
        assert_eq!(profile("Ada", "Lee").sound_pairs, ["ad= l="]);
        assert_eq!(profile("Lee", "Ada").sound_pairs, ["ad= l="], "in whichever order");
        assert_eq!(profile("Lee", "Leigh").sound_pairs, [""; 0], "they sound alike");
        assert_eq!(to_pairs("l= ad="), ["ad= l="]);
        assert_eq!(to_pairs("l= ad= smt="), ["ad= smt=", "l= smt="], "the longest with the others");
        for (asked, expected) in [("", 0), ("l=", 0), ("l= l=", 0), ("l= 512", 0), ("512 l= ad=", 1)] {
            assert_eq!(to_pairs(asked).len(), expected, "{asked}");
        }
        for (asked, expected) in
            [("", false), ("l=", false), ("l= l=", false), ("l= 512", false), ("512 l= ad=", false), ("l= ad=", true)]
        {
            assert_eq!(are_in_pairs(asked), expected, "{asked}");
        }
    }

    #[test]
    fn a_profile_with_all_sounds_has_all_pairs() {
        let long =
            (0..40_u8).map(|at| format!("{}{}", char::from(b'b' + at % 20), "rtnk".repeat(usize::from(at / 20))));
        let long = profile(&long.collect::<Vec<_>>().join(" "), "Smith");
        for person in [profile("Margaret Elizabeth", "Smith-Lee"), profile("Bob", "Smyth"), long] {
            let codes: Vec<&String> = person.sound_words.iter().filter(|word| !has_digit(word)).collect();
            assert!(codes.len() <= MOST_SOUNDS && person.sound_pairs.len() == codes.len() * (codes.len() - 1) / 2);
            for one in &codes {
                for other in &codes {
                    let pairs = to_pairs(&format!("{one} {other}"));
                    assert_eq!(pairs.len(), usize::from(one != other));
                    assert!(pairs.iter().all(|pair| person.sound_pairs.contains(pair)), "{pairs:?}");
                }
            }
        }
        let bob = profile("Robert", "Smith");
        let asked = to_pairs(&to_sounds("Bob Smyth").unwrap());
        assert!(!asked.is_empty() && asked.iter().all(|pair| bob.sound_pairs.contains(pair)), "by nickname, too");
    }
}
