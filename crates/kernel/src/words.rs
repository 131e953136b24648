//! The words by which people are searched: of names, addresses and telephone numbers.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The most words of one entity, and the most letters of a word. Further ones are left out.
const MOST_WORDS: usize = 100;
const LONGEST: usize = 64;
/// The fewest digits of a telephone number.
const SHORTEST_NUMBER: usize = 3;
/// The digits of a telephone number of the United States or Canada without the country's.
const NATIONAL: usize = 10;

/// The words of an entity, for a lookup that a search names as its `words`. Each word is there once.
#[derive(Debug, Clone, Default)]
pub struct Words(BTreeSet<String>);

impl Words {
    /// Adds the words of a name: "Anne-Marie O'Neil" has anne-marie, anne, marie, o'neil, o and neil.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        for whole in name.split_whitespace().map(shortened) {
            let parts = whole.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
            self.0.extend(parts.map(str::to_owned));
            self.0.insert(whole);
        }
        self
    }

    /// Adds the words of an e-mail address before the at sign. All addresses of a provider share the rest.
    #[must_use]
    pub fn address(self, address: &str) -> Self {
        let local = address.split_once('@').map_or(address, |(local, _)| local).to_owned();
        self.name(&local)
    }

    /// Adds the digits of a telephone number, with and without the country's where it can be either.
    #[must_use]
    pub fn phone(mut self, number: &str) -> Self {
        let digits = digits_of(number);
        let national = digits.strip_prefix('1').filter(|rest| rest.len() == NATIONAL).unwrap_or(&digits).to_owned();
        if national.len() == NATIONAL {
            self.0.insert(format!("1{national}"));
        }
        if national.len() >= SHORTEST_NUMBER {
            self.0.insert(shortened(&national));
        }
        self
    }

    /// The words, sorted.
    #[must_use]
    pub fn into_list(self) -> Vec<String> {
        self.0.into_iter().take(MOST_WORDS).collect()
    }
}

/// The words that a text asks for. A telephone number is one word, however it is written.
#[must_use]
pub fn asked(text: &str) -> Vec<String> {
    let digits = digits_of(text);
    let is_number = text.chars().all(|letter| letter.is_ascii_digit() || " +().-/".contains(letter));
    if is_number && digits.len() >= SHORTEST_NUMBER {
        return vec![digits];
    }
    text.split_whitespace().map(shortened).collect()
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
        let words =
            Words::default().name("Anne-Marie  O'Neil").address("j.lawson@example.com").phone("+1 (512) 555-0100");
        let expected = [
            "15125550100",
            "5125550100",
            "anne",
            "anne-marie",
            "j",
            "j.lawson",
            "lawson",
            "marie",
            "neil",
            "o",
            "o'neil",
        ];
        assert_eq!(words.into_list(), expected);
        assert_eq!(Words::default().phone("12").name(" ").into_list(), Vec::<String>::new());
        assert_eq!(Words::default().name("ÉLODIE").into_list(), ["elodie"]);
        assert_eq!(asked("Élodie ELODIE elodie"), ["elodie"; 3]);
    }

    #[test]
    fn a_number_is_one_word_however_it_is_written() {
        assert_eq!(asked("James  Lawson"), ["james", "lawson"]);
        for text in ["512-555-0100", "(512) 555 0100", "512.555.0100"] {
            assert_eq!(asked(text), ["5125550100"], "{text}");
        }
        assert_eq!(asked("+1 512 555"), ["1512555"]);
        assert_eq!(asked("12"), ["12"]);
        assert_eq!(asked("7 Main"), ["7", "main"]);
    }
}
