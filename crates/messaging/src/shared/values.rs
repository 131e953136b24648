//! The values of a template's gaps, in the form of the reader's locale.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::{Date, Locale};
use pavise_kernel::{Error, Result, time};

use super::template_text::flatten_value;
use crate::contract::v1::{ErrorReason, TemplateValueKind, TemplateVariable, TextValue};

/// The months, in the languages of the platform.
const ENGLISH: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const SPANISH: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];
const FRENCH: [&str; 12] = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];

/// The values of the declared gaps, by name. Each gap has a value, and each value is of a gap. `path` leads to them.
///
/// # Errors
/// `TEMPLATE_VALUE_MISSING`, `INVALID_FIELD` with the place of the value.
pub(crate) fn read_values(
    path: &str,
    given: &[TextValue],
    variables: &[TemplateVariable],
    locale: Locale,
) -> Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for (place, value) in given.iter().enumerate() {
        let variable = variables.iter().find(|variable| variable.name == value.name);
        let variable =
            variable.ok_or_else(|| Error::field(format!("{path}values[{place}].name"), "is no gap of the template"))?;
        let text = write_value(variable.kind(), &value.text, locale)
            .ok_or_else(|| Error::field(format!("{path}values[{place}].text"), expected_form(variable.kind())))?;
        if all.insert(value.name.clone(), text).is_some() {
            return Err(Error::field(format!("{path}values[{place}].name"), "is there twice"));
        }
    }
    match variables.iter().find(|variable| !all.contains_key(&variable.name)) {
        Some(missing) => Err(missing_value_error(path, &missing.name)),
        None => Ok(all),
    }
}

/// The refusal of a message whose gap has no value.
pub(crate) fn missing_value_error(path: &str, name: &str) -> Error {
    Error::new(ErrorReason::TemplateValueMissing, format!("the template needs a value for {name}"))
        .violation(format!("{path}values"), format!("has none for {name}"))
}

/// A value in the form of the locale; `None` if it is not of the kind.
pub(crate) fn write_value(kind: TemplateValueKind, text: &str, locale: Locale) -> Option<String> {
    match kind {
        TemplateValueKind::Unspecified | TemplateValueKind::Text => Some(flatten_value(text)),
        TemplateValueKind::Money => write_money(text, locale),
        TemplateValueKind::Date => write_date(text, locale),
        TemplateValueKind::Time => write_time(text, locale),
        TemplateValueKind::Link => {
            let plain = |byte: u8| byte.is_ascii_graphic() && !b"<>\"'\\^`{|}".contains(&byte);
            (text.starts_with("https://") && text.len() > 8 && text.bytes().all(plain)).then(|| text.to_owned())
        }
        TemplateValueKind::Code => {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            ((4..=32).contains(&text.len()) && text.bytes().all(plain)).then(|| text.to_owned())
        }
    }
}

fn expected_form(kind: TemplateValueKind) -> &'static str {
    match kind {
        TemplateValueKind::Unspecified | TemplateValueKind::Text => "is no text",
        TemplateValueKind::Money => "is no amount with a currency: \"29.95 USD\"",
        TemplateValueKind::Date => "is no day: \"2026-03-31\"",
        TemplateValueKind::Time => "is no time of day: \"18:30\"",
        TemplateValueKind::Link => "is no address that begins with https://",
        TemplateValueKind::Code => "has other than 4 to 32 letters, digits and hyphens",
    }
}

fn write_money(text: &str, locale: Locale) -> Option<String> {
    let (amount, currency) = text.trim().split_once(' ')?;
    let (sign, amount) = amount.strip_prefix('-').map_or(("", amount), |amount| ("-", amount));
    let (whole, cents) = amount.split_once('.').unwrap_or((amount, "00"));
    let digits = |text: &str| !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(cents) || cents.len() != 2 || !["USD", "CAD"].contains(&currency) {
        return None;
    }
    let separator = if locale == Locale::FrCa { "\u{a0}" } else { "," };
    let whole = group_thousands(whole, separator);
    Some(match (locale, currency) {
        (Locale::FrCa, "CAD") => format!("{sign}{whole},{cents}\u{a0}$"),
        (Locale::FrCa, _) => format!("{sign}{whole},{cents}\u{a0}$\u{a0}US"),
        (Locale::EnCa, "USD") => format!("{sign}US${whole}.{cents}"),
        (Locale::EnCa, _) | (_, "USD") => format!("{sign}${whole}.{cents}"),
        _ => format!("{sign}CA${whole}.{cents}"),
    })
}

