//! The last digit of a number that people write down: it checks the others (Luhn).

/// The digits with their check digit.
#[must_use]
pub fn with_check_digit(digits: &str) -> String {
    let check = (10 - luhn_sum(&format!("{digits}0")) % 10) % 10;
    format!("{digits}{check}")
}

/// Whether the last digit checks the others. A text with anything but digits is no number.
#[must_use]
pub fn has_check_digit(number: &str) -> bool {
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && luhn_sum(number).is_multiple_of(10)
}

/// The sum of the digits, in which every second one from the right counts double.
fn luhn_sum(number: &str) -> u32 {
    let value = |(place, digit): (usize, char)| {
        let digit = digit.to_digit(10).unwrap_or_default();
        if place.is_multiple_of(2) { digit } else { digit * 2 / 10 + digit * 2 % 10 }
    };
    number.chars().rev().enumerate().map(value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digit_checks_the_others() {
        for number in ["79927398713", "4111111111111111", "378282246310005"] {
            assert!(has_check_digit(number), "{number}");
            assert_eq!(with_check_digit(&number[..number.len() - 1]), number);
        }
        for number in ["79927398710", "4111111111111112", "", "41a1"] {
            assert!(!has_check_digit(number), "{number}");
        }
    }
}
