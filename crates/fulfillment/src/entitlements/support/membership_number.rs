//! Membership numbers: the numbers on cards.

use pavise_kernel::check_digit::with_check_digit;

/// The number of digits before the check digit.
const DIGITS: u32 = 13;

/// Makes a number of 13 random digits and a check digit, so that a slip of the pen is seen. `id` is a new id, whose end is
/// random; the unique lookup refuses a number that is there already.
pub(crate) fn make_number(id: &str) -> String {
    // FNV-1a spreads the random end of the id over all digits.
    let mixed = id
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    with_check_digit(&format!("{:013}", mixed % 10_u64.pow(DIGITS)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::check_digit::has_check_digit;

    #[test]
    fn a_number_has_fourteen_digits_of_which_the_last_checks_the_others() {
        let mut seen = std::collections::BTreeSet::new();
        for at in 0..2000 {
            let number = make_number(&format!("01900000-0000-7000-8000-{at:012x}"));
            assert!(number.len() == 14 && has_check_digit(&number), "{number}");
            assert!(seen.insert(number));
        }
    }
}
