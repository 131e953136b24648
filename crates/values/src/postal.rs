//! Postal codes of the United States and Canada, and their regions.

use crate::ValueError;
use crate::common::v1::CountryCode;
use crate::common::v1::RegionCode::{self, *};

/// The first three digits of ZIP codes, by region: from, to, region. Sorted. Source: United States Postal Service,
/// "Domestic Mail Manual", labeling list L002 (3-digit ZIP code prefix groups).
const ZIP: &[(u16, u16, RegionCode)] = &[
    (5, 5, Ny),
    (6, 7, Pr),
    (8, 8, Vi),
    (9, 9, Pr),
    (10, 27, Ma),
    (28, 29, Ri),
    (30, 38, Nh),
    (39, 49, Me),
    (50, 54, Vt),
    (55, 55, Ma),
    (56, 59, Vt),
    (60, 69, Ct),
    (70, 89, Nj),
    (100, 149, Ny),
    (150, 196, Pa),
    (197, 199, De),
    (200, 200, Dc),
    (201, 201, Va),
    (202, 205, Dc),
    (206, 219, Md),
    (220, 246, Va),
    (247, 268, Wv),
    (270, 289, Nc),
    (290, 299, Sc),
    (300, 319, Ga),
    (320, 339, Fl),
    (341, 349, Fl),
    (350, 369, Al),
    (370, 385, Tn),
    (386, 397, Ms),
    (398, 399, Ga),
    (400, 427, Ky),
    (430, 459, Oh),
    (460, 479, In),
    (480, 499, Mi),
    (500, 528, Ia),
    (530, 549, Wi),
    (550, 567, Mn),
    (569, 569, Dc),
    (570, 577, Sd),
    (580, 588, Nd),
    (590, 599, Mt),
    (600, 629, Il),
    (630, 658, Mo),
    (660, 679, Ks),
    (680, 693, Ne),
    (700, 714, La),
    (716, 729, Ar),
    (730, 732, Ok),
    (733, 733, Tx),
    (734, 749, Ok),
    (750, 799, Tx),
    (800, 816, Co),
    (820, 831, Wy),
    (832, 838, Id),
    (840, 847, Ut),
    (850, 865, Az),
    (870, 884, Nm),
    (885, 885, Tx),
    (889, 898, Nv),
    (900, 961, Ca),
    (967, 968, Hi),
    (969, 969, Gu),
    (970, 979, Or),
    (980, 994, Wa),
    (995, 999, Ak),
];

/// ZIP codes that differ from others with the same first digits: their prefix, and their region if they have one. Source:
/// United States Postal Service, "City State Product".
const EXCEPTIONS: &[(&str, Option<RegionCode>)] = &[
    ("06390", Some(Ny)),
    ("83414", Some(Wy)),
    ("96799", Some(As)),
    ("9695", Some(Mp)),
    // Palau, Micronesia and the Marshall Islands have ZIP codes but are no regions of the United States.
    ("96939", None),
    ("9694", None),
    ("9696", None),
    ("9697", None),
];

/// The region of a ZIP code (12345, 12345-6789) or a Canadian postal code (A1A 1A1, or its first part). `None` for
/// codes that belong to no region, such as those of the armed forces.
#[must_use]
pub fn region(code: &str) -> Option<RegionCode> {
    let code = code.trim().to_ascii_uppercase();
    if code.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return province(&code);
    }
    let (zip, extension) = code.split_once('-').unwrap_or((code.as_str(), "0000"));
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(zip, 5) || !digits(extension, 4) {
        return None;
    }
    if let Some((_, region)) = EXCEPTIONS.iter().find(|(start, _)| zip.starts_with(start)) {
        return *region;
    }
    let prefix: u16 = zip.get(..3)?.parse().ok()?;
    ZIP.iter().find(|(from, to, _)| (*from..=*to).contains(&prefix)).map(|(_, _, region)| *region)
}

/// Whether it is a ZIP code (12345, 12345-6789) or a whole Canadian postal code: the same texts that the pattern of
/// `FORMAT_POSTAL_CODE` takes.
#[must_use]
pub fn is_code(text: &str) -> bool {
    normalize_code(text).is_some()
}

/// The code as it is kept: 12345, 12345-6789, A1A 1A1. `None` if it is none.
#[must_use]
pub fn normalize_code(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let has_shape = |bytes: &[u8], shape: &[u8]| {
        bytes.len() == shape.len()
            && bytes.iter().zip(shape).all(|(byte, shape)| match shape {
                b'A' => byte.is_ascii_alphabetic(),
                b'1' => byte.is_ascii_digit(),
                other => byte == other,
            })
    };
    if has_shape(bytes, b"11111") || has_shape(bytes, b"11111-1111") {
        return Some(text.to_owned());
    }
    if has_shape(bytes, b"A1A 1A1") || has_shape(bytes, b"A1A1A1") {
        let code = text.to_ascii_uppercase();
        return Some(format!("{} {}", code.get(..3)?, code.get(code.len() - 3..)?));
    }
    None
}

