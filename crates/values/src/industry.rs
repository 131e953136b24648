//! Classifications of industries, and DUNS numbers.

use crate::digits::digits_of;

/// The first two digits of NAICS codes: sectors. Source: Office of Management and Budget, "North American Industry
/// Classification System, United States, 2022".
const NAICS_SECTORS: [(u8, u8); 17] = [
    (11, 11),
    (21, 23),
    (31, 33),
    (42, 42),
    (44, 45),
    (48, 49),
    (51, 51),
    (52, 52),
    (53, 53),
    (54, 54),
    (55, 55),
    (56, 56),
    (61, 61),
    (62, 62),
    (71, 72),
    (81, 81),
    (92, 92),
];

/// The first two digits of SIC codes: major groups. Source: Office of Management and Budget, "Standard Industrial
/// Classification Manual, 1987".
const SIC_GROUPS: [(u8, u8); 18] = [
    (1, 2),
    (7, 9),
    (10, 10),
    (12, 17),
    (20, 39),
    (40, 42),
    (43, 49),
    (50, 51),
    (52, 59),
    (60, 65),
    (67, 67),
    (70, 70),
    (72, 73),
    (75, 76),
    (78, 84),
    (86, 89),
    (91, 97),
    (99, 99),
];

/// A code of the North American Industry Classification System: two digits for a sector, up to six for an industry.
#[must_use]
pub fn normalize_naics(text: &str) -> Option<String> {
    check_code(text, 6, |sector| NAICS_SECTORS.iter().any(|(from, to)| (*from..=*to).contains(&sector)))
}

/// A code of the Standard Industrial Classification: two digits for a major group, up to four for an industry.
#[must_use]
pub fn normalize_sic(text: &str) -> Option<String> {
    check_code(text, 4, |group| SIC_GROUPS.iter().any(|(from, to)| (*from..=*to).contains(&group)))
}

/// A DUNS number: nine digits. They have had no check digit since 2006. Source: Dun & Bradstreet, "D-U-N-S Number".
#[must_use]
pub fn normalize_duns(text: &str) -> Option<String> {
    let number = digits_of(text).filter(|number| number.len() == 9)?;
    (number != "000000000").then_some(number)
}

/// A code of at least two and at most so many digits, the first two of which are known.
fn check_code(text: &str, most: usize, is_known: impl Fn(u8) -> bool) -> Option<String> {
    let text = text.trim();
    let is_code = (2..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let first: u8 = text.get(..2).filter(|_| is_code)?.parse().ok()?;
    is_known(first).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_of_a_known_sector_or_group() {
        for code in ["54", "541110", "31", "33", "92"] {
            assert_eq!(normalize_naics(code).as_deref(), Some(code));
        }
        for code in ["5", "5411100", "34", "99", "43", "54111a", "-1"] {
            assert_eq!(normalize_naics(code), None, "{code}");
        }
        for code in ["8111", "01", "9999", "4311"] {
            assert_eq!(normalize_sic(code).as_deref(), Some(code));
        }
        for code in ["8", "81111", "0300", "1100", "1800", "66", "68", "71", "74", "77", "8500", "90", "9800"] {
            assert_eq!(normalize_sic(code), None, "{code}");
        }
        assert_eq!((1..=99).filter(|group| normalize_sic(&format!("{group:02}")).is_some()).count(), 83);
        assert_eq!((0..=99).filter(|sector| normalize_naics(&format!("{sector:02}")).is_some()).count(), 24);
    }

    #[test]
    fn a_duns_number_has_nine_digits() {
        assert_eq!(normalize_duns("15-048-3782").as_deref(), Some("150483782"));
        for number in ["000000000", "15048378", "1504837822", "15048378a"] {
            assert_eq!(normalize_duns(number), None, "{number}");
        }
    }
}
