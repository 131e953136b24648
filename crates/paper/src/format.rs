//! Days, amounts and rates as people write them.

use crate::language::Language;

/// A currency of a paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Currency {
    /// United States dollar.
    #[default]
    Usd,
    /// Canadian dollar.
    Cad,
}

/// An amount in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// The currency.
    pub currency: Currency,
    /// The cents.
    pub cents: i64,
}

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Day {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

/// The space within a number or before a sign of currency. No line breaks at it.
const TIGHT: char = '\u{a0}';

/// An amount: `$1,234.50`, or in French `1 234,50 $`. A currency that is foreign to the language's country is named.
pub(crate) fn format_amount(amount: Amount, language: Language) -> String {
    let sign = if amount.cents < 0 { "-" } else { "" };
    let (whole, cents) = (amount.cents.unsigned_abs() / 100, amount.cents.unsigned_abs() % 100);
    let symbol = match (language, amount.currency) {
        (Language::EnUs | Language::EsUs, Currency::Usd) | (Language::EnCa | Language::FrCa, Currency::Cad) => "$",
        (Language::EnUs | Language::EsUs, Currency::Cad) => "CA$",
        (Language::EnCa, Currency::Usd) => "US$",
        (Language::FrCa, Currency::Usd) => "$\u{a0}US",
    };
    match language {
        Language::FrCa => format!("{sign}{},{cents:02}{TIGHT}{symbol}", grouped(whole, TIGHT)),
        Language::EnUs | Language::EsUs | Language::EnCa => format!("{sign}{symbol}{}.{cents:02}", grouped(whole, ',')),
    }
}

/// A rate in parts per million as a percentage: `9.975%`, or in French `9,975 %`.
pub(crate) fn format_rate(ppm: u32, language: Language) -> String {
    let (whole, rest) = (ppm / 10_000, ppm % 10_000);
    let digits = format!("{rest:04}");
    let digits = digits.trim_end_matches('0');
    let mark = if language == Language::FrCa { ',' } else { '.' };
    let number = if digits.is_empty() { whole.to_string() } else { format!("{whole}{mark}{digits}") };
    if language == Language::FrCa { format!("{number}{TIGHT}%") } else { format!("{number}%") }
}

/// A day with the name of its month.
pub(crate) fn format_day(day: Day, language: Language) -> String {
    let month = month_name(day.month, language);
    let (year, number) = (day.year, day.day);
    match language {
        Language::EnUs | Language::EnCa => format!("{month} {number}, {year}"),
        Language::EsUs => format!("{number} de {month} de {year}"),
        Language::FrCa if number == 1 => format!("1er {month} {year}"),
        Language::FrCa => format!("{number} {month} {year}"),
    }
}

fn month_name(month: u8, language: Language) -> &'static str {
    let names: [&str; 12] = match language {
        Language::EnUs | Language::EnCa => [
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
        ],
        Language::EsUs => [
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
        ],
        Language::FrCa => [
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
        ],
    };
    names.get(usize::from(month).wrapping_sub(1)).copied().unwrap_or_default()
}

fn grouped(number: u64, separator: char) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cents: i64, currency: Currency) -> [String; 4] {
        Language::ALL.map(|language| format_amount(Amount { currency, cents }, language))
    }

    #[test]
    fn amounts_are_written_as_in_each_country() {
        assert_eq!(
            written(123_456_789, Currency::Usd),
            ["$1,234,567.89", "$1,234,567.89", "US$1,234,567.89", "1\u{a0}234\u{a0}567,89\u{a0}$\u{a0}US"]
        );
        assert_eq!(written(-5, Currency::Cad), ["-CA$0.05", "-CA$0.05", "-$0.05", "-0,05\u{a0}$"]);
        assert_eq!(written(i64::MIN, Currency::Usd)[0], "-$92,233,720,368,547,758.08");
    }

    #[test]
    fn days_have_the_order_of_the_language() {
        let one = Day { year: 2026, month: 3, day: 1 };
        let written = Language::ALL.map(|language| format_day(one, language));
        assert_eq!(written, ["March 1, 2026", "1 de marzo de 2026", "March 1, 2026", "1er mars 2026"]);
        assert_eq!(format_day(Day { day: 2, ..one }, Language::FrCa), "2 mars 2026");
        assert_eq!(format_day(Day { month: 0, ..one }, Language::EnUs), " 1, 2026");
    }

    #[test]
    fn rates_have_no_zeros_at_their_end() {
        assert_eq!(format_rate(99_750, Language::FrCa), "9,975\u{a0}%");
        assert_eq!(format_rate(50_000, Language::EnCa), "5%");
        assert_eq!(format_rate(62_500, Language::EnUs), "6.25%");
    }
}
