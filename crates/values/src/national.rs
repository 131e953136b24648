//! The numbers that authorities give people and businesses, in their normal forms: without separators.
//!
//! A number that was never given out is none. Nobody can tell from a number alone that it was.

use crate::check_digit::has_check_digit;
use crate::digits::digits_of;

/// Numbers that were printed in advertisements or are examples. Source: Social Security Administration, "Social Security
/// Cards Issued by Woolworth" (<https://www.ssa.gov/history/ssn/misused.html>).
const MISUSED_SSN: [&str; 3] = ["078051120", "219099999", "457555462"];

/// The middle digits of an ITIN, as ranges. Source: Internal Revenue Service, "Individual taxpayer identification number"
/// and Internal Revenue Manual 3.21.263 (fourth and fifth digits: 50–65, 70–88, 90–92, 94–99).
const ITIN_GROUPS: [(u8, u8); 4] = [(50, 65), (70, 88), (90, 92), (94, 99)];

/// The first two digits that no EIN begins with. Source: Internal Revenue Service, "How EINs are assigned and valid EIN
/// prefixes": the prefixes that its table does not have.
const UNUSED_EIN: [u8; 17] = [0, 7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96, 97];

/// The characters of an RFC by their value for the check digit. Source: Servicio de Administración Tributaria, Anexo III of
/// the "Procedimiento para la obtención de la clave del RFC".
const RFC_LETTERS: &str = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ";

/// RFCs that stand for anybody: the general public, and foreigners. Source: the same authority, Resolución Miscelánea
/// Fiscal, rule 2.7.1.23.
const GENERIC_RFC: [&str; 2] = ["XAXX010101000", "XEXX010101000"];

/// A Social Security number. Areas 000, 666 and 900 to 999, group 00 and serial 0000 are never given out. Source: Social
/// Security Administration, "Social Security Number Randomization" (<https://www.ssa.gov/employer/randomization.html>).
#[must_use]
pub fn normalize_ssn(text: &str) -> Option<String> {
    let number = digits_of(text).filter(|number| number.len() == 9)?;
    let (area, group, serial) = (number.get(..3)?, number.get(3..5)?, number.get(5..)?);
    let given = area != "000" && area != "666" && !area.starts_with('9') && group != "00" && serial != "0000";
    (given && !MISUSED_SSN.contains(&number.as_str())).then_some(number)
}

/// An individual taxpayer identification number.
#[must_use]
pub fn normalize_itin(text: &str) -> Option<String> {
    let number = digits_of(text).filter(|number| number.len() == 9 && number.starts_with('9'))?;
    let group: u8 = number.get(3..5)?.parse().ok()?;
    ITIN_GROUPS.iter().any(|(from, to)| (*from..=*to).contains(&group)).then_some(number)
}

/// A Social Insurance Number. None begins with 0 or 8, and the last digit checks the others. Source: Employment and Social
/// Development Canada, "The Social Insurance Number Code of Practice".
#[must_use]
pub fn normalize_sin(text: &str) -> Option<String> {
    let number = digits_of(text).filter(|number| number.len() == 9)?;
    (!number.starts_with(['0', '8']) && has_check_digit(&number)).then_some(number)
}

/// An employer identification number.
#[must_use]
pub fn normalize_ein(text: &str) -> Option<String> {
    let number = digits_of(text).filter(|number| number.len() == 9)?;
    let prefix: u8 = number.get(..2)?.parse().ok()?;
    (!UNUSED_EIN.contains(&prefix)).then_some(number)
}

/// A business number of Canada: nine digits, the last of which checks the others, alone or with a program account, such as
/// RT0001. Source: Canada Revenue Agency, "Business number registration".
#[must_use]
pub fn normalize_bn(text: &str) -> Option<String> {
    let compact: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    let number = compact.to_ascii_uppercase();
    let (root, account) = number.split_at_checked(9)?;
    let letters = account.get(..2).is_some_and(|letters| letters.bytes().all(|byte| byte.is_ascii_uppercase()));
    let digits = account.get(2..).is_some_and(|rest| rest.len() == 4 && rest.bytes().all(|byte| byte.is_ascii_digit()));
    let is_account = account.is_empty() || (letters && digits && !account.ends_with("0000"));
    (has_check_digit(root) && root != "000000000" && is_account).then_some(number)
}

