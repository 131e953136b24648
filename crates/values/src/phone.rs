//! Telephone numbers, kept as E.164.

use phonenumber::Mode;
use phonenumber::country::Id;

use crate::common::v1::PhoneNumber;
use crate::{Value, ValueError};

/// The longest text that is read.
const LONGEST: usize = 40;

/// The number as E.164: `+15125550100`. `country` is the country of a number without a plus, by ISO 3166-1; empty for the
/// United States or Canada. `None` if it is no number of its country.
#[must_use]
pub fn to_e164(text: &str, country: &str) -> Option<String> {
    let (text, is_sign) = (text.trim(), |letter: char| "+(). -".contains(letter));
    if text.len() > LONGEST || !text.chars().all(|letter| letter.is_ascii_digit() || is_sign(letter)) {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let (plus, known) = (text.starts_with('+'), matches!(country, "" | "US" | "CA"));
    if text.chars().filter(|letter| *letter == '+').count() > usize::from(plus) {
        return None;
    }
    // North America's numbers need no table, and new area codes need no newer one.
    if plus && digits.starts_with('1') || !plus && known {
        let national = match digits.len() {
            11 => digits.strip_prefix('1')?,
            _ if plus => return None,
            _ => &digits,
        };
        return is_north_american(national).then(|| format!("+1{national}"));
    }
    let country: Option<Id> = if plus { None } else { Some(country.parse().ok()?) };
    let number = phonenumber::parse(country, if plus { format!("+{digits}") } else { digits }).ok()?;
    phonenumber::is_valid(&number).then(|| number.format().mode(Mode::E164).to_string())
}

/// Whether ten digits are a number of the North American Numbering Plan: NXX-NXX-XXXX, where N is 2 to 9, no N11, and no
/// area code with a 9 in its middle. Source: the plan's format as its administrator states it, <https://www.nanpa.com>
/// (area codes: "NPA", "N9X are reserved for expansion"; central office codes: "N11 are service codes").
fn is_north_american(national: &str) -> bool {
    let digits: Vec<u8> = national.bytes().map(|byte| byte.wrapping_sub(b'0')).collect();
    let &[a, b, c, d, e, f, _, _, _, _] = digits.as_slice() else { return false };
    let service = |second: u8, third: u8| second == 1 && third == 1;
    a >= 2 && b != 9 && !service(b, c) && d >= 2 && !service(e, f)
}

impl Value for PhoneNumber {
    fn find_value_errors(&self, path: &str, found: &mut Vec<ValueError>) {
        if to_e164(&self.number, &self.country).is_none() {
            found.push(ValueError::new(format!("{path}number"), "is no telephone number"));
        }
    }

    fn normalize(&mut self) {
        if let Some(number) = to_e164(&self.number, &self.country) {
            self.number = number;
            self.country.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_as_e164_however_they_are_written() {
        for text in ["512-555-0100", "(512) 555 0100", "1.512.555.0100", "+1 (512) 555-0100", " 5125550100 "] {
            assert_eq!(to_e164(text, "").as_deref(), Some("+15125550100"), "{text}");
        }
        assert_eq!(to_e164("416 555 0199", "CA").as_deref(), Some("+14165550199"));
        assert_eq!(to_e164("55 1234 5678", "MX").as_deref(), Some("+525512345678"));
        assert_eq!(to_e164("+52 55 1234 5678", "").as_deref(), Some("+525512345678"));
        assert_eq!(to_e164("020 7946 0018", "GB").as_deref(), Some("+442079460018"));
        assert_eq!(to_e164("+44 20 7946 0018", "US").as_deref(), Some("+442079460018"));
    }

    #[test]
    fn what_cannot_be_called_is_no_number() {
        for text in [
            "",
            "12",
            "555-0100",
            "(012) 555-0100",
            "(192) 555-0100",
            "(511) 555-0100",
            "(292) 555-0100",
            "(512) 155-0100",
            "(512) 911-0100",
            "51255501001",
            "+1512555010",
            "+152 555 0100",
            "512+5550100",
            "++15125550100",
            "+999 123456789",
            "+44 1",
            "5125550100x1",
            "٥١٢٥٥٥٠١٠٠",
            "+",
            "1",
        ] {
            assert_eq!(to_e164(text, ""), None, "{text}");
        }
        assert_eq!(to_e164("5125550100", "XX"), None);
        assert_eq!(to_e164("5125550100", "GB"), None);
    }

    #[test]
    fn a_number_loses_its_country_once_it_says_it_itself() {
        let mut number = PhoneNumber { number: "55 1234 5678".into(), country: "MX".into(), extension: "7".into() };
        let mut found = Vec::new();
        number.find_value_errors("phone.", &mut found);
        assert_eq!(found, []);
        number.normalize();
        let kept = PhoneNumber { number: "+525512345678".into(), country: String::new(), extension: "7".into() };
        assert_eq!(number, kept);
        PhoneNumber { number: "1".into(), ..kept }.find_value_errors("phone.", &mut found);
        assert_eq!(found[0].path, "phone.number");
    }
}