fn group_thousands(digits: &str, separator: &str) -> String {
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push_str(separator);
        }
        grouped.push(digit);
    }
    grouped
}

fn write_date(text: &str, locale: Locale) -> Option<String> {
    let mut parts = text.trim().splitn(3, '-').map(|part| part.parse::<i32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let date = Date { year, month, day };
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) || !time::is_real(date) {
        return None;
    }
    let month = usize::try_from(month - 1).ok()?;
    let named = |names: [&'static str; 12]| names.get(month).copied();
    Some(match locale {
        Locale::FrCa => {
            let first = if day == 1 { "1er".to_owned() } else { day.to_string() };
            format!("{first} {} {year}", named(FRENCH)?)
        }
        Locale::EsUs => format!("{day} de {} de {year}", named(SPANISH)?),
        Locale::EnUs | Locale::EnCa | Locale::Unspecified => format!("{} {day}, {year}", named(ENGLISH)?),
    })
}

fn write_time(text: &str, locale: Locale) -> Option<String> {
    let (hour, minute) = text.trim().split_once(':')?;
    let (hour, minute) = (hour.parse::<u32>().ok()?, minute.parse::<u32>().ok().filter(|_| minute.len() == 2)?);
    if hour > 23 || minute > 59 {
        return None;
    }
    let half = if hour < 12 { "a.m." } else { "p.m." };
    Some(match locale {
        Locale::FrCa => format!("{hour} h {minute:02}"),
        Locale::EsUs | Locale::EnUs | Locale::EnCa | Locale::Unspecified => {
            format!("{}:{minute:02} {half}", (hour + 11) % 12 + 1)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(kind: TemplateValueKind, text: &str, locale: Locale) -> Option<String> {
        write_value(kind, text, locale)
    }

    #[test]
    fn amounts_days_and_times_have_the_form_of_the_locale() {
        let money = TemplateValueKind::Money;
        assert_eq!(written(money, "1234567.50 USD", Locale::EnUs).unwrap(), "$1,234,567.50");
        assert_eq!(written(money, "29.95 CAD", Locale::FrCa).unwrap(), "29,95\u{a0}$");
        assert_eq!(written(money, "1029.95 USD", Locale::FrCa).unwrap(), "1\u{a0}029,95\u{a0}$\u{a0}US");
        assert_eq!(written(money, "-5 CAD", Locale::EnUs).unwrap(), "-CA$5.00");
        assert_eq!(written(money, "5 USD", Locale::EnCa).unwrap(), "US$5.00");
        let date = TemplateValueKind::Date;
        assert_eq!(written(date, "2026-03-01", Locale::FrCa).unwrap(), "1er mars 2026");
        assert_eq!(written(date, "2026-03-31", Locale::EsUs).unwrap(), "31 de marzo de 2026");
        assert_eq!(written(date, "2026-03-31", Locale::EnCa).unwrap(), "March 31, 2026");
        let time = TemplateValueKind::Time;
        assert_eq!(written(time, "00:05", Locale::EnUs).unwrap(), "12:05 a.m.");
        assert_eq!(written(time, "18:30", Locale::EsUs).unwrap(), "6:30 p.m.");
        assert_eq!(written(time, "18:30", Locale::FrCa).unwrap(), "18 h 30");
    }

    #[test]
    fn what_is_not_of_the_kind_is_refused() {
        for (kind, wrong) in [
            (TemplateValueKind::Money, "29.9 USD"),
            (TemplateValueKind::Money, "29.95 EUR"),
            (TemplateValueKind::Money, "29.95"),
            (TemplateValueKind::Date, "2026-02-30"),
            (TemplateValueKind::Date, "tomorrow"),
            (TemplateValueKind::Time, "24:00"),
            (TemplateValueKind::Time, "9:5"),
            (TemplateValueKind::Link, "http://pavise.example"),
            (TemplateValueKind::Link, "https://a\"onclick"),
            (TemplateValueKind::Code, "12"),
            (TemplateValueKind::Code, "a b c d"),
        ] {
            assert_eq!(written(kind, wrong, Locale::EnUs), None, "{wrong}");
        }
    }
}