/// A taxpayer number of Mexico: three letters for a company or four for a person, a day, and three characters, the last of
/// which checks the others.
#[must_use]
pub fn normalize_rfc(text: &str) -> Option<String> {
    let compact: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    let number = compact.to_uppercase();
    let letters: Vec<char> = number.chars().collect();
    let name = letters.len().checked_sub(9).filter(|name| matches!(name, 3 | 4))?;
    let (first, rest) = letters.split_at_checked(name)?;
    let (day, homonym) = rest.split_at_checked(6)?;
    let is_name = first.iter().all(|letter| letter.is_ascii_uppercase() || matches!(letter, 'Ñ' | '&'));
    let is_homonym = homonym.iter().all(|letter| letter.is_ascii_alphanumeric());
    if !is_name || !is_homonym || !is_day(day) || GENERIC_RFC.contains(&number.as_str()) {
        return None;
    }
    (rfc_check(&letters)? == *letters.last()?).then_some(number)
}

/// The last character of an RFC. A company's is counted with a space before it.
fn rfc_check(letters: &[char]) -> Option<char> {
    let spaces = std::iter::repeat_n(' ', 13_usize.checked_sub(letters.len())?);
    let all = spaces.chain(letters.iter().copied()).take(12);
    let mut sum = 0;
    for (weight, letter) in (2..=13).rev().zip(all) {
        sum += weight * RFC_LETTERS.chars().position(|known| known == letter)?;
    }
    match (11 - sum % 11) % 11 {
        10 => Some('A'),
        digit => char::from_digit(u32::try_from(digit).ok()?, 10),
    }
}

/// Whether six digits are a day: YYMMDD.
fn is_day(day: &[char]) -> bool {
    let text: String = day.iter().collect();
    let part = |at: usize| text.get(at..at + 2).and_then(|part| part.parse::<i8>().ok());
    let (Some(year), Some(month), Some(day)) = (part(0), part(2), part(4)) else { return false };
    // Both centuries have the same leap years in these digits, but for 1900.
    pavise_calendar::jiff::civil::Date::new(2000 + i16::from(year), month, day).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_their_separators() {
        assert_eq!(normalize_ssn("536-90-4399").as_deref(), Some("536904399"));
        assert_eq!(normalize_itin("912-70-5678").as_deref(), Some("912705678"));
        assert_eq!(normalize_sin("193 456 787").as_deref(), Some("193456787"));
        assert_eq!(normalize_ein("91-1144442").as_deref(), Some("911144442"));
        assert_eq!(normalize_bn("12302 6635 rc 0001").as_deref(), Some("123026635RC0001"));
        assert_eq!(normalize_bn("123026635").as_deref(), Some("123026635"));
        assert_eq!(normalize_rfc("gode 561231 gr8").as_deref(), Some("GODE561231GR8"));
        assert_eq!(normalize_rfc("MAB-930714-8T4").as_deref(), Some("MAB9307148T4"));
    }

    #[test]
    fn what_was_never_given_out_is_no_number() {
        for number in [
            "000-12-3456",
            "666-12-3456",
            "900-12-3456",
            "987-65-4320",
            "123-00-4567",
            "123-45-0000",
            "078-05-1120",
            "12345678",
            "1234567890",
            "12345678a",
            "",
        ] {
            assert_eq!(normalize_ssn(number), None, "{number}");
        }
        for number in ["812-70-5678", "912-49-5678", "912-66-5678", "912-69-5678", "912-89-5678", "912-93-5678"] {
            assert_eq!(normalize_itin(number), None, "{number}");
        }
        for number in ["193456788", "046454286", "800000002", "19345678"] {
            assert_eq!(normalize_sin(number), None, "{number}");
        }
        for number in ["07-1144442", "00-0000001", "96-1144442", "911144"] {
            assert_eq!(normalize_ein(number), None, "{number}");
        }
        for number in
            ["123456783", "123026635RC000", "123026635RC0000", "123026635R10001", "12302663é", "000000000", ""]
        {
            assert_eq!(normalize_bn(number), None, "{number}");
        }
        for number in [
            "GODE561231GR9",
            "MAB9307148T5",
            "XAXX010101000",
            "GODE561331GR8",
            "GO5E561231GR8",
            "GODE561231",
            "GODE561231ÑR8",
            "",
        ] {
            assert_eq!(normalize_rfc(number), None, "{number}");
        }
    }

    #[test]
    fn each_area_and_group_is_told_apart() {
        let given = |number: &str| normalize_ssn(number).is_some() || normalize_itin(number).is_some();
        let areas = (0..1000).filter(|area| normalize_ssn(&format!("{area:03}12{:04}", 3456)).is_some()).count();
        assert_eq!(areas, 898, "001 to 899 without 666");
        let groups = (0..100).filter(|group| normalize_itin(&format!("912{group:02}3456")).is_some()).count();
        assert_eq!(groups, 16 + 19 + 3 + 6);
        let prefixes = (0..100).filter(|prefix| normalize_ein(&format!("{prefix:02}1234567")).is_some()).count();
        assert_eq!(prefixes, 100 - UNUSED_EIN.len());
        assert!(!given("912931234"));
    }
}
