//! Answers as people read them.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::{Address, Date, Locale, LocalizedText, Money, PersonName, PhoneNumber};
use pavise_kernel::money::currency_code;

use crate::contract::v1::{AnswerValue, QuestionItem, QuestionItemType};

/// The words of a language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReaderWords {
    locale: Locale,
}

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

/// The value of an item in a row.
pub(crate) fn pick_value<'v>(values: &'v [AnswerValue], item_id: &str, row: i32) -> Option<&'v AnswerValue> {
    values.iter().find(|value| value.item_id == item_id && value.row == row)
}

impl ReaderWords {
    /// Those of a locale.
    pub(crate) fn of(locale: Locale) -> Self {
        Self { locale: if locale == Locale::Unspecified { Locale::EnUs } else { locale } }
    }

    /// The code of the language.
    pub(crate) fn language(self) -> &'static str {
        self.choose("en", "es", "fr")
    }

    /// The text in the language, or else the English or the first one.
    pub(crate) fn pick_text(self, texts: &[LocalizedText]) -> &str {
        let of = |locale: Locale| texts.iter().find(|text| text.locale() == locale);
        let found = of(self.locale).or_else(|| of(Locale::EnUs)).or_else(|| texts.first());
        found.map(|text| text.text.as_str()).unwrap_or_default()
    }

    /// The mark of a choice.
    pub(crate) fn mark(self) -> &'static str {
        "X"
    }

    /// The words in the place of an answer that is missing.
    pub(crate) fn unanswered_mark(self) -> &'static str {
        self.choose("Not answered", "Sin respuesta", "Sans réponse")
    }

    /// The words before the day of a submission.
    pub(crate) fn submitted_on(self) -> &'static str {
        self.choose("Submitted on", "Enviado el", "Envoyé le")
    }

    /// A value as its reader expects it. `files` has the names of files by id.
    pub(crate) fn show_value(
        self,
        item: &QuestionItem,
        value: &AnswerValue,
        files: &BTreeMap<String, String>,
    ) -> String {
        match item.r#type() {
            QuestionItemType::Number | QuestionItemType::Repeat => {
                value.number.map(|number| self.show_number(number)).unwrap_or_default()
            }
            QuestionItemType::Money => value.money.map(|money| self.show_money(money)).unwrap_or_default(),
            QuestionItemType::Date => value.date.map(|date| self.show_date(date)).unwrap_or_default(),
            QuestionItemType::Boolean => match value.boolean {
                Some(true) => self.choose("Yes", "Sí", "Oui").to_owned(),
                Some(false) => self.choose("No", "No", "Non").to_owned(),
                None => String::new(),
            },
            QuestionItemType::Choice | QuestionItemType::Choices => self.show_choices(item, &value.choices),
            QuestionItemType::Address => value.address.as_ref().map(show_address).unwrap_or_default(),
            QuestionItemType::Phone => value.phone.as_ref().map(show_phone).unwrap_or_default(),
            QuestionItemType::Person => value.person.as_ref().map(show_person).unwrap_or_default(),
            QuestionItemType::File => {
                let names = value.file_ids.iter().map(|id| files.get(id).map_or(id.as_str(), String::as_str));
                names.collect::<Vec<_>>().join(", ")
            }
            _ if item.sealed => value.sealed_text.clone(),
            _ => value.text.clone(),
        }
    }

    fn show_choices(self, item: &QuestionItem, chosen: &[String]) -> String {
        let label = |id: &String| {
            let choice = item.choices.iter().find(|choice| choice.id == *id);
            choice.map_or(id.as_str(), |choice| self.pick_text(&choice.labels)).to_owned()
        };
        chosen.iter().map(label).collect::<Vec<_>>().join(", ")
    }

    fn show_number(self, number: f64) -> String {
        let text = number.to_string();
        if self.language() == "fr" { text.replace('.', ",") } else { text }
    }

    fn show_money(self, money: Money) -> String {
        let (sign, amount) = (if money.amount < 0 { "-" } else { "" }, money.amount.unsigned_abs());
        let (separator, point) = if self.language() == "fr" { ('\u{a0}', ',') } else { (',', '.') };
        let whole = (amount / 100).to_string();
        let mut grouped = String::new();
        for (place, digit) in whole.chars().enumerate() {
            if place > 0 && (whole.len() - place).is_multiple_of(3) {
                grouped.push(separator);
            }
            grouped.push(digit);
        }
        format!("{sign}{grouped}{point}{:02} {}", amount % 100, currency_code(money.currency))
    }

    /// A day.
    pub(crate) fn show_date(self, date: Date) -> String {
        let months = self.choose(ENGLISH, SPANISH, FRENCH);
        let month = usize::try_from(date.month).ok().and_then(|month| months.get(month.checked_sub(1)?));
        let month = month.copied().unwrap_or_default();
        match self.language() {
            "es" => format!("{} de {month} de {}", date.day, date.year),
            "fr" => format!("{} {month} {}", date.day, date.year),
            _ => format!("{month} {}, {}", date.day, date.year),
        }
    }

    fn choose<T>(self, english: T, spanish: T, french: T) -> T {
        match self.locale {
            Locale::EsUs => spanish,
            Locale::FrCa => french,
            _ => english,
        }
    }
}

fn show_address(address: &Address) -> String {
    let place = format!("{} {}", address.locality().spelling(), address.postal_code);
    let parts = [address.address1.as_str(), &address.address2, &address.city, place.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn show_phone(phone: &PhoneNumber) -> String {
    if phone.extension.is_empty() { phone.number.clone() } else { format!("{} x{}", phone.number, phone.extension) }
}

fn show_person(name: &PersonName) -> String {
    let parts = [&name.title, &name.first_name, &name.middle_name, &name.last_name, &name.suffix];
    parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_in_the_language_of_the_reader() {
        let (en, es, fr) =
            (ReaderWords::of(Locale::Unspecified), ReaderWords::of(Locale::EsUs), ReaderWords::of(Locale::FrCa));
        let day = Date { year: 2026, month: 3, day: 4 };
        assert_eq!([en, es, fr].map(|one| one.show_date(day)), ["March 4, 2026", "4 de marzo de 2026", "4 mars 2026"]);
        let money = Money { currency: 1, amount: -123_456_705 };
        assert_eq!(en.show_money(money), "-1,234,567.05 USD");
        assert_eq!(fr.show_money(Money { amount: 123_400, ..money }), "1\u{a0}234,00 USD");
        assert_eq!(
            (en.show_number(2.5), fr.show_number(2.5), en.show_number(3.0)),
            ("2.5".into(), "2,5".into(), "3".into())
        );
        let never = Date { year: 2026, month: 13, day: 4 };
        assert_eq!(en.show_date(never), " 4, 2026");
    }
}
