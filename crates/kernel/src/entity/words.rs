//! The words by which people are searched: of names, addresses and telephone numbers.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The most words of one entity, and the most letters of a word. Further ones are left out.
const MOST_WORDS: usize = 400;
const LONGEST: usize = 64;
/// The most words that a text asks for. Further ones are left out.
const MOST_ASKED: usize = 8;
/// The fewest digits of a telephone number.
const SHORTEST_NUMBER: usize = 4;
/// The digits of a telephone number of the United States or Canada without the country's.
const NATIONAL: usize = 10;

/// The words of an entity, for a lookup that a search names as its `words`. Each word is there once. Those that are added
/// first stay where there are too many.
#[derive(Debug, Clone, Default)]
pub struct SearchWords(BTreeSet<String>);

impl SearchWords {
    /// Adds the words of a name: "Anne-Marie O'Neil" has anne-marie, anne, marie, o'neil, o and neil.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        for whole in name.split_whitespace().map(shortened) {
            for part in whole.split(|letter: char| !letter.is_alphanumeric()) {
                self.add(part.to_owned());
            }
            self.add(whole);
        }
        self
    }

    /// Adds an e-mail address, and the words before its at sign. All addresses of a provider share the rest.
    #[must_use]
    pub fn address(mut self, address: &str) -> Self {
        self.add(shortened(address));
        match address.split_once('@') {
            Some((local, _)) => self.name(local),
            None => self,
        }
    }

    /// Adds the digits of a telephone number, with and without the country's where it can be either.
    #[must_use]
    pub fn phone(mut self, number: &str) -> Self {
        let digits = digits_of(number);
        let national = digits.strip_prefix('1').filter(|rest| rest.len() == NATIONAL).unwrap_or(&digits);
        if national.len() == NATIONAL {
            self.add(format!("1{national}"));
        }
        if national.len() >= SHORTEST_NUMBER {
            self.add(shortened(national));
        }
        self
    }

    fn add(&mut self, word: String) {
        if !word.is_empty() && self.0.len() < MOST_WORDS {
            self.0.insert(word);
        }
    }

    /// The words, sorted.
    #[must_use]
    pub fn into_list(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}

/// The words that a text asks for, each once. A telephone number is one word, however it is written.
#[must_use]
pub fn words_of_query(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let mut words: Vec<String> = Vec::new();
    for run in parts.chunk_by(|one, next| is_numeric(one) && is_numeric(next)) {
        let digits = digits_of(&run.concat());
        let is_one = run.iter().all(|part| is_numeric(part)) && digits.len() >= SHORTEST_NUMBER;
        let of_run = if is_one { vec![digits] } else { run.iter().map(|part| shortened(part)).collect() };
        for word in of_run {
            if !word.is_empty() && !words.contains(&word) && words.len() < MOST_ASKED {
                words.push(word);
            }
        }
    }
    words
}

/// Whether a text has digits and the signs of telephone numbers only.
fn is_numeric(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_digit() || "+().-/".contains(letter))
}

fn digits_of(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// A word in lower case and without accents, which people leave out where they type.
fn shortened(word: &str) -> String {
    word.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_addresses_and_numbers_are_found_by_their_words() {
        let words = SearchWords::default()
            .name("Anne-Marie  O'Neil")
            .address("j.lawson@example.com")
            .phone("+1 (512) 555-0100");
        let expected = [
            "15125550100",
            "5125550100",
            "anne",
            "anne-marie",
            "j",
            "j.lawson",
            "j.lawson@example.com",
            "lawson",
            "marie",
            "neil",
            "o",
            "o'neil",
        ];
        assert_eq!(words.into_list(), expected);
        assert_eq!(SearchWords::default().phone("12").name(" ").into_list(), Vec::<String>::new());
        assert_eq!(SearchWords::default().name("ÉLODIE").into_list(), ["elodie"]);
        assert_eq!(words_of_query("Élodie ELODIE elodie"), ["elodie"]);
        assert_eq!(SearchWords::default().name("\u{301}").into_list(), Vec::<String>::new());
        assert_eq!(words_of_query("\u{301}"), Vec::<String>::new());
    }

    #[test]
    fn a_number_is_one_word_however_it_is_written() {
        assert_eq!(words_of_query("James  Lawson"), ["james", "lawson"]);
        for text in ["512-555-0100", "(512) 555 0100", "512.555.0100"] {
            assert_eq!(words_of_query(text), ["5125550100"], "{text}");
        }
        assert_eq!(words_of_query("+1 512 555"), ["1512555"]);
        assert_eq!(words_of_query("12"), ["12"]);
        assert_eq!(words_of_query("7 Main"), ["7", "main"]);
        assert_eq!(words_of_query("James (512) 555-0177"), ["james", "5125550177"]);
        assert_eq!(words_of_query("Store 7-11"), ["store", "7-11"]);
    }

    #[test]
    fn the_first_words_stay_and_few_are_asked_for() {
        let names = (0..1000).map(|number| format!("aa{number}"));
        let words = names.fold(SearchWords::default().name("Zoe Young"), |words, name| words.name(&name)).into_list();
        assert_eq!(words.len(), MOST_WORDS);
        assert!(["zoe", "young"].iter().all(|name| words.contains(&(*name).to_owned())));
        let text: String = ('a'..='z').map(|letter| format!("{letter} ")).collect();
        assert_eq!(words_of_query(&text).len(), MOST_ASKED);
    }
}
