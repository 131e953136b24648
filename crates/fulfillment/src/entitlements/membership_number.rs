//! Membership numbers: the numbers on cards.

/// The number of digits before the check digit.
const DIGITS: u32 = 13;

/// Makes a number of 13 random digits and a check digit (Luhn), so that a slip of the pen is seen. `id` is a new id, whose
/// end is random; the unique lookup refuses a number that is there already.
pub(super) fn make_number(id: &str) -> String {
    // FNV-1a spreads the random end of the id over all digits.
    let mixed = id
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let digits = format!("{:013}", mixed % 10_u64.pow(DIGITS));
    let check = (10 - sum_of(&digits, 1) % 10) % 10;
    format!("{digits}{check}")
}

/// The sum of the digits from the right, in which every second one counts double. `doubled` is 1 where the check digit is
/// missing.
fn sum_of(digits: &str, doubled: usize) -> u32 {
    let value = |(place, digit): (usize, char)| {
        let digit = digit.to_digit(10).unwrap_or_default();
        match (place + doubled) % 2 {
            0 => digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        }
    };
    digits.chars().rev().enumerate().map(value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_fourteen_digits_of_which_the_last_checks_the_others() {
        let mut seen = std::collections::BTreeSet::new();
        for at in 0..2000 {
            let number = make_number(&format!("01900000-0000-7000-8000-{at:012x}"));
            assert!(number.len() == 14 && number.bytes().all(|byte| byte.is_ascii_digit()), "{number}");
            assert_eq!(sum_of(&number, 0) % 10, 0, "{number}");
            assert!(seen.insert(number));
        }
        assert_eq!(sum_of("79927398713", 0) % 10, 0, "the example of the algorithm");
    }
}