/// The country of a postal code: only Canada's begin with a letter.
#[must_use]
pub fn country(code: &str) -> CountryCode {
    if code.starts_with(|first: char| first.is_ascii_alphabetic()) { CountryCode::Can } else { CountryCode::Usa }
}

/// Refuses a postal code of another region than `said`. A code that belongs to no region passes. `path` is the place of
/// the code in the message.
///
/// # Errors
/// The region of the code, also as the fact `region`.
pub fn check(path: &str, code: &str, said: RegionCode) -> Result<(), ValueError> {
    // The specification holds California twice.
    let alike = |found: RegionCode| found == said || (said == Ca2 && found == Ca);
    match region(code) {
        Some(found) if said != Unspecified && !alike(found) => {
            let why = format!("is in {}, not in {}", found.spelling(), said.spelling());
            Err(ValueError { fact: Some(("region", found.spelling().to_owned())), ..ValueError::new(path, why) })
        }
        _ => Result::Ok(()),
    }
}

/// The province or territory of a Canadian code, by its first letter. Source: Canada Post, "Addressing Guidelines", postal
/// districts.
fn province(code: &str) -> Option<RegionCode> {
    let compact: Vec<char> = code.chars().filter(|letter| *letter != ' ').collect();
    let shape = compact
        .iter()
        .enumerate()
        .all(|(at, letter)| if at % 2 == 0 { letter.is_ascii_alphabetic() } else { letter.is_ascii_digit() });
    if !shape || !matches!(compact.len(), 3 | 6) {
        return None;
    }
    match compact.first()? {
        'A' => Some(Nl),
        'B' => Some(Ns),
        'C' => Some(Pe),
        'E' => Some(Nb),
        'G' | 'H' | 'J' => Some(Qc),
        'K' | 'L' | 'M' | 'N' | 'P' => Some(On),
        'R' => Some(Mb),
        'S' => Some(Sk),
        'T' => Some(Ab),
        'V' => Some(Bc),
        // Nunavut shares its first letter with the Northwest Territories.
        'X' if code.starts_with("X0A") || code.starts_with("X0B") || code.starts_with("X0C") => Some(Nu),
        'X' => Some(Nt),
        'Y' => Some(Yt),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_their_regions() {
        let known = [
            ("74820", Ok),
            ("10001", Ny),
            ("73301", Tx),
            ("20500-0003", Dc),
            ("96799", As),
            ("96950", Mp),
            ("96910", Gu),
            ("00601", Pr),
            ("00802", Vi),
            ("06390", Ny),
            ("90210", Ca),
            ("99501", Ak),
            ("K1A 0B1", On),
            ("h2x1y4", Qc),
            ("X0A 0H0", Nu),
            ("X1A 2N5", Nt),
            ("V6B", Bc),
        ];
        for (code, expected) in known {
            assert_eq!(region(code), Some(expected), "{code}");
        }
    }

    #[test]
    fn what_is_no_postal_code_has_no_region() {
        for code in [
            "", "1234", "123456", "12345-", "12345-12", "D1A 1A1", "A1A 1A", "AAA", "00000", "09001", "34012", "96940",
            "é1A",
        ] {
            assert_eq!(region(code), None, "{code}");
        }
    }

    #[test]
    fn a_code_of_another_region_is_refused_with_the_region_it_is_in() {
        let refused = check("address.postal_code", "74820", Tx).unwrap_err();
        let expected = ValueError::new("address.postal_code", "is in OK, not in TX");
        assert_eq!(refused, ValueError { fact: Some(("region", "OK".into())), ..expected });
        for (code, said) in [("73301", Tx), ("90210", Ca2), ("00000", Tx), ("", Tx), ("74820", Unspecified)] {
            check("postal_code", code, said).unwrap();
        }
        assert!(check("postal_code", "K1A 0B1", Qc).is_err());
    }

    #[test]
    fn codes_have_a_normal_form() {
        for (code, expected) in
            [("k1a0b1", "K1A 0B1"), ("K1A 0B1", "K1A 0B1"), ("75001", "75001"), ("75001-0001", "75001-0001")]
        {
            assert_eq!(normalize_code(code).as_deref(), Some(expected));
        }
        for code in ["", "K1A", "K1A-0B1", "7500", "75001-", "750011", "K1A  0B1", "é1A 0B1", " 75001"] {
            assert!(!is_code(code), "{code}");
        }
    }

    #[test]
    fn prefixes_are_sorted_and_do_not_overlap() {
        assert!(ZIP.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(ZIP.iter().all(|(from, to, _)| from <= to));
    }
}
