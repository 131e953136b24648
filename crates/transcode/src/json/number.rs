//! Numbers as text: JSON's grammar, and whole numbers without floating point.

/// A whole number of at most 64 bits and a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole {
    negative: bool,
    magnitude: u64,
}

/// The reason why a text is not a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotWhole {
    /// It is no number, or it has a fraction.
    Other,
    /// It has more than 64 bits.
    TooLarge,
}

impl Whole {
    /// The signed number, if it fits 64 bits.
    #[inline]
    pub(crate) fn signed(self) -> Option<i64> {
        if self.negative { 0_i64.checked_sub_unsigned(self.magnitude) } else { i64::try_from(self.magnitude).ok() }
    }

    /// The unsigned number, if it is not negative.
    #[inline]
    pub(crate) fn unsigned(self) -> Option<u64> {
        (!self.negative || self.magnitude == 0).then_some(self.magnitude)
    }
}

/// The length of the number at the start of `text`.
#[inline]
pub(crate) fn length(text: &[u8]) -> Option<usize> {
    let digits =
        |from: usize| text.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(text.first() == Some(&b'-'));
    match text.get(at)? {
        b'0' => at += 1,
        b'1'..=b'9' => at += digits(at),
        _ => return None,
    }
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = text.get(at) {
            at += 1;
        }
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    Some(at)
}

/// The whole number of `text`, as in `12`, `-3`, `1e2`, `100.0`.
#[inline]
pub(crate) fn whole(text: &str) -> Result<Whole, NotWhole> {
    let bytes = text.as_bytes();
    let (negative, digits) = match bytes {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    // Up to 19 digits cannot overflow 64 bits. A leading zero, a point or an exponent needs the slower way.
    if let [b'1'..=b'9', ..] | [b'0'] = digits
        && digits.len() < 20
    {
        let mut magnitude = 0;
        for digit in digits {
            let value = digit.wrapping_sub(b'0');
            if value > 9 {
                return any_whole(text, negative);
            }
            magnitude = magnitude * 10 + u64::from(value);
        }
        return Ok(Whole { negative, magnitude });
    }
    any_whole(text, negative)
}

/// A whole number in any form: its significant digits times a power of ten.
#[cold]
fn any_whole(text: &str, negative: bool) -> Result<Whole, NotWhole> {
    if length(text.as_bytes()) != Some(text.len()) {
        return Err(NotWhole::Other);
    }
    let text = text.trim_start_matches('-');
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [integer, fraction].concat();
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Ok(Whole { negative, magnitude: 0 });
    }
    // The exponent of the last significant digit. An exponent beyond 64 bits counts as one at the limit of 32 bits.
    let far = if exponent.starts_with('-') { i64::from(i32::MIN) } else { i64::from(i32::MAX) };
    let written = exponent.parse::<i64>().unwrap_or(far).clamp(-1 << 40, 1 << 40);
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX >> 1);
    let power = written - count(fraction.len()) + count(digits.len() - significant.len());
    let significant = significant.trim_start_matches('0');
    if power < 0 {
        return Err(NotWhole::Other);
    }
    if power + count(significant.len()) > 20 {
        return Err(NotWhole::TooLarge);
    }
    let factor = u32::try_from(power).ok().and_then(|power| 10_u128.checked_pow(power));
    let magnitude = significant.parse::<u128>().ok().zip(factor).and_then(|(value, factor)| value.checked_mul(factor));
    let magnitude = magnitude.and_then(|magnitude| u64::try_from(magnitude).ok()).ok_or(NotWhole::TooLarge)?;
    Ok(Whole { negative, magnitude })
}

/// The usual form of a whole number; `None` if `text` already has it.
pub(crate) fn canonical(text: &str) -> Option<String> {
    let whole = whole(text).ok()?;
    let sign = if whole.negative && whole.magnitude > 0 { "-" } else { "" };
    Some(format!("{sign}{}", whole.magnitude)).filter(|usual| usual != text)
}

/// The number of `text`; `None` if it is no number or too large for the type.
pub(crate) fn double(text: &str) -> Option<f64> {
    let value = (length(text.as_bytes()) == Some(text.len())).then(|| text.parse::<f64>().ok())??;
    value.is_finite().then_some(value)
}

/// As [`double`], but rounded once, to 32 bits.
pub(crate) fn float(text: &str) -> Option<f32> {
    let value = (length(text.as_bytes()) == Some(text.len())).then(|| text.parse::<f32>().ok())??;
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_exact() {
        let cases = [
            ("0", 0),
            ("-0", 0),
            ("7", 7),
            ("9007199254740993", 9_007_199_254_740_993),
            ("-9007199254740993", -9_007_199_254_740_993),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("1e2", 100),
            ("1E+2", 100),
            ("100.0", 100),
            ("1.5e1", 15),
            ("9007199254740.993e3", 9_007_199_254_740_993),
            ("12300e-2", 123),
            ("0e99999999999999999999999", 0),
            ("0.000", 0),
            ("0.0001e4", 1),
        ];
        for (text, value) in cases {
            assert_eq!(whole(text).unwrap().signed(), Some(value), "{text}");
        }
        assert_eq!(whole("18446744073709551615").unwrap().unsigned(), Some(u64::MAX));
        assert_eq!(whole("18446744073709551615").unwrap().signed(), None);
        assert_eq!(whole("-9223372036854775809").unwrap().signed(), None);
        assert_eq!(whole("-1").unwrap().unsigned(), None);
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        for text in [
            "",
            "-",
            "+1",
            "01",
            "1.",
            ".5",
            "1e",
            "1e+",
            "0x1",
            "1 ",
            " 1",
            "1.5",
            "15e-1",
            "NaN",
            "1e-99999999999999999999",
        ] {
            assert_eq!(whole(text), Err(NotWhole::Other), "{text:?}");
        }
        for text in
            ["18446744073709551616", "1e20", "99999999999999999999999999999999999999999999", "1e99999999999999999999"]
        {
            assert_eq!(whole(text), Err(NotWhole::TooLarge), "{text:?}");
        }
    }

    #[test]
    fn doubles_are_rounded_once_and_bounded() {
        assert_eq!(double("1e308"), Some(1e308));
        assert_eq!(double("1e309"), None);
        assert_eq!(double("-0").map(f64::to_bits), Some((-0.0_f64).to_bits()));
        assert_eq!(float("3.4028235e38"), Some(f32::MAX));
        assert_eq!(float("3.5e38"), None);
        for text in ["inf", "nan", "+1", "1.", ".1", "Infinity", "1_0"] {
            assert_eq!(double(text), None, "{text:?}");
        }
    }
}
